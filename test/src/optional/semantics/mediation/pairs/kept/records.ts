import type { Pair } from '../pair.ts';
import { choice, day, integer, is, link, list, mail, number, object, tagged, text, time } from './shape.ts';

const attendee = (description: string) =>
  object({ email: mail('Email address') }, { displayName: text('Name, if available') }, { description });

/** An assistant creates what a director organizes: who answers for the room is for them to say. */
const booking: Pair = {
  name: 'Google Calendar event to room booking',
  source: object(
    {
      id: text('Opaque identifier of the event'),
      iCalUID: text('Event unique identifier as defined in RFC 5545'),
      summary: text('Title of the event'),
      creator: attendee('The creator of the event'),
      organizer: attendee('The organizer of the event'),
      start: object({ dateTime: time('The time at which the event starts') }, { timeZone: text() }),
      end: object({ dateTime: time('The time at which the event ends') }, { timeZone: text() }),
    },
    { location: text('Geographic location of the event'), htmlLink: link('An absolute link to this event') },
    { title: 'Event' },
  ),
  target: object(
    {
      purpose: text('Title of the event that the room is booked for'),
      free: time('Time at which the event ends'),
      taken: time('Time at which the event starts'),
      responsible: mail('Email address of the person who answers for the room'),
    },
    { seats: integer('How many chairs are needed', { minimum: 1 }) },
    { title: 'Room booking' },
  ),
  right: { purpose: 'summary', free: 'end.dateTime', taken: 'start.dateTime' },
  expects: 'ambiguous',
};

/** One concept in two units, that only the molar mass of glucose brings together. */
const glucose: Pair = {
  name: 'Laboratory result to diabetes diary',
  prefixes: { sct: 'http://snomed.info/id/' },
  source: object(
    {
      specimen: text('Identifier of the specimen', tagged('sct:123038009')),
      collected: time('When the specimen was collected', tagged('sct:399445004')),
      glucose: number('Glucose in the blood', { ...tagged('sct:33747003'), minimum: 0, unit: 'mg/dL' }),
    },
    { reported: time('When the result was reported'), laboratory: text('Name of the laboratory') },
    { title: 'Laboratory result' },
  ),
  target: object(
    {
      taken: time('When the specimen was collected', tagged('sct:399445004')),
      sugar: number('Glucose in the blood', { ...tagged('sct:33747003'), minimum: 0, unit: 'mmol/L' }),
    },
    { meal: choice(['before', 'after'], 'Before or after a meal') },
    { title: 'Diary entry' },
  ),
  right: { taken: 'collected' },
  expects: 'none',
};

/** Four of five stars are not four of ten points. */
const rating: Pair = {
  name: 'Place rating to hotel score',
  source: object(
    {
      displayName: text('The localized name of the place', tagged('schema:name')),
      rating: number('A rating between 1.0 and 5.0', {
        ...tagged('schema:ratingValue'),
        minimum: 1,
        maximum: 5,
      }),
      userRatingCount: integer('The total number of reviews', {
        ...tagged('schema:reviewCount'),
        minimum: 0,
      }),
    },
    { googleMapsUri: link('More information about this place') },
    { title: 'Place' },
  ),
  target: object(
    {
      hotel: text('Name of the hotel', tagged('schema:name')),
      score: number('Score between 0 and 10 points, ten being best', {
        ...tagged('schema:ratingValue'),
        minimum: 0,
        maximum: 10,
      }),
    },
    { reviews: integer('How many reviews there are', { ...tagged('schema:reviewCount'), minimum: 0 }) },
    { title: 'Hotel score' },
  ),
  right: { hotel: 'displayName', reviews: 'userRatingCount' },
  expects: 'none',
};

/** A person has addresses, and the form has room for one. */
const people: Pair = {
  name: 'Google People person to newsletter subscriber',
  source: object(
    {
      resourceName: text('The resource name for the person', tagged('schema:identifier')),
      names: object(
        { familyName: text('The family name', tagged('schema:familyName')) },
        { givenName: text('The given name', tagged('schema:givenName')) },
      ),
      emailAddresses: list(
        object(
          { value: mail('The email address', tagged('schema:email')) },
          { type: text('The type of the address') },
        ),
        'The email addresses of the person',
        { minItems: 1 },
      ),
    },
    { birthday: day('The birthday', tagged('schema:birthDate')) },
    { title: 'Person', concepts: ['schema:Person'] },
  ),
  target: object(
    { email: mail('Address that the letter is sent to', tagged('schema:email')) },
    {
      lastName: text('Family name', tagged('schema:familyName')),
      firstName: text('', tagged('schema:givenName')),
      consent: time('When the subscriber agreed'),
    },
    { title: 'Subscriber', concepts: ['schema:Person'] },
  ),
  right: { lastName: 'names.familyName', firstName: 'names.givenName' },
  expects: 'ambiguous',
};

/** A company is registered under one name and trades under another; both are its name. */
const vendor: Pair = {
  name: 'Company register to vendor master',
  source: object(
    {
      number: text('Number in the register', { ...is('schema:identifier'), pattern: '^[A-Z0-9]{8}$' }),
      registered: text('Name under which it is registered', is('schema:name')),
      trading: text('Name under which it trades', is('schema:name')),
      vat: text('', is('schema:vatID')),
    },
    {
      incorporated: day('Day on which it was incorporated', is('schema:foundingDate')),
      dissolved: day('Day on which it was dissolved', is('schema:dissolutionDate')),
    },
    { title: 'Company', concepts: ['schema:Organization'] },
  ),
  target: object(
    {
      name: text('Name of the vendor', is('schema:name')),
      taxNumber: text('Number under which it pays value added tax', is('schema:vatID')),
    },
    {
      since: day('When it was founded', is('schema:foundingDate')),
      iban: text('Account that invoices are paid to'),
    },
    { title: 'Vendor', concepts: ['schema:Organization'] },
  ),
  right: { taxNumber: 'vat', since: 'incorporated' },
  expects: 'ambiguous',
};

/** What a house took from the grid is not what it gave to it. */
const feedIn: Pair = {
  name: 'Smart meter message to feed-in statement',
  prefixes: { cim: 'http://iec.ch/TC57/CIM100#' },
  source: object(
    {
      mRID: text('Master resource identifier of the meter', is('cim:IdentifiedObject.mRID')),
      timeStamp: time('When the reading was taken', is('cim:BaseReading.timeStamp')),
      forward: number('Active energy delivered to the customer', {
        ...is('cim:forward'),
        minimum: 0,
        unit: 'kWh',
      }),
    },
    { demand: number('Power drawn', { ...is('cim:demand'), minimum: 0, unit: 'kW' }) },
    { title: 'Meter reading' },
  ),
  target: object(
    {
      meter: text('Identifier of the meter', is('cim:IdentifiedObject.mRID')),
      fed: number('Active energy delivered by the customer', {
        ...is('cim:reverse'),
        minimum: 0,
        unit: 'kWh',
      }),
    },
    { at: time('', is('cim:BaseReading.timeStamp')), price: number('What is paid for it', { unit: 'EUR' }) },
    { title: 'Feed-in statement' },
  ),
  right: { meter: 'mRID', at: 'timeStamp' },
  expects: 'none',
};

export const records: readonly Pair[] = [booking, glucose, rating, people, vendor, feedIn];
