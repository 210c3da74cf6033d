import type { Pair } from '../pair.ts';
import { choice, flag, integer, is, link, list, number, object, tagged, text, time } from './shape.ts';

const pressure = (code: string, description = '') =>
  object(
    { value: number('', { ...tagged(code), minimum: 0, unit: 'mm[Hg]' }) },
    { interpretation: choice(['L', 'N', 'H'], 'Low, normal or high') },
    description === '' ? {} : { description },
  );

/** Systolic and diastolic differ by a LOINC code alone; when it was measured is not when it was released. */
const bloodPressure: Pair = {
  name: 'FHIR blood pressure observation to vitals chart',
  prefixes: { loinc: 'http://loinc.org/rdf/', fhir: 'http://hl7.org/fhir/' },
  source: object(
    {
      id: text('Logical id of this artifact'),
      status: choice(
        ['registered', 'preliminary', 'final', 'amended'],
        '',
        tagged('fhir:Observation.status'),
      ),
      subject: object(
        { reference: text('Who the observation is about', tagged('fhir:Observation.subject')) },
        { display: text() },
      ),
      effectiveDateTime: time(
        'Clinically relevant time for the observation',
        tagged('fhir:Observation.effective'),
      ),
      issued: time('When this version was made available', tagged('fhir:Observation.issued')),
      systolic: pressure('loinc:8480-6'),
      diastolic: pressure('loinc:8462-4'),
    },
    {
      performer: object({ reference: text('Who is responsible', tagged('fhir:Observation.performer')) }),
      heartRate: number('', { ...tagged('loinc:8867-4'), minimum: 0, unit: '/min' }),
      device: object({ reference: text('(Measurement) device', tagged('fhir:Observation.device')) }),
    },
    { title: 'Observation', concepts: ['fhir:Observation', 'loinc:85354-9'] },
  ),
  target: object(
    {
      patient: text('Whose blood pressure it is', tagged('fhir:Observation.subject')),
      measured: time('When it was measured', tagged('fhir:Observation.effective')),
      lower: number('When the heart rests', { ...tagged('loinc:8462-4'), minimum: 0, unit: 'mm[Hg]' }),
      upper: number('When the heart beats', { ...tagged('loinc:8480-6'), minimum: 0, unit: 'mm[Hg]' }),
    },
    {
      pulse: number('', { ...tagged('loinc:8867-4'), minimum: 0, unit: '/min' }),
      temperature: number('', { ...tagged('loinc:8310-5'), unit: 'Cel' }),
      by: text('', tagged('fhir:Observation.performer')),
    },
    { title: 'Vitals chart' },
  ),
  right: {
    patient: 'subject.reference',
    measured: 'effectiveDateTime',
    lower: 'diastolic.value',
    upper: 'systolic.value',
    pulse: 'heartRate',
    by: 'performer.reference',
  },
  expects: 'mapping',
  example: {
    payload: {
      id: 'bp1',
      status: 'final',
      subject: { reference: 'Patient/7' },
      effectiveDateTime: '2024-02-01T08:00:00Z',
      issued: '2024-02-01T09:30:00Z',
      systolic: { value: 128, interpretation: 'N' },
      diastolic: { value: 81 },
      heartRate: 66,
    },
    result: { patient: 'Patient/7', measured: '2024-02-01T08:00:00Z', lower: 81, upper: 128, pulse: 66 },
  },
};

const uid = (description: string, more = {}) =>
  text(description, { pattern: '^[0-9.]+$', maxLength: 64, ...more });

