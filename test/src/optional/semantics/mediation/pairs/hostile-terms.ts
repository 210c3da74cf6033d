import { trap } from './hostile-pair.ts';
import type { Pair } from './pair.ts';
import { by, choice, date, email, flag, integer, is, list, number, object, text } from './schemas.ts';

const held = (description: string, term: string) =>
  object({ value: by(term, text('How to reach them')) }, { description });

/** Terms of ontologies that say what sort of thing a value is, and not whose, or which. */
const terms: readonly Pair[] = [
  trap(
    'telephone of the mother to telephone of the father, in one term',
    ['Birth', { phone: by('schema:telephone', text('Telephone number of the mother')) }],
    ['Custody', { phone: by('schema:telephone', text('Telephone number of the father')) }],
  ),
  trap(
    'email of the tenant to email of the landlord, in one term',
    ['Lease', { tenant: held('The tenant', 'schema:email') }],
    ['Repair', { landlord: held('The landlord', 'schema:email') }],
  ),
  trap(
    'author to translator, of whom both are persons',
    ['Book', { author: is('schema:Person', text('Author')) }],
    ['Fee', { translator: is('schema:Person', text('Translator')) }],
  ),
  trap(
    'day of order to day of delivery, which are dates',
    ['Order', { ordered: is('schema:Date', date('Day of the order')) }],
    ['Delivery', { arrived: is('schema:Date', date('Day of the delivery')) }],
  ),
  trap(
    'shipping cost to insured value, which are amounts of money',
    ['Order', { shipping: is('schema:MonetaryAmount', number('Cost of shipping')) }],
    ['Parcel', { insured: is('schema:MonetaryAmount', number('Insured value')) }],
  ),
  trap(
    'begin of the employment to begin of the event',
    ['Employee', { start: by('schema:startDate', date('First day of the employment')) }],
    ['Concert', { start: by('schema:startDate', date('Day of the concert')) }],
  ),
  trap(
    'label of a product to label of a shop',
    ['Product', { label: by('http://www.w3.org/2000/01/rdf-schema#label', text('Product label')) }],
    ['Shop', { label: by('http://www.w3.org/2000/01/rdf-schema#label', text('Name of the shop')) }],
  ),
  trap(
    'title of a book to title of a series, in old Dublin Core',
    ['Book', { title: by('http://purl.org/dc/elements/1.1/title', text('Title of the book')) }],
    ['Series', { title: by('http://purl.org/dc/elements/1.1/title', text('Title of the series')) }],
  ),
  trap(
    'colour of the car to colour of the seats',
    ['Car', { colour: by('schema:color', text('Colour of the body')) }],
    ['Upholstery', { colour: by('schema:color', text('Colour of the seats')) }],
  ),
  trap(
    'price before the discount to price after it, in one term',
    ['Offer', { price: by('schema:price', number('Price before the discount')) }],
    ['Checkout', { price: by('schema:price', number('Price after the reduction')) }],
  ),
  trap(
    'creation of the account to creation of the report',
    ['Account', { at: by('dcterms:created', date('Day on which the account was opened')) }],
    ['Report', { at: by('dcterms:created', date('Day on which the report was printed')) }],
  ),
  trap(
    'quantity in stock to quantity in the basket',
    ['Stock', { count: by('schema:amount', integer('Pieces in stock')) }],
    ['Basket', { count: by('schema:amount', integer('Pieces in the basket')) }],
  ),
];

const consent = 'Whether the person agrees to the terms';

/** What a target takes alone is put there, whatever the source says. */
const constants: readonly Pair[] = [
  trap(
    'price in dollars to price in euros, of which both say so in another field',
    ['Offer', { price: number('Price'), currency: choice(['USD'], 'Currency of the price') }],
    ['Quote', { price: number('Price'), currency: choice(['EUR'], 'Currency of the price') }],
  ),
  trap(
    'price in some currency to price in euros',
    ['Offer', { price: number('Price'), currency: text('Currency of the price') }],
    ['Quote', { price: number('Price'), currency: choice(['EUR'], 'Currency of the price') }],
    { expects: 'ambiguous' },
  ),
  trap(
    'consent that may be refused to consent that is given',
    ['Sign-up', { name: 'Full name', agrees: flag(consent) }],
    ['Subscription', { name: 'Full name', agrees: flag(consent, { const: true }) }],
    { right: { name: 'name' }, expects: 'ambiguous' },
  ),
  trap(
    'person of whom nobody said that they agreed to a subscriber who did',
    ['Visitor', { name: 'Full name' }],
    ['Subscription', { name: 'Full name', agrees: flag(consent, { const: true }) }],
    { right: { name: 'name' } },
  ),
  trap(
    'invoice that may be unpaid to receipt of a paid one',
    ['Invoice', { no: 'Invoice number', status: choice(['open', 'paid'], 'Status of the invoice') }],
    ['Receipt', { no: 'Invoice number', status: choice(['paid'], 'Status of the invoice') }],
    { right: { no: 'no' }, expects: 'ambiguous' },
  ),
  trap(
    'metres to feet, of which another field says so',
    ['Room', { height: number('Height'), unit: choice(['m'], 'Unit of the height') }],
    ['Lift', { height: number('Height'), unit: choice(['ft'], 'Unit of the height') }],
  ),
];

