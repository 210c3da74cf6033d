import type { Pair } from './pair.ts';
import { date, dateTime, integer, is, list, number, object, text } from './schemas.ts';

const station = object(
  {
    stationId: text('Identifier of the weather station'),
    observedAt: dateTime('When the observation was made'),
    temperature: number('Air temperature', { unit: 'Cel' }),
    dewPoint: number('Dew point temperature', { unit: 'Cel' }),
    windSpeed: number('Wind speed', { unit: 'm/s', minimum: 0 }),
    'windGust?': number('Highest wind speed of the last ten minutes', { unit: 'm/s', minimum: 0 }),
    pressure: number('Air pressure at the station', { unit: 'hPa' }),
    'humidity?': number('Relative humidity', { unit: '%', minimum: 0, maximum: 100 }),
  },
  { title: 'Observation' },
);

const sameUnits: Pair = {
  name: 'weather observation to time series, in the same units',
  prefixes: { cf: 'http://vocab.nerc.ac.uk/standard_name/' },
  source: station,
  target: object(
    {
      time: dateTime('When the observation was made'),
      air_temperature: is('cf:air_temperature', number('Temperature of the air', { unit: 'Cel' })),
      air_pressure: is('cf:air_pressure', number('Pressure of the air at the station', { unit: 'hPa' })),
      'relative_humidity?': number('Relative humidity of the air', { unit: '%' }),
      'cloud_cover?': number('How much of the sky is covered', { unit: '%' }),
    },
    { title: 'Time series entry' },
  ),
  right: {
    time: 'observedAt',
    air_temperature: 'temperature',
    air_pressure: 'pressure',
    relative_humidity: 'humidity',
  },
  expects: 'mapping',
  example: {
    payload: {
      stationId: 'EKCH',
      observedAt: '2026-02-02T12:00:00Z',
      temperature: 4.5,
      dewPoint: 1,
      windSpeed: 7,
      pressure: 1013,
      humidity: 78,
    },
    result: { time: '2026-02-02T12:00:00Z', air_temperature: 4.5, air_pressure: 1013, relative_humidity: 78 },
  },
};

const convertible: Pair = {
  name: 'parcel in centimetres and grams to carrier in metres and kilograms, all declared',
  source: object(
    {
      parcelId: text('Number of the parcel'),
      length: is('schema:depth', number('Longest side of the parcel', { unit: 'cm', exclusiveMinimum: 0 })),
      width: is('schema:width', number('Width of the parcel', { unit: 'cm', exclusiveMinimum: 0 })),
      weight: is('schema:weight', number('Weight of the parcel', { unit: 'g', exclusiveMinimum: 0 })),
    },
    { title: 'Parcel' },
  ),
  target: object(
    {
      reference: text('Number of the parcel'),
      length: is('schema:depth', number('Longest side', { unit: 'm' })),
      width: is('schema:width', number('Width', { unit: 'm' })),
      weight: is('schema:weight', number('Weight', { unit: 'kg' })),
    },
    { title: 'Booking' },
  ),
  right: { reference: 'parcelId', length: 'length', width: 'width', weight: 'weight' },
  expects: 'mapping',
  example: {
    payload: { parcelId: 'P-1', length: 50, width: 25, weight: 1500 },
    result: { reference: 'P-1', length: 0.5, width: 0.25, weight: 1.5 },
  },
};

const scales: Pair = {
  name: 'weather observation to display in other scales, all declared',
  source: station,
  target: object(
    {
      outside: number('Air temperature', { unit: '[degF]' }),
      dew: number('Dew point temperature', { unit: '[degF]' }),
      wind: number('Wind speed', { unit: 'km/h' }),
      'sunrise?': dateTime('When the sun rises'),
    },
    { title: 'Display' },
  ),
  right: { outside: 'temperature', dew: 'dewPoint', wind: 'windSpeed' },
  expects: 'mapping',
  example: {
    payload: {
      stationId: 'EKCH',
      observedAt: '2026-06-02T12:00:00Z',
      temperature: 20,
      dewPoint: 10,
      windSpeed: 10,
      pressure: 1013,
    },
    result: { outside: 68, dew: 50, wind: 36 },
  },
};

const undeclared: Pair = {
  name: 'height in no stated unit to height in inches',
  source: object(
    {
      name: text('Name of the item'),
      height: is('schema:height', number('Height of the item', { minimum: 0 })),
    },
    { title: 'Item' },
  ),
  target: object(
    {
      name: text('Name of the item'),
      height: is('schema:height', number('Height of the item', { unit: '[in_i]', minimum: 0 })),
    },
    { title: 'Listing' },
  ),
  right: { name: 'name' },
  expects: 'ambiguous',
};

const describedUnits: Pair = {
  name: 'temperature said to be in Celsius to one said to be in Fahrenheit, neither declared',
  source: object(
    {
      measuredAt: dateTime('Time of the measurement'),
      temperature: number('Outside temperature in degrees Celsius'),
    },
    { title: 'Reading' },
  ),
  target: object(
    {
      measuredAt: dateTime('Time of the measurement'),
      temperature: number('Outside temperature in degrees Fahrenheit'),
    },
    { title: 'Display' },
  ),
  right: { measuredAt: 'measuredAt' },
  expects: 'none',
};

const dimension: Pair = {
  name: 'volume of fuel to mass of fuel',
  source: object(
    {
      tailNumber: text('Registration of the aircraft'),
      fuel: number('Fuel on board', { unit: 'L', minimum: 0 }),
    },
    { title: 'Fuelling' },
  ),
  target: object(
    {
      registration: text('Registration of the aircraft'),
      fuel: number('Fuel on board', { unit: 'kg', minimum: 0 }),
    },
    { title: 'Load sheet' },
  ),
  right: { registration: 'tailNumber' },
  expects: 'none',
};

const lowest: Pair = {
  name: 'daily forecast with minima to heat warning by maxima',
  source: object(
    {
      days: list(
        object({
          day: date('Day of the forecast'),
          temperature: number('Minimum air temperature of the day', { unit: 'Cel' }),
          'rain?': number('Sum of rain', { unit: 'mm', minimum: 0 }),
        }),
      ),
    },
    { title: 'Forecast' },
  ),
  target: object(
    {
      days: list(
        object({
          day: date('Day of the forecast'),
          temperature: number('Maximum air temperature of the day', { unit: 'Cel' }),
        }),
      ),
    },
    { title: 'Heat warning' },
  ),
  right: { 'days[].day': 'days[].day' },
  expects: 'none',
};

const series: Pair = {
  name: 'hourly arrays of a forecast to entries that have a time and a temperature',
  source: object(
    {
      latitude: number('Latitude of the forecast', { unit: 'deg', minimum: -90, maximum: 90 }),
      hourly: object({
        time: list(dateTime('Hour for which the forecast is')),
        temperature_2m: list(number('Air temperature two metres above ground', { unit: 'Cel' })),
      }),
      'generationtime_ms?': number('How long the forecast took', { unit: 'ms' }),
    },
    { title: 'Forecast' },
  ),
  target: object(
    {
      entries: list(
        object({
          hour: dateTime('Hour for which the forecast is'),
          temperature: number('Air temperature above ground', { unit: 'Cel' }),
        }),
      ),
      'retries?': integer(),
    },
    { title: 'Chart' },
  ),
  right: {},
  expects: 'ambiguous',
};

export const measures: readonly Pair[] = [
  sameUnits,
  convertible,
  scales,
  undeclared,
  describedUnits,
  dimension,
  lowest,
  series,
];