/** Study, series and instance each have an identifier of one form, one within the other. */
const study: Pair = {
  name: 'DICOM study to imaging archive entry',
  prefixes: { dcm: 'http://dicom.nema.org/resources/ontology/DCM/' },
  source: object(
    {
      StudyInstanceUID: uid('Unique identifier of the study', tagged('dcm:0020000D')),
      PatientID: text('Primary identifier of the patient', tagged('dcm:00100020')),
      series: list(
        object(
          {
            SeriesInstanceUID: uid('Unique identifier of the series', tagged('dcm:0020000E')),
            Modality: text('Type of device that acquired the series', tagged('dcm:00080060')),
            instances: list(
              object(
                {
                  SOPInstanceUID: uid('Unique identifier of the instance', tagged('dcm:00080018')),
                  SOPClassUID: uid('Unique identifier of the class of the instance', tagged('dcm:00080016')),
                },
                { InstanceNumber: integer('A number that identifies the instance', tagged('dcm:00200013')) },
              ),
            ),
          },
          { BodyPartExamined: text('Part of the body that was examined') },
        ),
      ),
    },
    {
      StudyID: text('Identifier of the study, given by the user or the equipment', tagged('dcm:00200010')),
      AccessionNumber: text('Number of the order for the study', tagged('dcm:00080050')),
      ReferringPhysicianName: text('Name of the physician who referred the patient', tagged('dcm:00080090')),
      PerformingPhysicianName: text(
        'Name of the physician who administers the series',
        tagged('dcm:00081050'),
      ),
    },
    { title: 'Study' },
  ),
  target: object(
    {
      uid: uid('Unique identifier of the study'),
      patient: text('Identifier of the patient'),
      stacks: list(
        object(
          {
            uid: uid('Unique identifier of the series'),
            device: text('Kind of scanner'),
            images: list(
              object(
                { uid: uid('Unique identifier of the instance') },
                { position: integer('Number that identifies the instance') },
              ),
            ),
          },
          { laterality: choice(['L', 'R']) },
        ),
      ),
    },
    {
      orderNumber: text('Number of the order that led to the study'),
      referrer: text('Physician who referred the patient, by name'),
      report: link('Where the report is'),
    },
    { title: 'Archive entry' },
  ),
  right: {
    uid: 'StudyInstanceUID',
    patient: 'PatientID',
    'stacks[].uid': 'series[].SeriesInstanceUID',
    'stacks[].device': 'series[].Modality',
    'stacks[].images[].uid': 'series[].instances[].SOPInstanceUID',
    'stacks[].images[].position': 'series[].instances[].InstanceNumber',
    orderNumber: 'AccessionNumber',
    referrer: 'ReferringPhysicianName',
  },
  expects: 'mapping',
  example: {
    payload: {
      StudyInstanceUID: '1.2.3',
      PatientID: 'P7',
      AccessionNumber: 'A-19',
      PerformingPhysicianName: 'Otto',
      series: [
        {
          SeriesInstanceUID: '1.2.3.1',
          Modality: 'CT',
          instances: [
            { SOPInstanceUID: '1.2.3.1.1', SOPClassUID: '1.2.840.1', InstanceNumber: 1 },
            { SOPInstanceUID: '1.2.3.1.2', SOPClassUID: '1.2.840.1', InstanceNumber: 2 },
          ],
        },
        { SeriesInstanceUID: '1.2.3.2', Modality: 'MR', instances: [] },
      ],
    },
    result: {
      uid: '1.2.3',
      patient: 'P7',
      stacks: [
        {
          uid: '1.2.3.1',
          device: 'CT',
          images: [
            { uid: '1.2.3.1.1', position: 1 },
            { uid: '1.2.3.1.2', position: 2 },
          ],
        },
        { uid: '1.2.3.2', device: 'MR', images: [] },
      ],
      orderNumber: 'A-19',
    },
  },
};

/** Every gateway that heard the device becomes a row, and each row names the one device. */
const uplink: Pair = {
  name: 'The Things Network uplink to time-series rows',
  source: object(
    {
      end_device_ids: object(
        { device_id: text('ID of the end device'), dev_eui: text('DevEUI of the end device') },
        { application_ids: object({ application_id: text('ID of the application') }) },
      ),
      received_at: time('When the message was received by the Application Server'),
      uplink_message: object(
        {
          rx_metadata: list(
            object(
              {
                gateway_ids: object({ gateway_id: text('ID of the gateway that received the message') }),
                time: time('When the gateway received the message'),
                rssi: number('Received signal strength indicator', { unit: 'dBm' }),
              },
              {
                snr: number('Signal-to-noise ratio', { unit: 'dB' }),
                channel_rssi: number('', { unit: 'dBm' }),
              },
            ),
            'Metadata of each antenna of each gateway that received the message',
          ),
        },
        {
          f_cnt: integer('Frame counter', { minimum: 0 }),
          confirmed: flag('Whether an acknowledgement was asked'),
        },
      ),
    },
    {},
    { title: 'Uplink message' },
  ),
  target: object(
    {
      rows: list(
        object(
          {
            device: text('ID of the end device that sent the message'),
            gateway: text('ID of the gateway that received the message'),
            at: time('Time at which the gateway received the message'),
            strength: number('Received signal strength', { unit: 'dBm' }),
          },
          { noise: number('SNR', { unit: 'dB' }), battery: number('', { unit: '%' }) },
        ),
      ),
    },
    {},
    { title: 'Rows' },
  ),
  right: {
    'rows[].device': 'end_device_ids.device_id',
    'rows[].gateway': 'uplink_message.rx_metadata[].gateway_ids.gateway_id',
    'rows[].at': 'uplink_message.rx_metadata[].time',
    'rows[].strength': 'uplink_message.rx_metadata[].rssi',
    'rows[].noise': 'uplink_message.rx_metadata[].snr',
  },
  expects: 'mapping',
  example: {
    payload: {
      end_device_ids: { device_id: 'dev1', dev_eui: '0004A30B001C0530' },
      received_at: '2020-02-12T15:15:46Z',
      uplink_message: {
        rx_metadata: [
          { gateway_ids: { gateway_id: 'gtw1' }, time: '2020-02-12T15:15:45Z', rssi: -35, snr: 5.2 },
          { gateway_ids: { gateway_id: 'gtw2' }, time: '2020-02-12T15:15:44Z', rssi: -91 },
        ],
        f_cnt: 1,
      },
    },
    result: {
      rows: [
        { device: 'dev1', gateway: 'gtw1', at: '2020-02-12T15:15:45Z', strength: -35, noise: 5.2 },
        { device: 'dev1', gateway: 'gtw2', at: '2020-02-12T15:15:44Z', strength: -91 },
      ],
    },
  },
};

