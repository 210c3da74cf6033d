import type * as fc from 'fast-check';
import { OpaqueValue } from './malformed.ts';

/** How often; a failure is reported as it is found. */
export const parameters = (numRuns: number) => ({ numRuns, endOnFailure: true });

export const opaque = ({ given }: { readonly given: fc.Arbitrary<unknown> }) =>
  given.map((value) => new OpaqueValue(value));

/** What nobody may change. */
export const prototypes = (): unknown =>
  [Object.prototype, Array.prototype, Function.prototype].map((prototype) => Reflect.ownKeys(prototype));
