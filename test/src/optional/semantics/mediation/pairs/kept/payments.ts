import type { Pair } from '../pair.ts';
import { choice, day, integer, is, link, list, number, object, tagged, text, time } from './shape.ts';

const decimal = (description: string) => text(description, { pattern: '^-?[0-9]+([.][0-9]+)?$' });

const money = (description: string) =>
  object(
    { currency_code: text('The three-character ISO 4217 currency code'), value: decimal('The value') },
    {},
    { description },
  );

/** What the buyer paid, what PayPal kept, and what is left: three amounts, each with its currency. */
const paypal: Pair = {
  name: 'PayPal capture to accounting entry',
  source: object(
    {
      id: text('The PayPal-generated ID for the captured payment'),
      status: choice(
        ['COMPLETED', 'DECLINED', 'PENDING', 'REFUNDED', 'FAILED'],
        'The status of the captured payment',
      ),
      create_time: time('The date and time when the transaction occurred'),
      update_time: time('The date and time when the transaction was last updated'),
      seller_receivable_breakdown: object(
        {
          gross_amount: money('The amount for this captured payment, before fees'),
          paypal_fee: money('The fee for this captured payment'),
          net_amount: money('The amount that the payee receives after fees'),
        },
        { exchange_rate: object({ value: text() }) },
      ),
    },
    {
      invoice_id: text('The API caller-provided external invoice number for this order'),
      custom_id: text('The API caller-provided external ID'),
      final_capture: { type: 'boolean' },
    },
    { title: 'Capture' },
  ),
  target: object(
    {
      voucher: text('ID of the payment at the provider'),
      occurred: time('Moment of the transaction'),
      received: object(
        { value: decimal('Net amount after fees') },
        { account: text('Account that is debited') },
      ),
      fee: object({ value: decimal('Fee that was kept back') }, { account: text('Account of expenses') }),
      revenue: object(
        { value: decimal('Gross amount before fees') },
        { account: text('Account of revenue') },
      ),
    },
    {
      invoice: text('Invoice that is settled by it, by number'),
      costCentre: text('Cost centre that the entry is booked to'),
    },
    { title: 'Accounting entry' },
  ),
  right: {
    voucher: 'id',
    occurred: 'create_time',
    'received.value': 'seller_receivable_breakdown.net_amount.value',
    'fee.value': 'seller_receivable_breakdown.paypal_fee.value',
    'revenue.value': 'seller_receivable_breakdown.gross_amount.value',
    invoice: 'invoice_id',
  },
  expects: 'mapping',
  example: {
    payload: {
      id: '2GG279541U471931P',
      status: 'COMPLETED',
      create_time: '2024-02-02T09:00:00Z',
      update_time: '2024-02-03T09:00:00Z',
      seller_receivable_breakdown: {
        gross_amount: { currency_code: 'EUR', value: '100.00' },
        paypal_fee: { currency_code: 'EUR', value: '3.20' },
        net_amount: { currency_code: 'EUR', value: '96.80' },
      },
      invoice_id: 'R-17',
    },
    result: {
      voucher: '2GG279541U471931P',
      occurred: '2024-02-02T09:00:00Z',
      received: { value: '96.80' },
      fee: { value: '3.20' },
      revenue: { value: '100.00' },
      invoice: 'R-17',
    },
  },
};

/** The amount of a balance transaction may be booked before or after fees; the target does not say which. */
const stripe: Pair = {
  name: 'Stripe balance transaction to revenue line',
  source: object(
    {
      id: text('Unique identifier for the object'),
      amount: integer('Gross amount of this transaction, in cents'),
      net: integer('Net amount of this transaction, in cents'),
      fee: integer('Fees paid for this transaction, in cents'),
      currency: text('Three-letter ISO currency code, in lowercase', { pattern: '^[a-z]{3}$' }),
      created: integer('Time at which the object was created, in seconds since the epoch', { unit: 's' }),
      type: text('Transaction type, such as charge or refund'),
    },
    {
      description: text('An arbitrary string attached to the object'),
      source: text('ID of the related object'),
    },
    { title: 'Balance transaction' },
  ),
  target: object(
    {
      amount: integer('Amount of the transaction that is to be booked, in cents'),
      currency: text('Which currency it is in', { pattern: '^[a-z]{3}$' }),
    },
    {
      reference: text('Identifier of the transaction, to trace the line back by'),
      taxRate: number('', { minimum: 0, maximum: 1 }),
    },
    { title: 'Revenue line' },
  ),
  right: { currency: 'currency', reference: 'id' },
  expects: 'ambiguous',
};

