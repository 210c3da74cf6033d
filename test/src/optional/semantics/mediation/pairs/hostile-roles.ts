import type { Pair } from './pair.ts';
import { trap } from './hostile-pair.ts';
import { choice, date, email, list, number, object, text } from './schemas.ts';

const person = (description: string) =>
  object({ name: text('Full name'), mail: email('Email address') }, { description });

const named = (description: string) => object({ name: text('Full name') }, { description });

/** Values that are described alike, and belong to others. */
export const roles: readonly Pair[] = [
  trap(
    'details of the tenant to details of the landlord',
    ['Lease', { tenant: person('Details of the tenant') }],
    ['Repair order', { landlord: person('Details of the landlord') }],
  ),
  trap(
    'applicants who were rejected to applicants who are invited',
    ['Round', { rejected: list(person('Applicant'), 'Applicants who were rejected') }],
    ['Mailing', { invited: list(person('Applicant'), 'Applicants who are invited') }],
  ),
  trap(
    'people who were vaccinated to people who will be',
    ['Clinic', { done: list(named('Person'), 'People who were vaccinated') }],
    ['Reminder', { due: list(named('Person'), 'People who will be vaccinated') }],
  ),
  trap(
    'plaintiff to defendant, who are both parties to the case',
    ['Claim', { party: named('Party to the case: the plaintiff') }],
    ['Summons', { party: named('Party to the case: the defendant') }],
  ),
  trap(
    'account to charge to account to credit',
    [
      'TaskIndexEntry order',
      { account: object({ iban: text('IBAN') }, { description: 'Account that is charged' }) },
    ],
    ['Transfer', { account: object({ iban: text('IBAN') }, { description: 'Account that is credited' }) }],
  ),
  trap(
    'holder of the policy to the insured person',
    ['Policy', { holder: named('Person who pays for the policy') }],
    ['Claim', { insured: named('Person who is covered by the policy') }],
  ),
  trap(
    'mother to father, two levels up',
    [
      'Birth',
      {
        mother: object(
          { passport: object({ no: text('Number') }, { description: 'Passport' }) },
          { description: 'The mother' },
        ),
      },
    ],
    [
      'Custody',
      {
        father: object(
          { passport: object({ no: text('Number') }, { description: 'Passport' }) },
          { description: 'The father' },
        ),
      },
    ],
  ),
  trap(
    'contact of the supplier to contact of the carrier, two levels up',
    ['Order', { supplier: object({ contact: named('Contact person') }, { description: 'Supplier' }) }],
    ['Transport', { carrier: object({ contact: named('Contact person') }, { description: 'Carrier' }) }],
  ),
  trap(
    'winner to loser of a match',
    ['Match', { winner: named('Player who won the match') }],
    ['Consolation', { loser: named('Player who lost the match') }],
  ),
  trap(
    'heir to testator',
    ['Estate', { heir: named('Person in the will: heir') }],
    ['Death certificate', { testator: named('Person in the will: testator') }],
  ),
  trap(
    'employee to department, generic words',
    ['Employee', { id: 'Identifier', name: 'Name' }],
    ['Department', { id: 'Identifier', name: 'Name' }],
  ),
  trap(
    'buyer to seller, each a whole payload',
    ['Buyer', { name: 'Name', taxId: 'Tax number' }],
    ['Seller', { name: 'Name', taxId: 'Tax number' }],
  ),
  trap(
    'patient to next of kin',
    ['Patient', { name: 'Full name', phone: 'Telephone number' }],
    ['Next of kin', { name: 'Full name', phone: 'Telephone number' }],
  ),
  trap(
    'sensor to alarm, of which both have a value',
    ['Sensor reading', { value: number('Value') }],
    ['Alarm threshold', { value: number('Value') }],
  ),
  trap(
    'film to person, titles only',
    ['Film', { title: { type: 'string', title: 'Title' } }],
    ['Person', { title: { type: 'string', title: 'Title' } }],
  ),
  trap(
    'film to person, with types for descriptions',
    ['Film', { title: 'string', year: number('number') }],
    ['Person', { surname: 'string', height: number('number') }],
  ),
  trap(
    'parcel to label, of which only the other knows whose address it is',
    ['Pickup', { address: text('Address') }],
    ['Delivery', { address: text('Address') }],
  ),
  trap(
    'status of a payment to status of a shipment',
    ['Payment', { status: choice(['pending', 'done'], 'Status') }],
    ['Shipment', { status: choice(['pending', 'done'], 'Status') }],
  ),
  trap(
    'day of hiring to day of birth, said in one word',
    ['Contract', { date: date('Date') }],
    ['Birth certificate', { date: date('Date') }],
  ),
  trap(
    'emergency contact to the person',
    ['Pupil', { emergency: person('Person to call in an emergency') }],
    ['Account', { owner: person('Person to call') }],
  ),
  trap(
    'guarantor to borrower, of one contract',
    ['Loan', { guarantor: named('Person who signs the loan contract as guarantor') }],
    ['Reminder', { borrower: named('Person who signs the loan contract') }],
  ),
  trap(
    'former address to address',
    [
      'Move',
      { former: object({ line: text('Street and number') }, { description: 'Former postal address' }) },
    ],
    ['Parcel', { to: object({ line: text('Street and number') }, { description: 'Postal address' }) }],
  ),
  trap(
    'referee to applicant, at the root',
    ['Application', { referee: email('Email address of the referee') }],
    ['Decision', { to: email('Email address') }],
  ),
  trap(
    'guardian to member, and the member has another word for it',
    ['Membership', { member: text('How the child is called'), guardian: text('Name of the guardian') }],
    ['Badge', { name: text('Name') }],
    { right: { name: 'member' }, expects: 'ambiguous' },
  ),
];
