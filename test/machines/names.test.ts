import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldName, isAmong } from '../../machines/names.ts';

const spellings: readonly (readonly [string, string])[] = [
  ['letter case', 'KIM'],
  ['one letter case', 'Kim'],
  ['blanks around it', ' \tkim\n'],
  ['blanks of other scripts', '\u3000kim\u00a0\u2003'],
  ['a zero-width space', 'ki\u200bm'],
  ['a joiner', 'k\u200dim'],
  ['a byte order mark', '\ufeffkim'],
  ['bidirectional marks', '\u202ekim\u202c\u200f'],
  ['a soft hyphen', 'ki\u00adm'],
  ['a variation selector', 'kim\ufe0f'],
  ['a filler of Hangul', '\u3164kim'],
  ['a control', 'ki\u0000m'],
  ['full-width letters', 'ｋｉｍ'],
  ['the Kelvin sign', '\u212aim'],
  ['mathematical letters', '𝐤𝐢𝐦'],
  ['a dotless i', 'kım'],
  ['blanks behind a mark that hides them', '\u200b kim \u200b'],
];

describe('a name folds with the same name', () => {
  test.each(spellings)('in %s', (_, spelling) => {
    expect(foldName(spelling)).toBe('kim');
    expect(isAmong(['lee', spelling], 'kim')).toBe(true);
    expect(isAmong(['kim', 'lee'], spelling)).toBe(true);
  });

  test.each([
    ['zoë', 'zoe\u0308'],
    ['straße', 'STRASSE'],
    ['ὀδυσσεύς', 'ὈΔΥΣΣΕΎΣ'],
    ['ﬁona', 'FIONA'],
    ['İpek', 'i̇pek'],
    ['a\u034f\u0301', 'á'],
  ])('as %s and %s', (one, other) => {
    expect(foldName(one)).toBe(foldName(other));
  });
});

test.each(['kim2', 'k im', 'kam', 'kïm', 'kim@example.org', '', 'кim'])(
  '%j is another person than kim',
  (name) => {
    expect(isAmong(['kim'], name)).toBe(false);
  },
);

test('a folded name is folded, whatever it was, and the same in every case and form of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (name) => {
      const folded = foldName(name);
      expect(foldName(folded)).toBe(folded);
      for (const spelling of [
        name.toLowerCase(),
        name.normalize('NFD'),
        name.normalize('NFKC'),
        ` ${name}\u200b`,
      ])
        expect(foldName(spelling)).toBe(folded);
    }),
    { numRuns: 500 },
  );
});

test('folding asks for no locale: a Turkish one makes no other name of it', () => {
  expect(foldName('TITLE')).toBe('title');
  expect('TITLE'.toLocaleLowerCase('tr')).not.toBe('title');
});
