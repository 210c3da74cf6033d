import type { Pair } from '../pair.ts';
import {
  choice,
  day,
  flag,
  integer,
  is,
  link,
  list,
  mail,
  number,
  object,
  tagged,
  text,
  time,
} from './shape.ts';

const euros = (description: string, more = {}) => number(description, { minimum: 0, unit: 'EUR', ...more });
const area = (description: string) => number(description, { minimum: 0, unit: 'm2' });

/** A lot is larger than what is lived in, and what is asked is not what was paid. */
const listing: Pair = {
  name: 'Real-estate listing to portal advert',
  source: object(
    {
      ListingId: text('The well-known identifier for the listing'),
      ListPrice: euros('The current price of the property as determined by the seller'),
      LivingArea: area('The total livable area within the structure'),
      LotSizeArea: area('The total area of the lot'),
      BedroomsTotal: integer('The total number of bedrooms in the dwelling', { minimum: 0 }),
      ListAgentFullName: text('The full name of the listing agent'),
    },
    {
      ClosePrice: euros('The amount of money paid by the purchaser to the seller'),
      OriginalListPrice: euros('The original price of the property on the initial agreement'),
      BuyerAgentFullName: text('The full name of the agent who represents the buyer'),
      BathroomsTotalInteger: integer('The number of bathrooms', { minimum: 0 }),
      YearBuilt: integer('The year that an occupancy permit is first granted'),
      PublicRemarks: text('Text that may be displayed publicly'),
    },
    { title: 'Property' },
  ),
  target: object(
    {
      price: euros('What the seller asks at present'),
      livingSpace: area('Floor space that one can live on'),
      bedrooms: integer('How many rooms there are to sleep in', { minimum: 0 }),
      reference: text('Key of the listing in the source system'),
    },
    {
      land: area('Size of the lot'),
      contact: text('Agent to call about the listing'),
      baths: integer('How many bathrooms there are', { minimum: 0 }),
      words: text('Remarks that the public may read'),
      energyClass: choice(['A', 'B', 'C', 'D'], 'Class in the energy certificate'),
    },
    { title: 'Advert' },
  ),
  right: {
    price: 'ListPrice',
    livingSpace: 'LivingArea',
    bedrooms: 'BedroomsTotal',
    reference: 'ListingId',
    land: 'LotSizeArea',
    contact: 'ListAgentFullName',
    baths: 'BathroomsTotalInteger',
    words: 'PublicRemarks',
  },
  expects: 'mapping',
  example: {
    payload: {
      ListingId: 'L-77',
      ListPrice: 410_000,
      LivingArea: 120,
      LotSizeArea: 800,
      BedroomsTotal: 3,
      ListAgentFullName: 'Mara Bell',
      OriginalListPrice: 450_000,
      PublicRemarks: 'Sunny.',
    },
    result: {
      price: 410_000,
      livingSpace: 120,
      bedrooms: 3,
      reference: 'L-77',
      land: 800,
      contact: 'Mara Bell',
      words: 'Sunny.',
    },
  },
};

