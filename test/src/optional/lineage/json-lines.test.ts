import { fromJsonLines, lineageOf, toJsonLines } from 'agentcharter/lineage';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UpFormatMessage } from '../../../../schema/index.ts';
import { isCharterError } from '../../../../src/base/errors.ts';
import { runs } from '../../../machines/generated.ts';
import { fitting } from '../../../schema/arbitraries.ts';
import { drawn, found, messageOf, placesIn } from './made.ts';
import { share } from '../../../share.ts';

const messages = [messageOf({ id: 1 }), messageOf({ id: 2, answers: 1 }), messageOf({ id: 3, answers: 2 })];
const text = toJsonLines(messages);

describe('A thread as lines of JSON', () => {
  it('has one message a line, keys in order, and parses back unchanged', () => {
    expect(text).toBe(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    expect(fromJsonLines(text)).toEqual(messages);
    expect(fromJsonLines(new TextEncoder().encode(text))).toEqual(messages);
    expect(fromJsonLines(text.trimEnd().replaceAll('\n', '\r\n'))).toEqual(messages);
    expect(fromJsonLines('')).toEqual([]);
  });

  it('parses back to the byte for random messages', () => {
    fc.assert(
      fc.property(fc.array(fitting['upformat-message'], { maxLength: 4 }), (given) => {
        const taken = placesIn(lineageOf(given)).map(({ node }) => node.message);
        const written = toJsonLines(taken);
        expect(written.split('\n')).toHaveLength(taken.length + 1);
        expect(toJsonLines(fromJsonLines(written) as readonly UpFormatMessage[])).toBe(written);
      }),
      runs(share(300, 100)),
    );
  });

  it('parses back with messages of the largest size', () => {
    const escaped = messageOf({ id: 1, explanation: '\u0001'.repeat(1_000_000) });
    const wide = messageOf({
      id: 2,
      payload: Object.fromEntries(Array.from({ length: 90_000 }, (_, index) => [`k${index}`, 0])),
    });
    const lineage = lineageOf(fromJsonLines(toJsonLines([escaped, wide])));
    expect([placesIn(lineage).length, found(lineage)]).toEqual([2, []]);
  });

  it.each([
    ['a blank line', '', 'it is not JSON'],
    ['half a line', '{"messageId":', 'it is not JSON'],
    ['a key twice', '{"state":"failed","state":"completed"}', 'the key occurs twice'],
    ['too deep a line', `${'['.repeat(65)}${']'.repeat(65)}`, 'it is nested too deeply'],
  ])('with %s loses only that line and reports its number and the reason', (_, line, reason) => {
    const broken = text.split('\n').with(1, line).join('\n');
    const values = fromJsonLines(broken);
    expect(values).toHaveLength(3);
    expect(isCharterError(values[1], 'input_unreadable')).toBe(true);
    const lineage = lineageOf(values);
    expect(drawn(lineage)).toBe('1 3');
    expect(found(lineage)).toEqual(['unreadable 1', 'orphan 2']);
    expect(lineage.findings[0]?.message).toMatch(/^line 2 .*is not read: /);
    expect(lineage.findings[0]?.message).toContain(reason);
  });

  it('reports bytes that are not UTF-8, and a line that is JSON but no message', () => {
    const lineage = lineageOf(fromJsonLines(Uint8Array.from([0x22, 0xff, 0x22, 0x0a, 0x31])));
    expect(lineage.findings.map(({ message }) => message)).toEqual([
      'line 1 is not read: it is not UTF-8; accepted: JSON in UTF-8',
      'message 2 is not valid: it must be an object, was a number',
    ]);
  });
});
