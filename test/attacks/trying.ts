import type * as fc from 'fast-check';
import { OpaqueValue } from './malformed.ts';

const seed = process.env['FC_SEED'];

/** How often, and from which seed. */
export const parameters = (numRuns: number) => ({
  numRuns,
  endOnFailure: true,
  ...(seed !== undefined && { seed: Number(seed) }),
});

export const opaque = ({ given }: { readonly given: fc.Arbitrary<unknown> }) =>
  given.map((value) => new OpaqueValue(value));

/** What nobody may change. */
export const prototypes = (): unknown =>
  [Object.prototype, Array.prototype, Function.prototype].map((prototype) => Reflect.ownKeys(prototype));
