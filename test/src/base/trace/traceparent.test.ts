import { describe, expect, it } from 'vitest';
import { formatTraceparent, isTracestate, parseTraceparent } from '../../../../src/base/trace/traceparent.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

describe('a traceparent [W3C Trace Context 2, 3.2]', () => {
  it.each([
    [`00-${traceId}-${spanId}-01`, 1],
    [`00-${traceId}-${spanId}-00`, 0],
    [`00-${traceId}-${spanId}-02`, 2],
    [`00-${traceId}-${spanId}-03`, 3],
    [`00-${traceId}-${spanId}-ff`, 3],
    [`cc-${traceId}-${spanId}-01`, 1],
    [`cc-${traceId}-${spanId}-03`, 1],
    [`cc-${traceId}-${spanId}-01-what-the-future-will-be-like`, 1],
    [`fe-${traceId}-${spanId}-00-`, 0],
  ])('is parsed: %s', (text, flags) => {
    expect(parseTraceparent(text)).toEqual({ traceId, spanId, flags });
  });

  it.each([
    ['nothing', ''],
    ['all-zero trace id', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['all-zero span id', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['version ff', `ff-${traceId}-${spanId}-01`],
    ['version 00 with more', `00-${traceId}-${spanId}-01-what`],
    ['version 00 with a dash', `00-${traceId}-${spanId}-01-`],
    ['a later version with more, and no dash', `cc-${traceId}-${spanId}-01.what`],
    ['a later version with longer flags', `cc-${traceId}-${spanId}-011`],
    ['upper case', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['an upper-case version', `CC-${traceId}-${spanId}-01`],
    ['a character that is not hex', `00-${traceId.slice(1)}g-${spanId}-01`],
    ['a version that is not hex', `.0-${traceId}-${spanId}-01`],
    ['flags that are not hex', `00-${traceId}-${spanId}-.0`],
    ['a short trace id', `00-${traceId.slice(1)}-${spanId}-01`],
    ['a long trace id', `00-${traceId}0-${spanId}-01`],
    ['a short span id', `00-${traceId}-${spanId.slice(1)}-01`],
    ['a long span id', `00-${traceId}-${spanId}0-01`],
    ['short flags', `00-${traceId}-${spanId}-1`],
    ['no flags', `00-${traceId}-${spanId}`],
    ['no version', `${traceId}-${spanId}-01`],
    ['another separator', `00_${traceId}_${spanId}_01`],
    ['a blank before', ` 00-${traceId}-${spanId}-01`],
    ['a blank behind', `00-${traceId}-${spanId}-01 `],
    ['a line behind', `00-${traceId}-${spanId}-01\n`],
    ['a line end in the fields of a later version', `cc-${traceId}-${spanId}-01-\n`],
    ['two', `00-${traceId}-${spanId}-01,00-${traceId}-${spanId}-01`],
  ])('is rejected with %s', (_, text) => {
    expect(parseTraceparent(text)).toBeNull();
  });

  it('is written as version 00 and parses back', () => {
    expect(formatTraceparent({ traceId, spanId, flags: 1 })).toBe(`00-${traceId}-${spanId}-01`);
    for (const flags of [0, 1, 2, 3])
      expect(parseTraceparent(formatTraceparent({ traceId, spanId, flags }))).toEqual({
        traceId,
        spanId,
        flags,
      });
  });
});

describe('a tracestate [W3C Trace Context 2, 3.3]', () => {
  it.each([
    'congo=t61rcWkgMzE',
    'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE',
    'foo=1 \t , \t bar=2',
    'foo=1,',
    ',,foo=1',
    '',
    'foo@=1,bar=2',
    '0foo=1',
    'fw529a3039@dt=FfffffCc;tl:1',
    `${'z'.repeat(256)}=1`,
    `a=${'v'.repeat(256)}`,
    'a= 1',
    'a_-*/@b=!~',
    Array.from({ length: 32 }, (_, at) => `k${at}=1`).join(','),
  ])('is valid: %s', (text) => {
    expect(isTracestate(text)).toBe(true);
  });

  it.each([
    ['an upper-case key', 'A=1'],
    ['a key that begins with a sign', '_a=1'],
    ['a key with a blank', 'a b=1'],
    ['no key', '=1'],
    ['no value', 'a='],
    ['a blank value', 'a= '],
    ['no equals sign', 'a'],
    ['two equals signs', 'a=1=2'],
    ['a key twice', 'a=1,b=2,a=3'],
    ['a key too long', `${'z'.repeat(257)}=1`],
    ['a value too long', `a=${'v'.repeat(257)}`],
    ['a character beyond ASCII', 'a=é'],
    ['a control character', 'a=\u0007'],
    ['a line', 'a=1\nb=2'],
    ['33 members', Array.from({ length: 33 }, (_, at) => `k${at}=1`).join(',')],
  ])('is rejected with %s', (_, text) => {
    expect(isTracestate(text)).toBe(false);
  });
});
