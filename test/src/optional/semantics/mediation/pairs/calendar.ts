import type { Pair } from './pair.ts';
import { choice, date, dateTime, email, flag, integer, is, list, object, text, uri } from './schemas.ts';

const googleEvent = object(
  {
    id: text('Opaque identifier of the event'),
    'htmlLink?': uri('An absolute link to this event in the web interface'),
    'created?': dateTime('Creation time of the event'),
    'updated?': dateTime('Last modification time of the main event data'),
    summary: is('schema:name', text('Title of the event')),
    'description?': text('Description of the event; can contain HTML'),
    'location?': text('Geographic location of the event as free-form text'),
    organizer: object({
      email: email('The organizer’s email address'),
      'displayName?': text('The organizer’s name'),
    }),
    start: object({
      dateTime: is('schema:startDate', dateTime('The time at which the event starts')),
      'timeZone?': text(),
    }),
    end: object({
      dateTime: is('schema:endDate', dateTime('The time at which the event ends')),
      'timeZone?': text(),
    }),
    attendees: list(
      object({
        email: email('The attendee’s email address'),
        'displayName?': text('The attendee’s name'),
        'responseStatus?': choice(
          ['needsAction', 'declined', 'tentative', 'accepted'],
          'The attendee’s response',
        ),
        'optional?': flag('Whether this is an optional attendee'),
      }),
      'The attendees of the event',
    ),
  },
  { title: 'Event' },
);

const graphAddress = (whose: string) =>
  object({
    address: email(`The email address of the ${whose}`),
    'name?': text(`The display name of the ${whose}`),
  });

const graph: Pair = {
  name: 'Google Calendar event to Microsoft Graph event',
  source: googleEvent,
  target: object(
    {
      subject: text('The text of the event’s subject line, its title'),
      'body?': object({ content: text('The description that is associated with the event') }),
      start: object({ dateTime: dateTime('The date and time at which the event starts') }),
      end: object({ dateTime: dateTime('The date and time at which the event ends') }),
      'location?': object({ displayName: text('The location of the event') }),
      'organizer?': object({ emailAddress: graphAddress('organizer') }),
      attendees: list(object({ emailAddress: graphAddress('attendee') }), 'The collection of attendees'),
      'importance?': choice(['low', 'normal', 'high'], 'The importance of the event'),
      'transactionId?': text('A custom identifier that the client app gives, to avoid redundant posts'),
    },
    { title: 'event' },
  ),
  right: {
    subject: 'summary',
    'body.content': 'description',
    'start.dateTime': 'start.dateTime',
    'end.dateTime': 'end.dateTime',
    'location.displayName': 'location',
    'organizer.emailAddress.address': 'organizer.email',
    'organizer.emailAddress.name': 'organizer.displayName',
    'attendees[].emailAddress.address': 'attendees[].email',
    'attendees[].emailAddress.name': 'attendees[].displayName',
  },
  expects: 'mapping',
  example: {
    payload: {
      id: 'e1',
      created: '2026-01-01T00:00:00Z',
      summary: 'Review',
      location: 'Room 4',
      organizer: { email: 'boss@firm.example' },
      start: { dateTime: '2026-01-09T10:00:00Z' },
      end: { dateTime: '2026-01-09T11:00:00Z' },
      attendees: [{ email: 'ana@firm.example', displayName: 'Ana' }, { email: 'ben@firm.example' }],
    },
    result: {
      subject: 'Review',
      start: { dateTime: '2026-01-09T10:00:00Z' },
      end: { dateTime: '2026-01-09T11:00:00Z' },
      location: { displayName: 'Room 4' },
      organizer: { emailAddress: { address: 'boss@firm.example' } },
      attendees: [
        { emailAddress: { address: 'ana@firm.example', name: 'Ana' } },
        { emailAddress: { address: 'ben@firm.example' } },
      ],
    },
  },
};

