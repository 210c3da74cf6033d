import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { portablePattern } from '../../../../../src/optional/semantics/linked/pattern.ts';
import { runs } from '../../../../machines/generated.ts';

const same = [
  '^a',
  'b$',
  '^[a-z]+@[a-z]+$',
  'a|b',
  '(a|b)?c',
  '(ab)+',
  'a{2,3}',
  'a{2}',
  'é',
  '[^a-c]*',
  '[a-]',
  '',
];

const written: Readonly<Record<string, string>> = {
  '\\d{4}': '[0-9]{4}',
  '[\\w.-]+': '[A-Za-z0-9_.\\-]+',
  '(?:a|b)c': '(a|b)c',
  '.': '[^\n\r\u2028\u2029]',
  '\\/': '/',
  '\\.': '\\.',
  '\\t': '\t',
  '[\\]^]': '[\\]\\^]',
};

const refused = [
  '(a+)+',
  '(a|a)*',
  '(a*){2}',
  '((a?)b)*',
  '(?=a)',
  '(?<!a)b',
  '(?<n>a)',
  '(a)\\1',
  '\\bword',
  '\\s',
  '\\p{L}',
  '\\u{1f600}',
  '😀',
  '[😀]',
  '[a-\uffff]',
  'a{1001}',
  'a+?',
  '[]',
  '[^]',
  '(',
  '[',
  'a{',
  '*',
  '\\',
  '('.repeat(20) + ')'.repeat(20),
  'a'.repeat(1_001),
];

describe('A pattern in a shape', () => {
  it.each(same)('is copied when both sides read it alike: %j', (pattern) => {
    expect(portablePattern(pattern)).toBe(pattern === '[a-]' ? '[a\\-]' : pattern);
  });

  it.each(Object.entries(written))('is rewritten in syntax that both sides have: %j', (pattern, portable) => {
    expect(portablePattern(pattern)).toBe(portable);
  });

  it.each(refused)('is omitted: %j', (pattern) => {
    expect(portablePattern(pattern)).toBeUndefined();
  });

  it('accepts the same texts after it is rewritten', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      '.',
      '[^a]',
      '\\d',
      '\\w',
      '[a-c]',
      '^',
      '$',
      '(',
      ')',
      '|',
      '*',
      '+',
      '?',
      '{2}',
      '-',
    );
    const patterns = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(''));
    const texts = fc
      .array(fc.constantFrom('a', 'b', 'd', '1', '_', '\n', '-'), { maxLength: 6 })
      .map((all) => all.join(''));
    const seen = { said: 0, taken: 0, refused: 0 };
    fc.assert(
      fc.property(patterns, fc.array(texts, { minLength: 5, maxLength: 10 }), (pattern, tried) => {
        const portable = portablePattern(pattern);
        if (portable === undefined) return;
        seen.said += 1;
        for (const text of tried) {
          const takes = new RegExp(pattern, 'u').test(text);
          seen[takes ? 'taken' : 'refused'] += 1;
          expect(new RegExp(portable).test(text)).toBe(takes);
        }
      }),
      runs(1_500),
    );
    expect(Math.min(seen.said, seen.taken, seen.refused)).toBeGreaterThan(200);
  });
});
