import { loadWordIndex } from './word-index.ts';

/** Stop words. */
const empty = new Set(
  'a an and any are as at be for has have in is it its of on or s that the this which with'.split(' '),
);

/** Returns the singular of a word (Harman's S stemmer, 1991). */
const stem = (word: string): string => {
  if (/[^aei]ies$/u.test(word)) return word.replace(/ies$/u, 'y');
  if (/(?:s|x|z|ch|sh)es$/u.test(word)) return word.replace(/es$/u, '');
  return /[^aousi]s$/u.test(word) || /[^s]as$/u.test(word) ? word.replace(/s$/u, '') : word;
};

/** Returns the normalized word; `null` for a stop word. */
export const termOf = (word: string): string | null => {
  const term = stem(word.normalize('NFKC').toLowerCase());
  return term === '' || empty.has(term) ? null : term;
};

/** The maximum of words in a description. */
const wordLimit = 500;

/** Returns the distinct words of a text, without stop words, in order. */
export const wordsIn = (text: string): readonly string[] => {
  const tokenize = loadWordIndex().getDefault('tokenize') as (text: string) => string[]; // its declared type is untyped
  const words = tokenize(text.slice(0, 20 * wordLimit).replaceAll('%', ' percent '));
  return [...new Set(words.flatMap((word) => termOf(word) ?? []))].slice(0, wordLimit);
};

/** Returns the words of a field's name: `contactEmail` has "contact" and "email". */
export const namedWords = (name: string): readonly string[] =>
  wordsIn(splitName(name).replaceAll(/\be-?mail/giu, 'email'));

/** Returns a name with spaces between its words. */
export const splitName = (name: string): string =>
  name.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ').replaceAll('_', ' ');

/** Returns the normalized words of a list. */
export const stemmed = (words: string): readonly string[] =>
  words.split(/\s+/u).flatMap((word) => termOf(word) ?? []);

/** Pairs of opposites. */
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

/** Returns whether two sets of words contain opposites. */
export function contradict(here: ReadonlySet<string>, there: ReadonlySet<string>): boolean {
  if (denies(here) !== denies(there)) return true;
  return opposites.some(([first, second]) => {
    const pattern = [has(here, first), has(here, second), has(there, first), has(there, second)].join();
    return pattern === 'true,false,false,true' || pattern === 'false,true,true,false';
  });
}

const directions = ['per', 'to', 'from', 'by', 'into', 'against', 'versus', 'owe', 'owes', 'than', 'second'];

/** Returns whether equal words are in another order: "dollars to euros" is not "euros to dollars". */
export const isReordered = (one: readonly string[], other: readonly string[]): boolean =>
  directions.some((word) => one.includes(word) || other.includes(word)) &&
  one.filter((word) => other.includes(word)).join(' ') !==
    other.filter((word) => one.includes(word)).join(' ');
