import { hints } from './hostile-terms.ts';
import { roles } from './hostile-roles.ts';
import { words } from './hostile-words.ts';
import type { Pair } from './pair.ts';

/** Pairs that are made to mislead: what a person would not sign is nowhere `right`. */
export const hostile: readonly Pair[] = [...roles, ...words, ...hints];

/** Those that mislead it: both sides say the same of two things, or the result is refused when it is made. */
export const beyond: readonly string[] = [
  'patient to next of kin',
  'emergency contact to the person',
  'guarantor to borrower, of one contract',
  'former address to address',
  'referee to applicant, at the root',
  'rates of exchange, both ways',
  'who invited whom',
  'hepatitis A',
  'goals of one team',
  'customs and custom',
  'above and below zero',
  'email of the tenant to email of the landlord, in one term',
  'begin of the employment to begin of the event',
  'code of two letters to code of three',
  'short code to long code, by length',
  'any number to a whole one',
  'number or text to email',
  'places of a tuple that are said to be the other way round',
  'answer of one to answers of all',
];