const icalendar: Pair = {
  name: 'iCalendar component to schema.org Event, in terms of two vocabularies',
  prefixes: { ical: 'http://www.w3.org/2002/12/cal/ical#' },
  source: object(
    {
      uid: is('ical:uid', text('Persistent, globally unique identifier for the calendar component')),
      dtstamp: is('ical:dtstamp', dateTime('When this instance of the calendar component was created')),
      dtstart: is('ical:dtstart', dateTime('When the calendar component begins')),
      'dtend?': is('ical:dtend', dateTime('When the calendar component ends')),
      summary: is('ical:summary', text('Short summary or subject')),
      'url?': is('ical:url', uri()),
      'sequence?': is('ical:sequence', integer('Revision number', { minimum: 0 })),
    },
    { title: 'VEVENT' },
  ),
  target: object(
    {
      name: is('schema:name', text('Short subject of the event')),
      startDate: is('schema:startDate', dateTime('When the event begins')),
      'endDate?': is('schema:endDate', dateTime('When the event ends')),
      'identifier?': is('schema:identifier', text('Globally unique identifier of the event')),
      'doorTime?': is('schema:doorTime', dateTime('When admission will commence')),
    },
    { title: 'Event', concepts: ['schema:Event'] },
  ),
  right: { name: 'summary', startDate: 'dtstart', endDate: 'dtend', identifier: 'uid' },
  expects: 'mapping',
  example: {
    payload: {
      uid: 'u1@cal.example',
      dtstamp: '2026-02-01T09:00:00Z',
      dtstart: '2026-03-01T18:00:00Z',
      summary: 'Concert',
    },
    result: { name: 'Concert', startDate: '2026-03-01T18:00:00Z', identifier: 'u1@cal.example' },
  },
};

const zipped: Pair = {
  name: 'names and addresses in two arrays to invitees that have both',
  source: object(
    {
      topic: text('What the meeting is about'),
      participants: list(text('Display name of a person who takes part')),
      mailboxes: list(email('Address to which the invitation is sent')),
    },
    { title: 'Room booking' },
  ),
  target: object(
    {
      topic: text('What the meeting is about'),
      invitees: list(
        object({
          name: text('Display name of the person who takes part'),
          email: email('Address to which the invitation is sent'),
        }),
      ),
    },
    { title: 'Invite' },
  ),
  right: { topic: 'topic' },
  expects: 'ambiguous',
};

const lastDay: Pair = {
  name: 'coupon with a last day to campaign with a first one',
  source: object(
    {
      code: text('Code that the customer enters'),
      valid: is('schema:validThrough', date('Last day on which the coupon is valid')),
      'maxUses?': integer('How often it can be used', { minimum: 1 }),
    },
    { title: 'Coupon' },
  ),
  target: object(
    {
      couponCode: text('Code that the customer enters'),
      valid: date('First day on which the coupon is valid'),
    },
    { title: 'Campaign' },
  ),
  right: { couponCode: 'code' },
  expects: 'none',
};

const window: Pair = {
  name: 'certificate to maintenance window, by what comes before and after',
  source: object(
    {
      serialNumber: text('Number that the issuer gave the certificate'),
      notBefore: dateTime('The certificate must not be used before this time'),
      notAfter: dateTime('The certificate must not be used after this time'),
      'subject?': text('Whom the certificate identifies'),
    },
    { title: 'Certificate' },
  ),
  target: object(
    {
      serial: text('Number of the certificate, given by its issuer'),
      renewUntil: dateTime('The certificate cannot be used after this time, and is to be renewed until then'),
      'owner?': text('Who of the staff renews it'),
    },
    { title: 'Renewal' },
  ),
  right: { serial: 'serialNumber', renewUntil: 'notAfter' },
  expects: 'mapping',
  example: {
    payload: { serialNumber: '4F', notBefore: '2026-01-01T00:00:00Z', notAfter: '2027-01-01T00:00:00Z' },
    result: { serial: '4F', renewUntil: '2027-01-01T00:00:00Z' },
  },
};

export const calendar: readonly Pair[] = [graph, icalendar, zipped, lastDay, window];
