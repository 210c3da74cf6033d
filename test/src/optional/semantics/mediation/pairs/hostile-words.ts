import type { Pair } from './pair.ts';
import { trap } from './hostile-pair.ts';
import { date, flag, integer, number, text } from './schemas.ts';

const numbers = (name: string, one: string, other: string): Pair =>
  trap(name, ['Record', { a: number(one) }], ['Report', { b: number(other) }]);
const flags = (name: string, one: string, other: string): Pair =>
  trap(name, ['Record', { a: flag(one) }], ['Report', { b: flag(other) }]);
const dates = (name: string, one: string, other: string): Pair =>
  trap(name, ['Record', { a: date(one) }], ['Report', { b: date(other) }]);
const texts = (name: string, one: string, other: string): Pair =>
  trap(name, ['Record', { a: text(one) }], ['Report', { b: text(other) }]);

/** One description says all of the other, and a word more that makes it another thing. */
const contained: readonly Pair[] = [
  texts('name of the emergency contact to name', 'Full name of the emergency contact', 'Full name'),
  texts('family name at birth to family name', 'Family name at birth', 'Family name'),
  texts('previous family name to family name', 'Previous family name', 'Family name'),
  texts('fax number to number', 'Fax number of the company', 'Number of the company'),
  texts('second line of an address to the address', 'Address line 2', 'Address line'),
  numbers('estimated weight to weight', 'Estimated weight of the parcel', 'Weight of the parcel'),
  numbers(
    'weight to estimated weight',
    'Weight of the whole parcel in kilograms on dispatch',
    'Estimated weight of the whole parcel in kilograms on dispatch',
  ),
  numbers('maximum passengers to passengers', 'Maximum number of passengers', 'Number of passengers'),
  numbers('failed payments to payments', 'Number of failed payments', 'Number of payments'),
  numbers('average of a sum to the sum', 'Average monthly turnover in euros', 'Monthly turnover in euros'),
  numbers('refused amount to amount', 'Refused amount in euros', 'Amount in euros'),
  numbers('amount in cents to amount', 'Total amount in cents', 'Total amount'),
  numbers(
    'amount to amount in thousands',
    'Total amount of all assets of the company at year end',
    'Total amount of all assets of the company at year end, in thousands',
  ),
  numbers('discount in percent to discount', 'Discount in %', 'Discount'),
  numbers('value added tax in percent to value added tax', 'VAT (%)', 'VAT'),
  numbers('price for members to price', 'Price for members', 'Price'),
  numbers('deposit to rent', 'Rent deposit in euros', 'Rent in euros'),
  dates('planned day to day', 'Planned day of the surgery', 'Day of the surgery'),
  dates('birth of the child to birth', 'Date of birth of the child', 'Date of birth'),
  dates('day of cancellation to day', 'Date on which the order was cancelled', 'Date of the order'),
  flags('withdrawn consent to consent', 'Withdrawn consent to marketing mail', 'Consent to marketing mail'),
  flags('revoked licence to licence', 'The driver has a revoked licence', 'The driver has a licence'),
  flags(
    'refused transfusion to transfusion',
    'The patient refuses a blood transfusion',
    'The patient needs a blood transfusion',
  ),
  flags('exempt from tax to taxed', 'Customer exempt from sales tax', 'Customer pays sales tax'),
];

/** One denies what the other says, in a way that its list does not know. */
const denied: readonly Pair[] = [
  flags(
    'a denial with an apostrophe',
    "The member doesn't want the newsletter",
    'The member wants the newsletter',
  ),
  flags(
    'a denial with a typographic apostrophe',
    'The member doesn’t want the newsletter',
    'The member wants the newsletter',
  ),
  flags('a denial in one word', 'The guest dislikes being called', 'The guest likes being called'),
  flags('a denial by lack', 'The traveller lacks a valid visa', 'The traveller has a valid visa'),
  flags('a denial by unless', 'Deliver on Saturday unless it rains', 'Deliver on Saturday'),
  numbers(
    'both deny, but not the same',
    'Amount paid by the insurer, not the patient',
    'Amount not paid by the insurer',
  ),
  flags('a denial in German', 'Der Kunde wünscht keinen Newsletter', 'Der Kunde wünscht Newsletter'),
  flags(
    'a denial in German, by nicht',
    'Der Kunde darf nicht angerufen werden',
    'Der Kunde darf angerufen werden',
  ),
  flags(
    'a denial in French',
    'Le client ne souhaite pas recevoir la lettre',
    'Le client souhaite recevoir la lettre',
  ),
  flags(
    'a denial in Spanish',
    'El cliente nunca acepta llamadas comerciales',
    'El cliente acepta llamadas comerciales',
  ),
  texts('recipient in brackets, in Japanese', '氏名(緊急連絡先)', '氏名'),
  dates('end and begin in German', 'Datum des Vertrags, Ende', 'Datum des Vertrags'),
  texts('recipient and sender in German', 'Anschrift des Absenders', 'Anschrift'),
  flags('a denial by a symbol', 'Allergy ✗ penicillin', 'Allergy penicillin'),
];

/** The same words in another order, or of which those that tell are not counted. */
const alike: readonly Pair[] = [
  numbers(
    'rates of exchange, both ways',
    'Exchange rate of euros in dollars',
    'Exchange rate of dollars in euros',
  ),
  numbers('rates from and to', 'Rate from euro to dollar', 'Rate from dollar to euro'),
  texts(
    'who invited whom',
    'Name of the person who invited the guest',
    'Name of the guest who invited the person',
  ),
  texts('second driver', 'First name of the second driver', 'Second name of the first driver'),
  numbers('number of orders, and of an order', 'Number of days per order', 'Number of orders per day'),
  numbers(
    'who owes whom',
    'Amount that the tenant owes the landlord',
    'Amount that the landlord owes the tenant',
  ),
  dates('was and will be', 'When the goods were delivered', 'When the goods will be delivered'),
  numbers('may be and was', 'Amount that may be refunded', 'Amount that was refunded'),
  flags('may have and has', 'The guest may have a dog', 'The guest has a dog'),
  numbers('revenue of one month', 'Revenue in May', 'Revenue'),
  numbers('cost of information technology', 'Cost of IT', 'Cost'),
  texts('hepatitis A', 'Vaccine against hepatitis A', 'Vaccine against hepatitis'),
  numbers('goals of one team', 'Goals of team A', 'Goals of team'),
  texts('customs and custom', 'Customs number', 'Custom number'),
  numbers('above and below zero', 'Hours at -5 degrees or less', 'Hours at 5 degrees or less'),
  numbers('per and of', 'Persons per room', 'Rooms per person'),
  texts(
    'a rest that is long',
    'Remarks of the doctor on the course of the treatment at the hospital, in full, with all that was given to the patient and when',
    'Remarks of the doctor on the course of the treatment at the hospital, in full, with all that was given to the patient and when, for the press',
  ),
  trap(
    'a longer word that says it',
    ['Order', { a: integer('Quantity that the customer returned') }],
    ['Stock', { b: integer('Quantity of the customer') }],
  ),
];

export const words: readonly Pair[] = [...contained, ...denied, ...alike];
