import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  chunkBytes,
  chunkCount,
  hashOfStream,
  streamBytes,
} from '../../../../src/optional/streaming/index.ts';
import { createTally } from '../../../../src/optional/streaming/tally.ts';
import { runs } from '../../base/canonical/generated.ts';

const tallyOf = (contents: readonly string[]) => {
  const tally = createTally();
  for (const content of contents) {
    expect(tally.faultOf(tally.chunks(), content)).toBeNull();
    tally.add(content);
  }
  return tally;
};

it('A tally has the hash of the stream so far after each chunk', () => {
  const wellFormed = fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 12 });
  let seen = 0;
  fc.assert(
    fc.property(wellFormed, (contents) => {
      seen += contents.length;
      const tally = createTally();
      contents.forEach((content, at) => {
        expect(tally.sum()).toEqual({ chunks: at, hash: hashOfStream(contents.slice(0, at)) });
        tally.add(content);
      });
      expect(tally.sum()).toEqual({ chunks: contents.length, hash: hashOfStream(contents) });
      expect(tally.text()).toBe(contents.join(''));
    }),
    runs(300),
  );
  expect(seen).toBeGreaterThan(500);
});

it('A tally accepts a chunk of 64 KiB of UTF-8 and rejects one byte more', () => {
  const { faultOf } = createTally();
  expect(faultOf(0, 'x'.repeat(chunkBytes))).toBeNull();
  expect(faultOf(0, 'x'.repeat(chunkBytes + 1))).toMatch(/65537 bytes: at most 65536/);
  expect(faultOf(0, '€'.repeat(21_845))).toBeNull(); // 65,535 bytes
  expect(faultOf(0, '€'.repeat(21_846))).toMatch(/at most/);
});

it('A tally accepts 10,000 chunks and rejects one more', () => {
  const tally = tallyOf(Array.from({ length: chunkCount }, () => ''));
  expect(chunkCount).toBe(10_000);
  expect(tally.faultOf(chunkCount, '')).toMatch(/10000 chunks already/);
});

it('A tally accepts as much text as a draft may have and rejects one byte more', () => {
  const tally = tallyOf(Array.from({ length: streamBytes / chunkBytes - 1 }, () => 'x'.repeat(chunkBytes)));
  tally.add('x'.repeat(chunkBytes - 1));
  expect(tally.faultOf(tally.chunks(), 'x')).toBeNull();
  expect(tally.faultOf(tally.chunks(), 'xx')).toMatch(/more than 1048576 bytes/);
});

it('A tally rejects half a surrogate pair', () => {
  const { faultOf } = createTally();
  const [high, low] = ['😀'.slice(0, 1), '😀'.slice(1)];
  expect(faultOf(0, '😀')).toBeNull();
  expect(faultOf(0, high)).toMatch(/surrogate/);
  expect(faultOf(0, low)).toMatch(/surrogate/);
});
