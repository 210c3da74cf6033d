import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCharterError } from '../../src/index.ts';
import { Held, runsOf } from './malformed.ts';
import { journeys, type Journey } from './journeys.ts';
import { parsers, type Parser } from './parsers.ts';

const seed = process.env['FC_SEED'];

const parameters = (numRuns: number) => ({
  numRuns,
  endOnFailure: true,
  ...(seed !== undefined && { seed: Number(seed) }),
});

const held = ({ given }: { readonly given: fc.Arbitrary<unknown> }) => given.map((value) => new Held(value));

/** Milliseconds after which one input hangs: a guard, no measure of speed. */
const hang = 5_000;

const prototypes = (): unknown =>
  [Object.prototype, Array.prototype, Function.prototype].map((prototype) => Reflect.ownKeys(prototype));

/** How an attempt ends: what is thrown is this library's own error, or fails the test. */
const tried = async ({ read }: Parser, value: unknown): Promise<'read' | 'refused'> => {
  try {
    const answer = read(value);
    if (answer instanceof Promise) await answer; // a document with a member `then` is none
    return 'read';
  } catch (error) {
    if (isCharterError(error)) return 'refused';
    throw new Error('it was refused by no CharterError', { cause: error });
  }
};

const timed = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const began = performance.now();
  const result = await work();
  expect(performance.now() - began).toBeLessThan(hang);
  return result;
};

test.each(Object.entries(parsers))(
  '%s, malformed in any way, is read or refused by a typed error, and nothing else happens',
  { timeout: 60_000 + runsOf(0) * 20 },
  async (_, parser) => {
    const before = prototypes();
    const seen = { read: 0, refused: 0 };
    const runs = runsOf(400);
    await fc.assert(
      fc.asyncProperty(held(parser), async ({ value }) => {
        seen[await timed(() => tried(parser, value))] += 1;
      }),
      parameters(runs),
    );
    expect(prototypes()).toEqual(before);
    expect(seen.read + seen.refused).toBe(runs);
    expect(seen.read).toBeGreaterThan(0);
  },
);

test.each(Object.entries(journeys))(
  '%s, malformed in any way, leads its task to an end, and nothing else happens',
  { timeout: 60_000 + runsOf(0) * 40 },
  async (_, journey: Journey) => {
    const before = prototypes();
    const ends = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(held(journey), async ({ value }) => {
        const end = await timed(() => journey.run(value));
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }),
      parameters(journey.isAlone === true ? runsOf(60) : Math.ceil(runsOf(600) / 10)),
    );
    expect(prototypes()).toEqual(before);
    expect([...ends.keys()].filter((end) => !/^(?:completed\.settled|failed|refused)$/.test(end))).toEqual(
      [],
    );
  },
);
