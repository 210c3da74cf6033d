import type { Pair } from './pair.ts';
import { choice, date, dateTime, email, integer, is, list, number, object, text } from './schemas.ts';

const transaction = object(
  {
    transactionId: text('Unique transaction id given by the bank'),
    'endToEndId?': text('Unique end to end identity'),
    bookingDate: date('The date when an entry is posted to an account on the bank’s books'),
    'valueDate?': date('The date at which assets become available to the account owner'),
    amount: is('schema:amount', number('The amount of the transaction, as billed to the account')),
    currency: is('schema:currency', text('ISO 4217 currency code', { pattern: '^[A-Z]{3}$' })),
    creditorName: text('Name of the creditor, if a debited transaction'),
    debtorName: text('Name of the debtor, if a credited transaction'),
    remittance: text('Remittance information, as unstructured text'),
    'balanceAfter?': number('The balance of the account after this transaction'),
  },
  { title: 'Bank transaction' },
);

const ledger: Pair = {
  name: 'bank transaction to ledger line',
  source: transaction,
  target: object(
    {
      postedOn: date('Date on which the entry was posted on the books'),
      amount: number('Amount of the transaction'),
      currency: text('Currency of the amount, ISO 4217', { pattern: '^[A-Z]{3}$' }),
      memo: text('Unstructured remittance text'),
      bankReference: text('Transaction id, as given by the bank'),
      'account?': text('Number of the ledger account, in the chart of accounts'),
    },
    { title: 'Ledger line' },
  ),
  right: {
    postedOn: 'bookingDate',
    amount: 'amount',
    currency: 'currency',
    memo: 'remittance',
    bankReference: 'transactionId',
  },
  expects: 'mapping',
  example: {
    payload: {
      transactionId: '5c1',
      bookingDate: '2026-04-02',
      valueDate: '2026-04-03',
      amount: -12.5,
      currency: 'EUR',
      creditorName: 'Cafe Sol',
      debtorName: 'Ana Ruiz',
      remittance: 'lunch',
      balanceAfter: 210,
    },
    result: { postedOn: '2026-04-02', amount: -12.5, currency: 'EUR', memo: 'lunch', bankReference: '5c1' },
  },
};

const counterparty: Pair = {
  name: 'bank transaction to a ledger line that names the counterparty',
  source: transaction,
  target: object(
    {
      bookedOn: date('The date when the entry was posted to the books'),
      counterparty: text('Name of the other party to the transaction, creditor or debtor'),
    },
    { title: 'Ledger line' },
  ),
  right: { bookedOn: 'bookingDate' },
  expects: 'ambiguous',
};

const bill = (members: Parameters<typeof object>[0]) =>
  object(
    {
      number: text('Unique code of the invoice, shown to the customer'),
      customerEmail: email('Where the customer gets the invoice'),
      created: date('The date on which the invoice was created'),
      amountDue: number('Final amount that the customer has to pay', { minimum: 0 }),
      ...members,
    },
    { title: 'Invoice' },
  );

const reminder = object(
  {
    deadline: is('schema:paymentDueDate', date('The date by which the customer has to pay')),
    amount: number('Amount that the customer has to pay', { minimum: 0 }),
    'assignee?': text('Who of the staff follows it up'),
  },
  { title: 'Payment reminder' },
);

const due: Pair = {
  name: 'invoice with a due date to payment reminder',
  source: bill({
    dueDate: date('The date by which payment has to be made'),
    'paidOn?': date('When it was paid'),
  }),
  target: reminder,
  right: { deadline: 'dueDate', amount: 'amountDue' },
  expects: 'mapping',
  example: {
    payload: {
      number: 'R-1',
      customerEmail: 'ana@ruiz.example',
      created: '2026-05-01',
      amountDue: 120,
      dueDate: '2026-05-31',
    },
    result: { deadline: '2026-05-31', amount: 120 },
  },
};

const createdOnly: Pair = {
  name: 'invoice without a due date to payment reminder',
  source: bill({ 'sent?': date('The date on which the invoice was sent') }),
  target: reminder,
  right: { amount: 'amountDue' },
  expects: 'none',
};

const gross: Pair = {
  name: 'net unit prices to a shelf that shows gross ones',
  source: object(
    {
      prices: list(
        object({
          articleNumber: text('Number of the article'),
          unitPrice: is(
            'schema:price',
            number('Price of one unit, excluding value added tax', { minimum: 0 }),
          ),
          'validFrom?': date('First day on which the price is valid'),
        }),
      ),
    },
    { title: 'Price list' },
  ),
  target: object(
    {
      labels: list(
        object({
          article: text('Number of the article'),
          unitPrice: is(
            'schema:price',
            number('Price of one unit, including value added tax', { minimum: 0 }),
          ),
        }),
      ),
    },
    { title: 'Shelf labels' },
  ),
  right: { 'labels[].article': 'prices[].articleNumber' },
  expects: 'none',
};

const totals: Pair = {
  name: 'net and gross totals to a booking of both, in terms of an own vocabulary',
  prefixes: { fin: 'https://vocabulary.example/finance#' },
  source: object(
    {
      invoiceNumber: is('fin:invoiceNumber', text('Number of the invoice')),
      total: is('fin:grossAmount', number('Total')),
      subtotal: is('fin:netAmount', number('Total')),
      'tax?': is('fin:taxAmount', number('Total')),
    },
    { title: 'Invoice' },
  ),
  target: object(
    {
      document: is('fin:invoiceNumber', text()),
      total: is('fin:netAmount', number('Amount')),
      payable: is('fin:grossAmount', number('Amount')),
      'tax?': is('fin:taxAmount', number('Amount')),
    },
    { title: 'Booking' },
  ),
  right: { document: 'invoiceNumber', total: 'subtotal', payable: 'total', tax: 'tax' },
  expects: 'mapping',
  example: {
    payload: { invoiceNumber: 'R-2', total: 119, subtotal: 100, tax: 19 },
    result: { document: 'R-2', total: 100, payable: 119, tax: 19 },
  },
};

const payout: Pair = {
  name: 'charge to a refund request, which wants the id of the charge and not of the customer',
  source: object(
    {
      id: text('Unique identifier for the charge'),
      customer: text('Unique identifier of the customer that was charged'),
      amount: integer('Amount charged, in the smallest currency unit', { minimum: 0 }),
      'amount_refunded?': integer('Amount refunded so far, in the smallest currency unit', { minimum: 0 }),
      created: dateTime('When the charge was created'),
      status: choice(['succeeded', 'pending', 'failed'], 'The status of the payment'),
    },
    { title: 'Charge' },
  ),
  target: object(
    {
      charge: text('The identifier of the charge to refund'),
      'amount?': integer('Amount to refund, in the smallest currency unit; all of the charge by default'),
      'reason?': choice(['duplicate', 'fraudulent', 'requested_by_customer'], 'The reason for the refund'),
    },
    { title: 'Refund request' },
  ),
  right: { charge: 'id' },
  expects: 'mapping',
  example: {
    payload: {
      id: 'ch_1',
      customer: 'cus_9',
      amount: 500,
      created: '2026-06-01T10:00:00Z',
      status: 'succeeded',
    },
    result: { charge: 'ch_1' },
  },
};

export const money: readonly Pair[] = [ledger, counterparty, due, createdOnly, gross, totals, payout];
