import type { UpContext } from '../../../../../schema/index.ts';

export type Fields = NonNullable<UpContext['fields']>;

/** The paper's source and target: UpFormat 3.1, 3.2. */
export const email: Fields = { 'candidates[].email': 'contact address' };
export const recipients: Fields = { 'recipients[]': 'email addresses' };

type Misleading = readonly [name: string, source: Fields, target: Fields];

/** One field of a list, in place of the paper's. */
const from = (name: string, description: string): Fields => ({ [`people[].${name}`]: description });

/** Sources of which none holds what the mail tool takes. */
const sources: readonly (readonly [string, Fields])[] = [
  ['two addresses', { ...from('workEmail', 'work email'), ...from('privateEmail', 'private email') }],
  ['two addresses, in full', { ...from('a', 'work email address'), ...from('b', 'private email address') }],
  ['a second mailbox', { ...from('email', 'contact address'), ...from('backup', 'second mailbox') }],
  ['one for all but one', { ...from('email', 'contact address'), ...from('agent', 'e-mail of the agent') }],
  ['a work address', from('email', 'work email')],
  ['a former address', from('email', 'former address')],
  ['an address of another person', from('email', 'address of the referee')],
  ['a sender, by name', from('sender', 'email address')],
  ['a sender, by description', from('email', 'sender address')],
  ['senders', { 'senders[].email': 'contact address' }],
  ['a sender who holds it', { 'from.email': 'contact address' }],
  ['blocked people', { 'blocked[].email': 'contact address' }],
  ['people who want no mail', { 'unsubscribed[].email': 'email address' }],
  ['consent', from('email', 'consent to be contacted')],
  ['consent to an address', from('email', 'consent to be contacted at this address')],
  ['consent, by term', { 'p[].email': { description: 'contact address', predicate: 'ex:emailConsent' } }],
  [
    'a telephone, by term',
    { 'p[].email': { description: 'contact address', concepts: ['schema:telephone'] } },
  ],
  ['a number, by unit', { 'p[].email': { description: 'contact address', unit: 'one' } }],
  ['whether there is one', from('email', 'has an email address')],
  ['whether it is one', from('email', 'whether the address is an email address')],
  ['whether it was verified', from('emailVerified', 'whether the address was verified')],
  ['whether it was verified, by name', from('emailVerified', 'email address')],
  ['a count of mails', from('emails', 'emails sent')],
  ['a count of addresses', from('emails', 'number of email addresses')],
  ['a count, by name', from('emailCount', 'email addresses')],
  ['a status', from('email', 'contact address status')],
  ['a denial', from('email', 'no address')],
  ['a message', from('email', 'text of the mail')],
  ['a template', from('email', 'email template of the address')],
  ['a person', from('email', 'contact for the email address')],
  ['a postal address', from('mail', 'postal address')],
  ['any address', from('address', 'contact address')],
  ['a telephone', from('phone', 'contact address')],
  ['an address of a network', from('ip', 'address')],
  ['a web address', from('web', 'web address')],
  ['a part of each', from('referee.email', 'contact address')],
  ['the address of another thing', { ...from('name', 'full name'), 'clerk.email': 'contact address' }],
  ['the address of the whole', { ...from('name', 'full name'), email: 'contact address' }],
  ['the first of a list', { 'people[0].email': 'contact address' }],
  ['a list in a list', { 'groups[].people[].email': 'contact address' }],
  ['another language', from('email', 'Kontaktadresse')],
];

/** Targets that take something else than the paper's source has. */
const targets: readonly (readonly [string, Fields])[] = [
  ['a sender', { sender: 'email address' }],
  ['senders', { 'senders[]': 'email addresses' }],
  ['where it comes from', { 'from[]': 'email addresses' }],
  ['where to answer', { 'replyTo[]': 'email addresses' }],
  ['hidden copies', { 'bcc[]': 'email addresses' }],
  ['whom to block', { 'blocked[]': 'email addresses' }],
  ['whom to remove', { 'unsubscribe[]': 'email addresses' }],
  ['whom to remove, by description', { 'recipients[]': 'email addresses to remove' }],
  ['addresses of others', { 'recipients[]': 'email addresses of the managers' }],
  ['postal addresses', { 'recipients[]': 'postal addresses' }],
  ['any addresses', { 'recipients[]': 'addresses' }],
  ['messages', { 'recipients[]': 'emails' }],
  ['two lists', { ...recipients, 'copies[]': 'email addresses of those who get a copy' }],
  ['the first only', { recipient: 'email address' }],
  ['a fixed position', { 'recipients[0]': 'email address' }],
];

/** Pairs without schemas that are made to mislead: a person would sign none of them. */
export const misleading: readonly Misleading[] = [
  ...sources.map(([name, source]) => [`from ${name}`, source, recipients] as const),
  ...targets.map(([name, target]) => [`to ${name}`, email, target] as const),
  ['a sender to a recipient', { sender: 'email address' }, { recipient: 'email address' }],
  ['one address to a sender', { email: 'contact address' }, { sender: 'email address' }],
  ['one address to those who want none', { email: 'email address' }, { 'unsubscribe[]': 'email addresses' }],
  [
    'a result and its image to links',
    { 'results[].url': 'web address', 'results[].image': 'image link' },
    { 'links[]': 'web URLs' },
  ],
  ['a status to links', { 'results[].urlStatus': 'web address' }, { 'links[]': 'web addresses' }],
  ['a result to a callback', { 'results[].url': 'web address' }, { callback: 'web URL' }],
  ['a web address to email addresses', { 'results[].url': 'web address' }, recipients],
];
