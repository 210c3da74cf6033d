import { createTraceState, isValidSpanId, isValidTraceId } from '@opentelemetry/api';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCharterError } from '../../../../src/index.ts';
import { formatTraceparent, isTracestate, parseTraceparent } from '../../../../src/base/trace/traceparent.ts';
import { runs } from '../canonical/generated.ts';
import { scene } from '../../core/shell/scene.ts';
import { identity } from '../../core/shell/scripted.ts';

const valid = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const hex = (length: number) =>
  fc.string({
    unit: fc.nat(15).map((digit) => digit.toString(16)),
    minLength: length,
    maxLength: length,
  });
const fragments = [
  '-',
  '0',
  'ff',
  'F',
  'g',
  ' ',
  '\n',
  '\u0000',
  '.',
  ',',
  '=',
  'é',
  '\ud800',
  '0000000000000000',
];

/** A header with a few cuts and insertions. */
const damaged = (text: string) =>
  fc
    .array(fc.tuple(fc.nat(60), fc.nat(3), fc.constantFrom('', ...fragments)), { minLength: 1, maxLength: 3 })
    .map((changes) =>
      changes.reduce((changed, [place, cut, inserted]) => {
        const at = place % (changed.length + 1);
        return changed.slice(0, at) + inserted + changed.slice(at + cut);
      }, text),
    );

const assembled = fc
  .tuple(hex(2), hex(32), hex(16), hex(2), fc.constantFrom('', '', '-', '-more', 'x'))
  .map(([version, traceId, spanId, flags, more]) => `${version}-${traceId}-${spanId}-${flags}${more}`);

const header = fc.oneof(damaged(valid), assembled, fc.string({ unit: 'binary', maxLength: 80 }));

test('parseTraceparent accepts only a well-formed header, and formatTraceparent writes it as version 00', () => {
  const seen = { read: 0, none: 0 };
  fc.assert(
    fc.property(header, (text) => {
      const read = parseTraceparent(text);
      seen[read === null ? 'none' : 'read'] += 1;
      if (read === null) return;
      const { traceId, spanId, flags } = read;
      expect(isValidTraceId(traceId) && isValidSpanId(spanId)).toBe(true);
      expect(text.slice(2, 53)).toBe(`-${traceId}-${spanId}-`);
      expect(text.startsWith('ff')).toBe(false);
      if (text.startsWith('00')) expect(text).toHaveLength(55);
      else expect(text.slice(55)).toMatch(/^(?:-|$)/);
      expect(flags & 1).toBe(Number.parseInt(text.slice(53, 55), 16) & 1);
      expect(parseTraceparent(formatTraceparent(read))).toEqual(read);
    }),
    runs(3_000),
  );
  expect(Math.min(seen.read, seen.none)).toBeGreaterThan(200);
});

test('isTracestate accepts only what OpenTelemetry parses member by member', () => {
  const member = fc
    .tuple(
      fc.constantFrom('a', 'rojo', 'x_-*/y', 'A', '_', ''),
      fc.constantFrom('1', 'a b', '', '=', 'é', '~'),
    )
    .map(([key, value]) => `${key}=${value}`);
  const seen = { read: 0, none: 0 };
  fc.assert(
    fc.property(fc.array(fc.oneof(member, fc.constantFrom('', ' ', '\t')), { maxLength: 4 }), (members) => {
      const text = members.join(',');
      const is = isTracestate(text);
      seen[is ? 'read' : 'none'] += 1;
      const named = members.filter((one) => one.trim() !== '');
      if (is)
        expect(createTraceState(text).serialize().split(',').filter(Boolean)).toHaveLength(named.length);
    }),
    runs(1_000),
  );
  expect(Math.min(seen.read, seen.none)).toBeGreaterThan(50);
});

test('submit rejects a malformed trace header and begins no task', async () => {
  const { orchestrator } = scene({});
  let begun = 0;
  await fc.assert(
    fc.asyncProperty(header, async (traceparent) => {
      const submitted = orchestrator.submit({ taskClass: 'work', payload: {}, identity, traceparent });
      if (parseTraceparent(traceparent) !== null) {
        begun += 1;
        const [first] = await orchestrator.ledger((await submitted).taskId);
        expect(first?.trace_id).toBe(traceparent.slice(3, 35));
        return;
      }
      const error: unknown = await submitted.then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(isCharterError(error, 'document_invalid') || isCharterError(error, 'input_unreadable')).toBe(
        true,
      );
    }),
    runs(200),
  );
  expect(await orchestrator.list()).toHaveLength(begun);
});
