import type { Pair } from './pair.ts';
import { by, date, email, integer, is, list, number, object, text } from './schemas.ts';

const purchase: Pair = {
  name: 'purchase order to rows that repeat its head',
  source: object(
    {
      orderNumber: is('schema:orderNumber', text('Number of the purchase order')),
      orderedOn: is('schema:orderDate', date('Day of the purchase order')),
      supplier: object({ code: text('Code of the supplier'), 'name?': text('Name of the supplier') }),
      lines: list(
        object({
          article: text('Number of the article'),
          quantity: integer('Ordered quantity', { minimum: 1 }),
          'remark?': text(),
        }),
      ),
    },
    { title: 'Purchase order' },
  ),
  target: object(
    {
      rows: list(
        object({
          po: text('Number of the purchase order'),
          po_date: date('Day of the purchase order'),
          vendor: text('Code of the supplier'),
          item: text('Number of the article'),
          qty: integer('Ordered quantity'),
          'cost_center?': text('Who pays'),
        }),
      ),
    },
    { title: 'Sheet' },
  ),
  right: {
    'rows[].po': 'orderNumber',
    'rows[].po_date': 'orderedOn',
    'rows[].vendor': 'supplier.code',
    'rows[].item': 'lines[].article',
    'rows[].qty': 'lines[].quantity',
  },
  expects: 'mapping',
  example: {
    payload: {
      orderNumber: 'B-7',
      orderedOn: '2026-08-01',
      supplier: { code: 'S1' },
      lines: [
        { article: 'A1', quantity: 3 },
        { article: 'A2', quantity: 1, remark: 'blue' },
      ],
    },
    result: {
      rows: [
        { po: 'B-7', po_date: '2026-08-01', vendor: 'S1', item: 'A1', qty: 3 },
        { po: 'B-7', po_date: '2026-08-01', vendor: 'S1', item: 'A2', qty: 1 },
      ],
    },
  },
};

const batch: Pair = {
  name: 'batch of invoices, with lines in each, to journal rows',
  prefixes: { acc: 'https://vocabulary.example/accounting#' },
  source: object(
    {
      company: is('acc:companyCode', text('Code of the company')),
      invoices: list(
        object({
          id: is('acc:documentNumber', text('Identifier of the invoice')),
          lines: list(
            object({
              account: is('acc:accountNumber', text('Account that the line is booked on')),
              net: is('acc:netAmount', number('Amount of the line')),
              'text?': is('acc:lineText', text()),
            }),
          ),
        }),
      ),
    },
    { title: 'Batch' },
  ),
  target: object(
    {
      journal: list(
        object({
          bukrs: is('acc:companyCode', text()),
          belnr: is('acc:documentNumber', text()),
          hkont: is('acc:accountNumber', text()),
          wrbtr: is('acc:netAmount', number()),
          'sgtxt?': is('acc:lineText', text()),
          'kostl?': is('acc:costCenter', text()),
        }),
      ),
    },
    { title: 'Journal' },
  ),
  right: {
    'journal[].bukrs': 'company',
    'journal[].belnr': 'invoices[].id',
    'journal[].hkont': 'invoices[].lines[].account',
    'journal[].wrbtr': 'invoices[].lines[].net',
    'journal[].sgtxt': 'invoices[].lines[].text',
  },
  expects: 'mapping',
  example: {
    payload: {
      company: '1000',
      invoices: [
        {
          id: 'R1',
          lines: [
            { account: '4400', net: 10 },
            { account: '4300', net: 5, text: 'books' },
          ],
        },
        { id: 'R2', lines: [{ account: '4400', net: 7 }] },
      ],
    },
    result: {
      journal: [
        { bukrs: '1000', belnr: 'R1', hkont: '4400', wrbtr: 10 },
        { bukrs: '1000', belnr: 'R1', hkont: '4300', wrbtr: 5, sgtxt: 'books' },
        { bukrs: '1000', belnr: 'R2', hkont: '4400', wrbtr: 7 },
      ],
    },
  },
};

const school: Pair = {
  name: 'classes with teachers and pupils to rows of pupils',
  prefixes: { school: 'https://vocabulary.example/school#' },
  source: object(
    {
      classes: list(
        object({
          label: text('Label of the class, such as 7b'),
          teacher: by(
            'school:taughtBy',
            object({
              name: is('schema:name', text('Name')),
              email: is('schema:email', email('Mail address')),
            }),
          ),
          pupils: by(
            'school:attendedBy',
            list(object({ name: is('schema:name', text('Name')), 'born?': is('schema:birthDate', date()) })),
          ),
        }),
      ),
    },
    { title: 'School' },
  ),
  target: object(
    {
      rows: list(
        object({
          class: text('Label of the class'),
          pupil: by('school:attendedBy', object({ name: is('schema:name', text('Name')) })),
          teacher: by('school:taughtBy', object({ name: is('schema:name', text('Name')) })),
        }),
      ),
    },
    { title: 'Register' },
  ),
  right: {
    'rows[].class': 'classes[].label',
    'rows[].pupil.name': 'classes[].pupils[].name',
    'rows[].teacher.name': 'classes[].teacher.name',
  },
  expects: 'mapping',
  example: {
    payload: {
      classes: [
        {
          label: '7b',
          teacher: { name: 'Mr Ito', email: 'ito@school.example' },
          pupils: [{ name: 'Kim' }, { name: 'Lou', born: '2014-01-02' }],
        },
      ],
    },
    result: {
      rows: [
        { class: '7b', pupil: { name: 'Kim' }, teacher: { name: 'Mr Ito' } },
        { class: '7b', pupil: { name: 'Lou' }, teacher: { name: 'Mr Ito' } },
      ],
    },
  },
};

const product: Pair = {
  name: 'lines and payments of an order to rows that have an article and a payment each',
  source: object(
    {
      orderNumber: text('Number of the order'),
      lines: list(object({ article: text('Number of the article'), price: number('Price of the line') })),
      payments: list(object({ method: text('How it was paid'), amount: number('Amount that was paid') })),
    },
    { title: 'Order' },
  ),
  target: object(
    {
      rows: list(
        object({
          order: text('Number of the order'),
          article: text('Number of the article'),
          paid: number('Amount that was paid for the article'),
        }),
      ),
    },
    { title: 'Paid articles' },
  ),
  right: { 'rows[].order': 'orderNumber' },
  expects: 'ambiguous',
};

export const tabular: readonly Pair[] = [purchase, batch, school, product];
