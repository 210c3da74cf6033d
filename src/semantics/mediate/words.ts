import { loadWordIndex } from './word-index.ts';

/** Words that say nothing of what a value is. */
const empty = new Set(
  'a an and any are as at be for has have in is it its of on or s that the this which with'.split(' '),
);

/** A plural and its singular are one word (Harman's S stemmer, 1991). */
const stem = (word: string): string => {
  if (/[^aei]ies$/u.test(word)) return word.replace(/ies$/u, 'y');
  if (/(?:s|x|z|ch|sh)es$/u.test(word)) return word.replace(/es$/u, '');
  return /[^aousi]s$/u.test(word) || /[^s]as$/u.test(word) ? word.replace(/s$/u, '') : word;
};

/** A word as it is compared; nothing for one that says nothing. */
export const termOf = (word: string): string | null => {
  const term = stem(word.normalize('NFKC').toLowerCase());
  return term === '' || empty.has(term) ? null : term;
};

/** No description says more than this. */
const wordLimit = 500;

/** The words of a text that say something, in their order, each once. */
export const wordsIn = (text: string): readonly string[] => {
  const tokenize = loadWordIndex().getDefault('tokenize') as (text: string) => string[]; // it is declared untyped
  const words = tokenize(text.slice(0, 20 * wordLimit).replaceAll('%', ' percent '));
  return [...new Set(words.flatMap((word) => termOf(word) ?? []))].slice(0, wordLimit);
};

/** Words of which one turns a meaning into that of the other. */
const opposites = `
after before, begin end, start end, started ended, beginning end, first last, earliest latest, oldest newest, open closed, opened closed
minimum maximum, min max, least most, lower upper, lowest highest, low high, smallest largest, under over, below above
net gross, including excluding, inclusive exclusive, incl excl, before-tax after-tax, paid unpaid, debit credit, income expense
sender recipient, sender receiver, from to, source destination, origin destination, departure arrival, pickup delivery, shipper consignee
buyer seller, customer supplier, customer vendor, client provider, payer payee, debtor creditor, borrower lender, lessor lessee, employer employee
author reviewer, owner user, host guest, teacher student, teacher pupil, patient practitioner, parent child, parent guardian, manager report
given family, first last, forename surname, billing shipping, home work, private business, personal professional, primary secondary
created updated, created closed, created modified, planned actual, scheduled actual, expected actual, estimated actual, requested approved
import export, inbound outbound, incoming outgoing, input output, upload download, read write, sent received, sold bought, won lost
accept reject, accepted rejected, agree object, agreed objected, allow deny, enabled disabled, active inactive, public private, valid invalid
old new, previous current, current next, left right, north south, east west, latitude longitude, width height, width length, height length
male female, inner outer, internal external, absolute relative, hot cold, systolic diastolic, cash card, day night, total partial`
  .split(/[,\n]/u)
  .map((pair) =>
    pair
      .trim()
      .split(' ')
      .map((word) => termOf(word)),
  )
  .filter((pair) => pair.length === 2);

const denials = [
  'not',
  'no',
  'never',
  'none',
  'cannot',
  'without',
  'except',
  'excluding',
  'non',
  'un',
  'nobody',
  'neither',
];

const denies = (terms: ReadonlySet<string>): boolean => denials.some((word) => terms.has(word));

const has = (terms: ReadonlySet<string>, word: string | null | undefined): boolean =>
  typeof word === 'string' && terms.has(word);

/** Whether one of them says the opposite of the other, as far as single words tell. */
export function contradict(here: ReadonlySet<string>, there: ReadonlySet<string>): boolean {
  if (denies(here) !== denies(there)) return true;
  return opposites.some(([first, second]) => {
    const pattern = [has(here, first), has(here, second), has(there, first), has(there, second)].join();
    return pattern === 'true,false,false,true' || pattern === 'false,true,true,false';
  });
}

const directions = ['per', 'to', 'from', 'by', 'into', 'against', 'versus', 'owe', 'owes', 'than', 'second'];

/** Whether the same words in another order say something else: from dollars to euros is not from euros to dollars. */
export const isTurned = (one: readonly string[], other: readonly string[]): boolean =>
  directions.some((word) => one.includes(word) || other.includes(word)) &&
  one.filter((word) => other.includes(word)).join(' ') !==
    other.filter((word) => one.includes(word)).join(' ');
