import type { Pair } from './pair.ts';
import { choice, date, dateTime, email, flag, integer, is, list, number, object, text } from './schemas.ts';

const title: Pair = {
  name: 'title of address to title of a post',
  source: object(
    {
      surname: text('Family name'),
      title: is('schema:honorificPrefix', text('Courtesy or academic title, such as Dr or Prof')),
    },
    { title: 'Guest' },
  ),
  target: object(
    {
      surname: text('Family name'),
      title: is('schema:jobTitle', text('Post that the person holds, such as head of sales')),
    },
    { title: 'Badge' },
  ),
  right: { surname: 'surname' },
  expects: 'none',
};

const ids: Pair = {
  name: 'id of a shipment to id of an order',
  source: object(
    {
      id: text('Identifier of the shipment'),
      warehouseId: text('Identifier of the warehouse that it leaves from'),
      shippedAt: dateTime('When it left'),
    },
    { title: 'Shipment' },
  ),
  target: object(
    { id: text('Identifier of the order'), shippedAt: dateTime('When the goods left') },
    { title: 'Order update' },
  ),
  right: { shippedAt: 'shippedAt' },
  expects: 'none',
};

const sameTermElsewhere: Pair = {
  name: 'identifier of a customer to identifier of an account, with one general term',
  source: object(
    {
      identifier: is('schema:identifier', text('Identifier of the customer in the shop')),
      email: is('schema:email', email('Mail address')),
    },
    { title: 'Customer', concepts: ['schema:Person'] },
  ),
  target: object(
    {
      identifier: is('schema:identifier', text('Identifier of the bank account to debit')),
      email: is('schema:email', email('Where the notice of the debit goes')),
    },
    { title: 'Debit', concepts: ['schema:BankAccount'] },
  ),
  right: { email: 'email' },
  expects: 'none',
};

const addresses: Pair = {
  name: 'postal address to mail address',
  source: object(
    { name: text('Name of the member'), address: text('Postal address in one line') },
    { title: 'Member' },
  ),
  target: object(
    { name: text('Name of the member'), address: email('Mail address of the member') },
    { title: 'Mailing list entry' },
  ),
  right: { name: 'name' },
  expects: 'none',
};

const optOut: Pair = {
  name: 'objection to a newsletter to consent to it',
  source: object(
    {
      member: text('Number of the member'),
      newsletter: flag('The member does not want to get the newsletter'),
    },
    { title: 'Objection' },
  ),
  target: object(
    { member: text('Number of the member'), newsletter: flag('The member wants to get the newsletter') },
    { title: 'Consent' },
  ),
  right: { member: 'member' },
  expects: 'none',
};

const discount: Pair = {
  name: 'price before the discount to price after it',
  source: object(
    {
      offer: text('Number of the offer'),
      price: number('Price before the discount, in euros', { minimum: 0 }),
      'percent?': number('Discount in percent', { minimum: 0, maximum: 100 }),
    },
    { title: 'Offer' },
  ),
  target: object(
    {
      offer: text('Number of the offer'),
      price: number('Price after the discount, in euros', { minimum: 0 }),
    },
    { title: 'Checkout' },
  ),
  right: { offer: 'offer' },
  expects: 'none',
};

const overlap: Pair = {
  name: 'priorities of which some are not known to the target',
  prefixes: { task: 'https://vocabulary.example/task#' },
  source: object(
    {
      task: text('What is to be done'),
      priority: is('task:priority', choice(['low', 'normal', 'high', 'urgent'], 'Priority of the task')),
    },
    { title: 'Task' },
  ),
  target: object(
    {
      task: text('What is to be done'),
      priority: is('task:priority', choice(['low', 'medium', 'high'], 'Priority of the task')),
      'estimate?': integer('How many hours it may take', { minimum: 0 }),
    },
    { title: 'Card' },
  ),
  right: { task: 'task' },
  expects: 'ambiguous',
};

const undescribed: Pair = {
  name: 'two fields that share a name and of which nothing is said',
  source: object(
    { reference: text(), note: text(), total: number('Sum of the claim in euros') },
    { title: 'Claim' },
  ),
  target: object({ reference: text(), amount: number('Sum of the claim in euros') }, { title: 'Case' }),
  right: { amount: 'total' },
  expects: 'ambiguous',
};

const emergency: Pair = {
  name: 'telephone numbers of a pupil to the one to call first',
  source: object(
    {
      pupil: text('Name of the pupil'),
      phones: list(
        is('schema:telephone', text('Telephone number')),
        'Telephone numbers at which somebody answers',
        { minItems: 1 },
      ),
    },
    { title: 'Pupil' },
  ),
  target: object(
    {
      pupil: text('Name of the pupil'),
      phone: is('schema:telephone', text('Telephone number at which somebody answers')),
    },
    { title: 'Emergency card' },
  ),
  right: { pupil: 'pupil' },
  expects: 'ambiguous',
};

const swapped: Pair = {
  name: 'stay whose field names are those of the target, crosswise',
  source: object(
    {
      from: date('Day on which the stay ends'),
      to: date('Day on which the stay begins'),
      name: text('Number of the room'),
      room: text('Name of the guest'),
    },
    { title: 'Stay' },
  ),
  target: object(
    {
      from: date('Day on which the stay begins'),
      to: date('Day on which the stay ends'),
      name: text('Name of the guest'),
      room: text('Number of the room'),
    },
    { title: 'Reservation' },
  ),
  right: { from: 'to', to: 'from', name: 'room', room: 'name' },
  expects: 'mapping',
  example: {
    payload: { from: '2026-03-05', to: '2026-03-01', name: '12', room: 'Ana' },
    result: { from: '2026-03-01', to: '2026-03-05', name: 'Ana', room: '12' },
  },
};

const types: Pair = {
  name: 'quantity in words to quantity as a number',
  source: object(
    { article: text('Number of the article'), quantity: text('Ordered quantity, as the customer wrote it') },
    { title: 'Fax' },
  ),
  target: object(
    { article: text('Number of the article'), quantity: integer('Ordered quantity', { minimum: 1 }) },
    { title: 'Order line' },
  ),
  right: { article: 'article' },
  expects: 'none',
};

const authors: Pair = {
  name: 'author and reviewer of a change to the one who must be told',
  source: object(
    {
      change: integer('Number of the change'),
      author: object({ email: is('schema:email', email('Mail address of the author')) }),
      reviewer: object({ email: is('schema:email', email('Mail address of the reviewer')) }),
    },
    { title: 'Change' },
  ),
  target: object(
    {
      change: integer('Number of the change'),
      email: is('schema:email', email('Mail address to which the notice goes')),
    },
    { title: 'Notice' },
  ),
  right: { change: 'change' },
  expects: 'ambiguous',
};

export const traps: readonly Pair[] = [
  title,
  ids,
  sameTermElsewhere,
  addresses,
  optOut,
  discount,
  overlap,
  undescribed,
  emergency,
  swapped,
  types,
  authors,
];
