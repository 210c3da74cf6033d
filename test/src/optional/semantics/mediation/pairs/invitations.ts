import type { Pair } from './pair.ts';
import { date, dateTime, email, flag, integer, is, list, number, object, text, uri } from './schemas.ts';

const recommender = object(
  {
    candidates: list(
      object({
        rank: integer('place in the ranking, 1 being the best', { minimum: 1 }),
        name: text('full name'),
        email: email('contact address'),
        'skills?': list(text()),
        'rate?': number('euros an hour', { minimum: 20, maximum: 200 }),
      }),
      'freelancers, best first',
    ),
  },
  { title: 'Ranked freelancers' },
);

const paper: Pair = {
  name: 'ranked candidates to mail recipients',
  source: recommender,
  target: object(
    {
      recipients: list(email(), 'email addresses'),
      'body?': text('what the mail says', { maxLength: 10_000 }),
    },
    { title: 'An invitation by mail' },
  ),
  right: { 'recipients[]': 'candidates[].email' },
  expects: 'mapping',
  example: {
    payload: {
      candidates: [
        { rank: 1, name: 'Ana', email: 'ana@one.example', rate: 90 },
        { rank: 2, name: 'Ben', email: 'ben@two.example' },
      ],
    },
    result: { recipients: ['ana@one.example', 'ben@two.example'] },
  },
};

const referees: Pair = {
  name: 'candidates with referees to mail recipients',
  source: object(
    {
      candidates: list(
        object({
          name: text('full name'),
          email: email('contact address'),
          referees: list(object({ name: text('full name'), email: email('contact address') })),
        }),
      ),
    },
    { title: 'Shortlist' },
  ),
  target: object({ recipients: list(email(), 'email addresses') }, { title: 'Mail' }),
  right: {},
  expects: 'ambiguous',
};

const noSubject: Pair = {
  name: 'ranked candidates to a mail that must have a subject',
  source: recommender,
  target: object(
    { recipients: list(email(), 'email addresses'), subject: text('what the mail is about, in one line') },
    { title: 'A mail' },
  ),
  right: { 'recipients[]': 'candidates[].email' },
  expects: 'none',
};

const twoAddresses = object(
  {
    fullName: text('First and last name'),
    officeEmail: email('Mailbox at the employer, closed when the person leaves'),
    homeEmail: email('Private mail address of the person'),
    'birthday?': date('Date of birth'),
  },
  { title: 'Staff member' },
);

const subscriber: Pair = {
  name: 'office and private address to newsletter subscriber',
  source: twoAddresses,
  target: object(
    { name: text('First and last name of the subscriber'), email: email('Mail address of the subscriber') },
    { title: 'Subscriber' },
  ),
  right: { name: 'fullName' },
  expects: 'ambiguous',
};

const alumni: Pair = {
  name: 'office and private address to alumni list, which asks for the private one',
  source: twoAddresses,
  target: object(
    {
      name: text('First and last name'),
      email: email('Private mail address, which the person keeps after leaving'),
      'joined?': date('When the person joined the alumni'),
    },
    { title: 'Alumna or alumnus' },
  ),
  right: { name: 'fullName', email: 'homeEmail' },
  expects: 'mapping',
  example: {
    payload: { fullName: 'Ida Moe', officeEmail: 'moe@firm.example', homeEmail: 'ida@moe.example' },
    result: { name: 'Ida Moe', email: 'ida@moe.example' },
  },
};

const foaf: Pair = {
  name: 'FOAF agent to schema.org person, in terms of two vocabularies',
  prefixes: { foaf: 'http://xmlns.com/foaf/0.1/' },
  source: object(
    {
      name: is('foaf:name', text('A name for some thing')),
      mbox: is(
        'foaf:mbox',
        email('A personal mailbox, an internet mailbox associated with exactly one owner'),
      ),
      'homepage?': is('foaf:homepage', uri('A homepage for some thing')),
      'knows?': is('foaf:knows', list(object({ name: is('foaf:name', text('A name for some thing')) }))),
      'made?': is('foaf:made', list(uri('Something that was made by this agent'))),
    },
    { title: 'Agent', concepts: ['foaf:Person'] },
  ),
  target: object(
    {
      name: is('schema:name', text('The name of the person')),
      email: is('schema:email', email('Personal mailbox of the person')),
      'url?': is('schema:url', uri('Homepage of the person')),
      'birthPlace?': is('schema:birthPlace', text('The place where the person was born')),
    },
    { title: 'Person', concepts: ['schema:Person'] },
  ),
  right: { name: 'name', email: 'mbox', url: 'homepage' },
  expects: 'mapping',
  example: {
    payload: { name: 'Libby', mbox: 'libby@mail.example', knows: [{ name: 'Dan' }] },
    result: { name: 'Libby', email: 'libby@mail.example' },
  },
};

const mail: Pair = {
  name: 'mail message to CRM activity',
  source: object(
    {
      messageId: text('Identifier of the message, from its header'),
      from: object({
        name: text(),
        address: is('schema:sender', email('Address of the author of the message')),
      }),
      to: list(
        object({ 'name?': text(), address: is('schema:recipient', email('Address of a primary recipient')) }),
        'To whom the message was sent',
      ),
      'cc?': list(object({ address: email('Address of one who was sent a copy') })),
      subject: text('Topic of the message'),
      sentAt: dateTime('When the message was sent'),
      'readAt?': dateTime('When the message was first opened'),
    },
    { title: 'Message' },
  ),
  target: object(
    {
      sender: is('schema:sender', email('Who wrote')),
      recipients: list(is('schema:recipient', email('Who was written to'))),
      topic: text('Topic of the conversation'),
      occurredAt: dateTime('When it was sent'),
      'isPrivate?': flag('Hidden from colleagues'),
    },
    { title: 'Activity' },
  ),
  right: {
    sender: 'from.address',
    'recipients[]': 'to[].address',
    topic: 'subject',
    occurredAt: 'sentAt',
  },
  expects: 'mapping',
  example: {
    payload: {
      messageId: '<1@mail.example>',
      from: { name: 'Ana', address: 'ana@one.example' },
      to: [{ address: 'ben@two.example' }, { name: 'Cy', address: 'cy@two.example' }],
      cc: [{ address: 'dee@two.example' }],
      subject: 'Offer',
      sentAt: '2026-03-01T08:00:00Z',
    },
    result: {
      sender: 'ana@one.example',
      recipients: ['ben@two.example', 'cy@two.example'],
      topic: 'Offer',
      occurredAt: '2026-03-01T08:00:00Z',
    },
  },
};

export const invitations: readonly Pair[] = [paper, referees, noSubject, subscriber, alumni, foaf, mail];