const amount = (description: string) =>
  object(
    { Amount: decimal('A number of monetary units'), Currency: text('ISO 4217', { pattern: '^[A-Z]{3}$' }) },
    {},
    { description },
  );

/** The balance after the entry has an amount too, and the day of value is not the day of booking. */
const openBanking: Pair = {
  name: 'Open Banking transactions to ledger rows',
  prefixes: { bank: 'https://bank.example.org/terms#' },
  source: object(
    {
      Data: object({
        Transaction: list(
          object(
            {
              AccountId: text('A unique and immutable identifier used to identify the account resource'),
              TransactionId: text('Unique identifier for the transaction within a servicing institution'),
              CreditDebitIndicator: choice(
                ['Credit', 'Debit'],
                'Whether the transaction is a credit or a debit entry',
              ),
              BookingDateTime: time('When the entry is posted to an account on the account servicer’s books'),
              Amount: amount('Amount of money in the cash transaction entry'),
            },
            {
              ValueDateTime: time('When assets become available to the account owner, or cease to be'),
              TransactionInformation: text('Further details of the transaction, unstructured'),
              Balance: object({ Amount: amount('Amount of money of the cash balance after the entry') }),
            },
          ),
          'Entries in the report',
        ),
      }),
    },
    { Meta: object({}, { TotalPages: integer() }) },
    { title: 'Transactions' },
  ),
  target: object(
    {
      rows: list(
        object(
          {
            account: text('Account that the row belongs to', tagged('bank:Account')),
            transaction: text(
              'The institution’s own reference of the transaction',
              tagged('bank:Transaction'),
            ),
            side: choice(['Credit', 'Debit'], 'Which side of the account it stands on'),
            booked: time('When the entry was posted to the books', tagged('bank:bookingDate')),
            sum: decimal('Amount of money in the transaction entry'),
          },
          {
            value: time('When the money becomes available to the owner', tagged('bank:valueDate')),
            details: text('Free text about the transaction'),
            category: text('Budget that it counts against'),
          },
        ),
      ),
    },
    {},
    { title: 'Ledger' },
  ),
  right: {
    'rows[].account': 'Data.Transaction[].AccountId',
    'rows[].transaction': 'Data.Transaction[].TransactionId',
    'rows[].side': 'Data.Transaction[].CreditDebitIndicator',
    'rows[].booked': 'Data.Transaction[].BookingDateTime',
    'rows[].sum': 'Data.Transaction[].Amount.Amount',
    'rows[].value': 'Data.Transaction[].ValueDateTime',
    'rows[].details': 'Data.Transaction[].TransactionInformation',
  },
  expects: 'mapping',
  example: {
    payload: {
      Data: {
        Transaction: [
          {
            AccountId: '22289',
            TransactionId: '123',
            CreditDebitIndicator: 'Credit',
            BookingDateTime: '2024-04-05T10:43:07Z',
            Amount: { Amount: '10.00', Currency: 'GBP' },
            ValueDateTime: '2024-04-07T00:00:00Z',
            Balance: { Amount: { Amount: '230.00', Currency: 'GBP' } },
          },
        ],
      },
    },
    result: {
      rows: [
        {
          account: '22289',
          transaction: '123',
          side: 'Credit',
          booked: '2024-04-05T10:43:07Z',
          sum: '10.00',
          value: '2024-04-07T00:00:00Z',
        },
      ],
    },
  },
};

const party = (predicate: string) =>
  object(
    { name: text('', is('pay:name')), iban: text('', is('pay:iban')) },
    { bic: text('', is('pay:bic')) },
    is(predicate),
  );

