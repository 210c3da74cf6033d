import type * as fc from 'fast-check';
import { expect } from 'vitest';
import { Held } from './malformed.ts';

const seed = process.env['FC_SEED'];

/** How often, and from which seed. */
export const parameters = (numRuns: number) => ({
  numRuns,
  endOnFailure: true,
  ...(seed !== undefined && { seed: Number(seed) }),
});

export const held = ({ given }: { readonly given: fc.Arbitrary<unknown> }) =>
  given.map((value) => new Held(value));

/** Milliseconds after which one input hangs: a guard, no measure of speed. */
const hang = 5_000;

/** What nobody may change. */
export const prototypes = (): unknown =>
  [Object.prototype, Array.prototype, Function.prototype].map((prototype) => Reflect.ownKeys(prototype));

export const timed = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const began = performance.now();
  const result = await work();
  expect(performance.now() - began).toBeLessThan(hang);
  return result;
};