const celsius = (description: string, more = {}) => number(description, { unit: 'Cel', ...more });

/** Temperatures of five kinds, in one unit. */
const weather: Pair = {
  name: 'Weather forecast to heating plan',
  source: object(
    {
      city: object({
        id: integer(),
        name: text('City name'),
        sunrise: time('Sunrise time'),
        sunset: time('Sunset time'),
      }),
      list: list(
        object(
          {
            dt: time('Time of data forecasted'),
            main: object({
              temp: celsius('Temperature', is('schema:temperature')),
              feels_like: celsius('This accounts for the human perception of weather'),
              temp_min: celsius(
                'Minimum temperature at the moment of calculation',
                is('schema:minTemperature'),
              ),
              temp_max: celsius(
                'Maximum temperature at the moment of calculation',
                is('schema:maxTemperature'),
              ),
              humidity: number('Humidity', { minimum: 0, maximum: 100, unit: '%' }),
            }),
          },
          { pop: number('Probability of precipitation', { minimum: 0, maximum: 1 }) },
        ),
      ),
    },
    {},
    { title: 'Forecast' },
  ),
  target: object(
    {
      steps: list(
        object(
          {
            when: time('Time of the forecast'),
            coldest: celsius('Minimum temperature', is('schema:minTemperature')),
          },
          {
            warmest: celsius('Maximum temperature', is('schema:maxTemperature')),
            setpoint: celsius('To be held inside'),
          },
        ),
      ),
    },
    { place: text('Name of the city'), dusk: time('When the sun sets') },
    { title: 'Heating plan' },
  ),
  right: {
    'steps[].when': 'list[].dt',
    'steps[].coldest': 'list[].main.temp_min',
    'steps[].warmest': 'list[].main.temp_max',
    place: 'city.name',
    dusk: 'city.sunset',
  },
  expects: 'mapping',
  example: {
    payload: {
      city: { id: 3_163_858, name: 'Zocca', sunrise: '2024-08-30T04:36:27Z', sunset: '2024-08-30T17:57:28Z' },
      list: [
        {
          dt: '2024-08-30T15:00:00Z',
          main: { temp: 23.5, feels_like: 23.9, temp_min: 21.4, temp_max: 24.9, humidity: 69 },
        },
      ],
    },
    result: {
      steps: [{ when: '2024-08-30T15:00:00Z', coldest: 21.4, warmest: 24.9 }],
      place: 'Zocca',
      dusk: '2024-08-30T17:57:28Z',
    },
  },
};

/** A register says how much, and not of what: it may count kilowatt-hours, or pulses. */
const meter: Pair = {
  name: 'Energy meter reading to consumption record',
  source: object(
    {
      meter: text('Serial number of the meter'),
      at: time('When the meter was read'),
      register: number('Reading of the register for energy consumed', { minimum: 0 }),
    },
    {
      tariff: integer('Tariff that was in force', { minimum: 1 }),
      quality: choice(['measured', 'estimated'], 'How it was got'),
    },
    { title: 'Meter reading' },
  ),
  target: object(
    {
      device: text('Serial number of the meter'),
      time: time('When the meter was read'),
      energy: number('Energy consumed, as the register of the meter reads', { minimum: 0, unit: 'kWh' }),
    },
    {
      tariff: integer('Tariff in force', { minimum: 1 }),
      cost: number('', { minimum: 0, unit: 'EUR' }),
    },
    { title: 'Consumption record' },
  ),
  right: { device: 'meter', time: 'at', tariff: 'tariff' },
  expects: 'ambiguous',
};

export const sensing: readonly Pair[] = [bloodPressure, study, uplink, weather, meter];