/** Who pays and who is paid look the same: only the predicate of the party tells. */
const creditTransfer: Pair = {
  name: 'SEPA credit transfer to bank instruction',
  prefixes: { pay: 'https://payments.example.org/terms#' },
  source: object(
    {
      endToEndId: text(
        'Unique identification that travels unchanged through the chain',
        is('pay:endToEndId'),
      ),
      instructedAmount: number('', { ...is('pay:amount'), exclusiveMinimum: 0, unit: 'EUR' }),
      debtor: party('pay:debtor'),
      creditor: party('pay:creditor'),
    },
    { remittance: text('Unstructured remittance information', { ...is('pay:remittance'), maxLength: 140 }) },
    { title: 'Credit transfer' },
  ),
  target: object(
    {
      reference: text('Reference that the beneficiary sees as well', is('pay:endToEndId')),
      amount: number('What is paid', { ...is('pay:amount'), exclusiveMinimum: 0, unit: 'EUR' }),
      beneficiary: object(
        { holder: text('', is('pay:name')), account: text('', is('pay:iban')) },
        { country: text() },
        is('pay:creditor'),
      ),
      sender: object({ account: text('', is('pay:iban')) }, {}, is('pay:debtor')),
    },
    {
      message: text('', { ...is('pay:remittance'), maxLength: 140 }),
      charges: choice(['OUR', 'SHA', 'BEN']),
    },
    { title: 'Bank instruction' },
  ),
  right: {
    reference: 'endToEndId',
    amount: 'instructedAmount',
    'beneficiary.holder': 'creditor.name',
    'beneficiary.account': 'creditor.iban',
    'sender.account': 'debtor.iban',
    message: 'remittance',
  },
  expects: 'mapping',
  example: {
    payload: {
      endToEndId: 'E2E-1',
      instructedAmount: 12.5,
      debtor: { name: 'Rose', iban: 'DE02120300000000202051' },
      creditor: { name: 'Mills', iban: 'FR1420041010050500013M02606' },
    },
    result: {
      reference: 'E2E-1',
      amount: 12.5,
      beneficiary: { holder: 'Mills', account: 'FR1420041010050500013M02606' },
      sender: { account: 'DE02120300000000202051' },
    },
  },
};

/** Two parties without a word of which of them receives. */
const mpesa: Pair = {
  name: 'M-Pesa transaction to payee record',
  source: object(
    {
      TransID: text('Unique identifier of the transaction', { pattern: '^[A-Z0-9]{10}$' }),
      TransAmount: number('Amount transacted', { minimum: 0, unit: 'KES' }),
      PartyA: text('Number of a party to the transaction', { pattern: '^[0-9]{5,12}$' }),
      PartyB: text('Number of a party to the transaction', { pattern: '^[0-9]{5,12}$' }),
    },
    { Remarks: text('Comments sent along with the transaction'), TransTime: text() },
    { title: 'Transaction' },
  ),
  target: object(
    {
      transaction: text('Transaction that the payee was found in'),
      payee: text('Number of the party that receives the money', { pattern: '^[0-9]{5,12}$' }),
    },
    {
      shillings: number('How much was sent', { minimum: 0, unit: 'KES' }),
      remarks: text('What the sender wrote'),
    },
    { title: 'Payee record' },
  ),
  right: { transaction: 'TransID', shillings: 'TransAmount', remarks: 'Remarks' },
  expects: 'ambiguous',
};

/** A reservation is confirmed before the stay, a receipt is issued after it: its number is not in the reservation. */
const hotel: Pair = {
  name: 'Hotel reservation to expense line',
  source: object(
    {
      reservationNumber: text(
        'Number under which the hotel confirmed the reservation',
        tagged('schema:reservationId'),
      ),
      hotel: object(
        { name: text('Name of the hotel', tagged('schema:name')) },
        { url: link('', tagged('schema:url')) },
      ),
      checkIn: day('Day of arrival', tagged('schema:checkinTime')),
      checkOut: day('Day of departure', tagged('schema:checkoutTime')),
      total: number('Price of the whole stay', { ...tagged('schema:totalPrice'), minimum: 0, unit: 'EUR' }),
    },
    {
      guests: integer('How many people stay', { minimum: 1 }),
      bookedAt: time('When the reservation was made'),
    },
    { title: 'LodgingReservation', concepts: ['schema:LodgingReservation'] },
  ),
  target: object(
    {
      receiptNumber: text(
        'Number of the receipt that was issued when the stay was paid',
        tagged('schema:confirmationNumber'),
      ),
      from: day('First day of the stay: arrival', tagged('schema:checkinTime')),
      to: day('Last day of the stay: departure', tagged('schema:checkoutTime')),
    },
    {
      spent: number('Price of the stay', { ...tagged('schema:totalPrice'), minimum: 0, unit: 'EUR' }),
      vendor: text('Name of the hotel', tagged('schema:name')),
      approvedBy: text('Who approved the expense'),
    },
    { title: 'Expense line' },
  ),
  right: { from: 'checkIn', to: 'checkOut', spent: 'total', vendor: 'hotel.name' },
  expects: 'none',
};

export const payments: readonly Pair[] = [paypal, stripe, openBanking, creditTransfer, mpesa, hotel];
