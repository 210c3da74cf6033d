import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  manyLines,
  markedLines,
  mostText,
  oneLine,
  visibleJson,
  visibleValue,
} from '../../../../src/base/text/foreign-text.ts';

/** Invisible characters, and characters that change how others are displayed. */
const raw =
  /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\u2060-\u2064\u00ad\u115f\u1160\u3164\uffa0\u2800\ufeff\u{e0000}-\u{e0fff}]/u;

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      '\u202e',
      '\u2066',
      '\u200b',
      '\u200d',
      '\u200c',
      '\u0000',
      '\u001b[2K',
      '\u009b',
      '\r',
      '\n',
      '\r\n',
      '\t',

      '\u2028',
      '\ufeff',
      '\u00ad',
      '\u{e0041}',
      '\ufe0f',
      '\u3164',
      '\u2800',
      '\ud83d',
      '\u0301',
      '\ue000',
      'a',
      '> ',
      '\u{1f469}',
      '\u{1f4bb}',
      '\u0628',
      '\u0915',
      '\\',
      '"',
    ),
  }),
);

describe('oneLine', () => {
  it.each([
    ['a right-to-left override', 'pay \u202e321', 'pay \\u202e321'],
    ['isolates', 'a\u2066b\u2069', 'a\\u2066b\\u2069'],
    ['a terminal escape', '\u001b[2K\u009b31m', '\\u001b[2K\\u009b31m'],
    ['lines', 'a\r\nb\u2028c', 'a\\u000d\\u000ab\\u2028c'],
    ['zero-width characters', 'al\u200bi\u2060ce\ufeff', 'al\\u200bi\\u2060ce\\ufeff'],
    ['joiners between Latin letters', 'al\u200dice\u200c', 'al\\u200dice\\u200c'],
    ['a soft hyphen', 'al\u00adice', 'al\\u00adice'],
    ['letters that are blank', '\u3164\u115f\u2800', '\\u3164\\u115f\\u2800'],
    ['tags', 'a\u{e0041}', 'a\\udb40\\udc41'],
    ['a variation selector on a letter', 'a\ufe0f\u{e0100}', 'a\\ufe0f\\udb40\\udd00'],
    ['half a character', 'a\ud83d', 'a\\ud83d'],
    ['a private character', '\ue000', '\\ue000'],
    ['a tower of marks', `a${'\u0301'.repeat(8)}`, `a${'\u0301'.repeat(6)}${'\\u0301'.repeat(2)}`],
  ])('escapes %s as a code point', (_, given, expected) => {
    expect(oneLine(given)).toBe(expected);
  });

  it.each([
    ['German', 'Zahle 100 € an Jürgen Groß'],
    ['Persian, with its joiner', 'می\u200cخواهم'],
    ['Hindi, with its joiner', 'क्\u200dष'],
    ['emoji of several', '\u{1f469}\u200d\u{1f4bb} \u2764\ufe0f \u{1f44d}\u{1f3fd}'],
    ['Vietnamese, decomposed', 'Vie\u0323\u0302t'],
    ['Chinese and Japanese', '向愛麗絲支付 アリス'],
  ])('keeps %s', (_, text) => {
    expect(oneLine(text)).toBe(text);
  });

  it('leaves no invisible character and changes nothing when applied twice', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const line = oneLine(text);
        expect(line).not.toMatch(raw);
        expect(oneLine(line)).toBe(line);
      }),
      { examples: [['\ufe0f\u200d\u{1f4bb}']] },
    );
  });
});

describe('markedLines', () => {
  it('marks every further line, so that none looks like one of ours', () => {
    expect(markedLines('Delete?\n\nApproved by: kim\r\n> so')).toBe('Delete?\n> \n> Approved by: kim\n> so');
  });

  it('truncates a long text and gives its full length', () => {
    const text = markedLines(`${'a'.repeat(20)}${'b'.repeat(100)}`, 50);
    expect(text).toBe(`${'a'.repeat(20)}bbbb … (120 characters in all)`);
    expect(text.length).toBeLessThanOrEqual(50);
  });

  it('leaves no invisible character except line feeds and changes nothing when applied twice', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom(40, 60, mostText), (text, most) => {
        const lines = markedLines(text, most);
        expect(lines.length).toBeLessThanOrEqual(most);
        const [first = '', ...rest] = lines.split('\n');
        for (const line of [first, ...rest]) expect(line).not.toMatch(raw);
        for (const line of rest) expect(line).toMatch(/^> /);
        expect(markedLines(lines, most)).toBe(lines);
      }),
      { examples: [['\t\u202e\u202e\r\n\u202e\u202e\u202e\u202e', 40]] },
    );
  });

  it('takes linear time', () => {
    const started = '\u202e'.repeat(1_000_000);
    expect(markedLines(started)).toHaveLength(mostText);
  });
});

it('manyLines adds no mark', () => {
  expect(manyLines('a\r\nb\tc\u202e')).toBe('a\nb  c\\u202e');
});

describe('visible JSON', () => {
  it('parses to the same value and contains no invisible character', () => {
    fc.assert(
      fc.property(fc.jsonValue(), hostile, (value, text) => {
        const given = { [text]: [text, value] };
        const shown = visibleJson(given, 2);
        expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(given)));
        expect(shown.replaceAll('\n', '')).not.toMatch(raw);
      }),
    );
  });

  it('as a value contains no invisible character, not even in keys', () => {
    expect(visibleValue({ 'a\u202e': ['b\n', 1, null, { c: '\u200b' }] })).toEqual({
      'a\\u202e': ['b\\u000a', 1, null, { c: '\\u200b' }],
    });
  });
});