const unit = (of: string, type: string | readonly string[]) => ({ type, unit: of, description: 'Height' });

/** Values of which some, or all, cannot stand where they are put. */
const fits: readonly Pair[] = [
  trap(
    'centimetres that may be a text to metres',
    ['A', { a: unit('cm', ['number', 'string']) }],
    ['B', { b: unit('m', ['number', 'string']) }],
  ),
  trap(
    'centimetres as a number to metres as a text',
    ['A', { a: unit('cm', 'number') }],
    ['B', { b: unit('m', 'string') }],
  ),
  trap(
    'centimetres as a text to metres as a text',
    ['A', { a: unit('cm', 'string') }],
    ['B', { b: unit('m', 'string') }],
  ),
  trap(
    'share in percent to share of one',
    ['A', { a: number('Share of votes', { minimum: 0 }) }],
    ['B', { b: number('Share of votes', { minimum: 0, maximum: 1 }) }],
  ),
  trap(
    'code of two letters to code of three',
    ['A', { a: text('Country code', { pattern: '^[A-Z]{2}$' }) }],
    ['B', { b: text('Country code', { pattern: '^[A-Z]{3}$' }) }],
  ),
  trap(
    'short code to long code, by length',
    ['A', { a: text('Country code', { maxLength: 2 }) }],
    ['B', { b: text('Country code', { minLength: 3 }) }],
  ),
  trap('any number to a whole one', ['A', { a: number('Quantity') }], ['B', { b: integer('Quantity') }], {
    expects: 'ambiguous',
  }),
  trap(
    'number or text to email',
    ['A', { a: text('Contact', { type: ['string', 'number'] }) }],
    ['B', { b: email('Contact', { type: ['string', 'number'] }) }],
    { expects: 'ambiguous' },
  ),
];

const rows = (member: string) => list(object({ name: text(member) }), 'Rows');

/** What is lost on the way through arrays. */
const shapes: readonly Pair[] = [
  trap(
    'authors to editors, each in rows',
    ['Book', { a: rows('Name of the author') }],
    ['Proof', { b: rows('Name') }],
  ),
  trap(
    'places of a tuple that are said to be the other way round',
    [
      'Map',
      { at: { type: 'array', prefixItems: [number('Latitude in degrees, then longitude')], minItems: 1 } },
    ],
    [
      'Pin',
      { at: { type: 'array', prefixItems: [number('Longitude in degrees, then latitude')], minItems: 1 } },
    ],
  ),
  trap(
    'accepted of several to all',
    ['Poll', { options: list(text('Option'), 'Options that were rejected') }],
    ['Plan', { options: list(text('Option'), 'Options that were chosen') }],
  ),
  trap(
    'tags that are forbidden to tags',
    ['Filter', { tags: list(text(), 'Forbidden tags') }],
    ['Post', { tags: list(text(), 'Tags') }],
  ),
  trap(
    'rows of which a value may be missing to columns of which it was the other half',
    [
      'Order',
      {
        lines: list(object({ article: text('Number of the article'), 'count?': integer('How many pieces') })),
      },
    ],
    ['Table', { articles: list(text('Number of the article')), counts: list(integer('How many pieces')) }],
    { right: { 'articles[]': 'lines[].article' }, expects: 'ambiguous' },
  ),
  trap(
    'answer of one to answers of all',
    ['Form', { answer: text('Answer of the group') }],
    ['Survey', { answers: list(text('Answer of the group')) }],
    { expects: 'ambiguous' },
  ),
];

export const hints: readonly Pair[] = [...terms, ...constants, ...fits, ...shapes];
