import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MessageEnvelope } from '../../../../schema/index.ts';
import { isCharterError } from '../../../../src/index.ts';
import { createStreamReader } from '../../../../src/optional/streaming/index.ts';
import { runs } from '../../base/canonical/generated.ts';
import { chunk, chunksOf, discard, final } from './stream.ts';

/** The envelopes of two streams over a bad network: lost, repeated and out of order. */
const network = fc
  .tuple(fc.array(fc.string({ unit: 'binary', maxLength: 4 }), { minLength: 1, maxLength: 6 }), fc.boolean())
  .chain(([contents, isDelivered]) => {
    const stream = [...chunksOf(contents), isDelivered ? final(contents) : discard(contents.length)];
    const strangers = contents.map((content, index) => chunk(index, content, { stream: 'other' }));
    return fc.record({
      contents: fc.constant(contents),
      isDelivered: fc.constant(isDelivered),
      arriving: fc.oneof(
        fc.shuffledSubarray([...stream, ...stream, ...strangers], { minLength: 1 }),
        fc.constant(stream),
        fc.array(fc.constantFrom(...stream), { maxLength: 30 }),
      ),
    });
  });

const read = (arriving: readonly MessageEnvelope[]) => {
  const reader = createStreamReader('first');
  const taken: MessageEnvelope[] = [];
  for (const envelope of arriving) {
    try {
      reader.read(envelope);
      taken.push(envelope);
    } catch (error) {
      if (!isCharterError(error, 'chunk_refused')) throw error;
    }
  }
  return { ...reader.progress(), taken };
};

it('A stream reader returns a prefix of one stream and verifies only the whole, in any order of envelopes', () => {
  const seen = { final: 0, discarded: 0, open: 0, refused: 0 };
  fc.assert(
    fc.property(network, ({ contents, arriving }) => {
      const { state, text, verified, chunks, taken } = read(arriving);
      seen[state] += 1;
      seen.refused += arriving.length - taken.length;
      const order = taken.filter(({ metadata }) => !('agentcharter:chunks' in (metadata ?? {})));
      expect(order.map(({ streaming }) => streaming?.stream_index)).toEqual(order.map((_, at) => at));
      expect(new Set(taken.map(({ metadata }) => metadata?.['agentcharter:stream'])).size).toBeLessThan(2);
      expect(text).toBe(state === 'discarded' ? '' : contents.slice(0, chunks).join(''));
      expect(verified).toBe(state === 'final' ? contents.join('') : null);
    }),
    runs(1_000),
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
});

it('A stream reader rejects late, repeated and foreign envelopes and still reads the right ones', () => {
  fc.assert(
    fc.property(network, ({ contents, isDelivered, arriving }) => {
      const stream = [...chunksOf(contents), isDelivered ? final(contents) : discard(contents.length)];
      const reader = createStreamReader('first');
      reader.read(stream[0]);
      for (const right of stream.slice(1)) {
        for (const wrong of arriving) {
          const isNext = wrong.streaming?.chunk_id === right.streaming?.chunk_id;
          const isEnd = 'agentcharter:discard' in (wrong.metadata ?? {});
          if (!isNext && !isEnd)
            expect(() => reader.read(wrong)).toThrow(expect.objectContaining({ code: 'chunk_refused' }));
        }
        reader.read(right);
      }
      expect(reader.progress().state).toBe(isDelivered ? 'final' : 'discarded');
    }),
    runs(300),
  );
});
