import { expect, it } from 'vitest';
import { isPhraseOf, kinds } from '../../../../../src/optional/semantics/mediate/kinds.ts';

const kindOf = (text: string, ...owner: readonly string[]): number =>
  kinds.findIndex((kind) => isPhraseOf(kind, text, new Set(owner)));

const [email, web, none] = [0, 1, -1];

it.each([
  ['email addresses', email],
  ['the contact address', email],
  ['E-Mail address', email],
  ['contact email', email],
  ['web URLs', web],
  ['web link', web],
  ['email contact', none],
  ['work email', none],
  ['email addresses sent', none],
  ['has an email address', none],
  ['email or address', none],
  ['number of emails', none],
  ['email address?', none],
  ['address 2', none],
  ['', none],
])('names a kind and nothing else, or none: %j', (text, kind) => {
  expect(kindOf(text)).toBe(kind);
});

it('may say to what a value belongs', () => {
  expect(kindOf('email address of the candidate', 'candidate')).toBe(email);
  expect(kindOf('candidate email address', 'candidate')).toBe(email);
  expect(kindOf('email address of the candidate')).toBe(none);
  expect(kindOf('email of the contact', 'candidate')).toBe(none);
});