/** When it happened and when it was told; what is asked, what is set aside and what was paid. */
const claim: Pair = {
  name: 'Insurance claim to case file',
  prefixes: { ins: 'https://insurance.example.org/terms#' },
  source: object(
    {
      claimNumber: text('Number of the claim', is('ins:claimNumber')),
      policyNumber: text('Number of the policy that the claim is made under', is('ins:policyNumber')),
      lossDate: day('Day on which the damage happened', is('ins:dateOfLoss')),
      reportedDate: day('Day on which the insurer was told', is('ins:dateReported')),
      claimant: object({ name: text('Who makes the claim'), email: mail() }, {}, is('ins:claimant')),
      amounts: object(
        { claimed: euros('Amount that the claimant asks for', is('ins:claimedAmount')) },
        {
          reserved: euros('Amount set aside for the claim', is('ins:reserve')),
          paid: euros('Amount paid to date', is('ins:paidAmount')),
        },
      ),
    },
    {
      adjuster: object({ name: text('Who assesses the damage'), email: mail() }, {}, is('ins:adjuster')),
      cause: choice(['fire', 'water', 'storm', 'theft'], 'Cause of the damage'),
      closedDate: day('Day on which the claim was closed', is('ins:dateClosed')),
    },
    { title: 'Claim' },
  ),
  target: object(
    {
      file: text('Number of the claim'),
      policy: text('Number of the policy', is('ins:policyNumber')),
      notified: day('Day on which the insurer was told of the damage', is('ins:dateReported')),
      happened: day('Day on which the damage happened'),
      demand: euros('What is asked for', is('ins:claimedAmount')),
    },
    {
      settled: euros('What was paid', is('ins:paidAmount')),
      peril: choice(['fire', 'water', 'storm', 'theft', 'other'], 'Cause of the damage'),
      lawyer: text('Who represents the claimant', is('ins:counsel')),
    },
    { title: 'Case file' },
  ),
  right: {
    file: 'claimNumber',
    policy: 'policyNumber',
    notified: 'reportedDate',
    happened: 'lossDate',
    demand: 'amounts.claimed',
    settled: 'amounts.paid',
    peril: 'cause',
  },
  expects: 'mapping',
  example: {
    payload: {
      claimNumber: 'C-9',
      policyNumber: 'P-4',
      lossDate: '2024-01-10',
      reportedDate: '2024-01-12',
      claimant: { name: 'Rose', email: 'rose@example.org' },
      amounts: { claimed: 5000, reserved: 4000 },
      cause: 'water',
    },
    result: {
      file: 'C-9',
      policy: 'P-4',
      notified: '2024-01-12',
      happened: '2024-01-10',
      demand: 5000,
      peril: 'water',
    },
  },
};

const address = (description: string) =>
  object(
    { street: text('', tagged('schema:streetAddress')), city: text('', tagged('schema:addressLocality')) },
    {},
    { description, concepts: ['schema:PostalAddress'] },
  );

/** A laptop may go to the home or to the office: both are good addresses of one person. */
const delivery: Pair = {
  name: 'Employee record to equipment delivery',
  source: object(
    {
      displayName: text('First and last name of the employee', tagged('schema:name')),
      workEmail: mail('Work email of the employee', tagged('schema:email')),
      home: address('Home address of the employee'),
      office: address('Address of the office of the employee'),
    },
    { hireDate: day('Day on which the employee was hired'), supervisor: text('Name of the manager') },
    { title: 'Employee', concepts: ['schema:Person'] },
  ),
  target: object(
    {
      addressee: text('Name of the employee who receives the equipment', tagged('schema:name')),
      street: text('Street to deliver to', tagged('schema:streetAddress')),
      city: text('City to deliver to', tagged('schema:addressLocality')),
    },
    {
      notify: mail('Where the carrier writes to', tagged('schema:email')),
      parcels: integer('How many boxes'),
    },
    { title: 'Delivery' },
  ),
  right: { addressee: 'displayName', notify: 'workEmail' },
  expects: 'ambiguous',
};

/** The only price in the order is that of shipping, which is no price of an article. */
const order: Pair = {
  name: 'Shop order to packing list',
  source: object(
    {
      order_number: integer('Number of the order, shown to the customer', { minimum: 1000 }),
      created_at: time('When the order was created'),
      line_items: list(
        object({
          sku: text('Stock keeping unit of the article'),
          quantity: integer('How many were bought', { minimum: 1 }),
        }),
        'Articles of the order',
      ),
      shipping_lines: list(
        object({ title: text('Name of the shipping method'), price: euros('Price') }),
        'Shipping methods of the order',
      ),
    },
    { order_status_url: link('Page on which the customer sees the order'), test: flag() },
    { title: 'Order' },
  ),
  target: object(
    {
      order: integer('Number of the order', { minimum: 1 }),
      lines: list(
        object(
          {
            article: text('SKU'),
            pieces: integer('How many were bought', { minimum: 1 }),
            price: euros('Price of one piece of the article'),
          },
          { bin: text('Where it stands in the store') },
        ),
      ),
    },
    {},
    { title: 'Packing list' },
  ),
  right: {
    order: 'order_number',
    'lines[].article': 'line_items[].sku',
    'lines[].pieces': 'line_items[].quantity',
  },
  expects: 'none',
};

export const property: readonly Pair[] = [listing, claim, delivery, order];
