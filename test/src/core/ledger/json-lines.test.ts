import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCharterError } from '../../../../src/base/errors.ts';
import { fromJsonLines, toJsonLines, verifyLedger } from '../../../../src/core/ledger/index.ts';
import { sealRecord } from '../../../../src/core/kernel/seal.ts';
import { plainOf, runs } from '../../base/canonical/generated.ts';
import { entryOf } from './entry.ts';
import { madeLedger } from './made.ts';

const records = madeLedger(3).records();
const text = toJsonLines(records);
/** Numbers that every parser reads exactly (RFC 7493 2.2): other integers are sealed and written, but rejected on reading. */
const exact = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((value) => Number.isSafeInteger(value) || !/^-?\d+$/.test(String(value)));

const errorOf = (given: string | Uint8Array): { readonly code: string; readonly message: string } => {
  try {
    fromJsonLines(given);
  } catch (error) {
    if (isCharterError(error)) return error;
    throw error;
  }
  throw new Error('it was read');
};

describe('A ledger as lines of JSON', () => {
  it('is parsed unchanged from text and from bytes', async () => {
    expect(text.split('\n')).toHaveLength(records.length + 1);
    expect(fromJsonLines(text)).toEqual(records);
    expect(fromJsonLines(Buffer.from(text))).toEqual(records);
    expect(toJsonLines(fromJsonLines(text))).toBe(text);
    expect((await verifyLedger(fromJsonLines(text))).intact).toBe(true);
    expect(fromJsonLines('')).toEqual([]);
    expect(fromJsonLines(new Uint8Array())).toEqual([]);
  });

  it('is parsed without a final line feed and with CRLF', () => {
    expect(fromJsonLines(text.trimEnd())).toEqual(records);
    expect(fromJsonLines(text.replaceAll('\n', '\r\n'))).toEqual(records);
  });

  it('is parsed unchanged for random payloads', () => {
    fc.assert(
      fc.property(plainOf(exact), fc.string({ unit: 'grapheme' }), (met, explanation) => {
        const entry = entryOf(0, { brought: { met, explanation } });
        const record = sealRecord(entry, { previous: null, snapshot: explanation, emissions: [] });
        const line = toJsonLines([record]);
        expect(fromJsonLines(line)).toEqual([record]);
        expect(fromJsonLines(new TextEncoder().encode(line))).toEqual([record]);
      }),
      runs(500),
    );
  });

  it.each([
    ['a blank line', text.replace('\n', '\n\n'), 'input_unreadable', 'ledger line 2'],
    ['half a line', text.slice(0, -20), 'input_unreadable', `ledger line ${records.length}`],
    ['a line that is no record', `${text}{}\n`, 'document_invalid', `ledger line ${records.length + 1}`],
    ['a BOM', `\ufeff${text}`, 'input_unreadable', 'ledger line 1'],
    ['a key twice', text.replace('{', '{"seq":0,'), 'input_unreadable', 'ledger line 1'],
    ['a key too many', text.replace('{', '{"more":0,'), 'document_invalid', 'ledger line 1'],
    [
      'a contract of another shape',
      text.replace('"threshold":', '"threshhold":'),
      'document_invalid',
      'ledger line 1',
    ],
    [
      'a fact of no type',
      text.replace('"request.accepted"', '"request.wanted"'),
      'document_invalid',
      'ledger line 2',
    ],
  ])('is rejected with %s, with its place', (_, given, code, line) => {
    expect(errorOf(given)).toMatchObject({ code });
    expect(errorOf(given).message).toContain(line);
    expect(errorOf(Buffer.from(given))).toMatchObject({ code });
  });

  it('is rejected when it is not UTF-8 or exceeds a limit', () => {
    expect(errorOf(Uint8Array.from([0x22, 0xff, 0x22])).code).toBe('input_unreadable');
    expect(() => fromJsonLines(text, { bytes: 100 })).toThrow('ledger line 1');
    expect(() => fromJsonLines(text, { depth: 2 })).toThrow('ledger line 1');
  });

  it('throws only CharterError for random damage', () => {
    const seen = { read: 0, refused: 0 };
    const piece = fc.constantFrom(
      '',
      '\n',
      '{',
      '}',
      '"',
      ',',
      'null',
      '\\',
      '-',
      '\ufeff',
      '{}\n',
      '9007199254740993',
      '"__proto__":1,',
      '\ud800',
    );
    const changes = fc.array(fc.tuple(fc.nat(text.length), fc.nat(40), piece), {
      minLength: 1,
      maxLength: 3,
    });
    const damaged = changes.map((all) =>
      all.reduce((now, [at, cut, put]) => now.slice(0, at) + put + now.slice(at + cut), text),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          damaged,
          damaged.map((one) => Buffer.from(one)),
          fc.uint8Array({ maxLength: 60 }),
        ),
        (given) => {
          try {
            fromJsonLines(given);
            seen.read += 1;
          } catch (error) {
            if (!isCharterError(error)) throw error;
            seen.refused += 1;
            expect(error.message).toContain('ledger line ');
            expect(['input_unreadable', 'document_invalid']).toContain(error.code);
          }
        },
      ),
      runs(1_000),
    );
    expect(seen.refused).toBeGreaterThan(500);
  });
});
