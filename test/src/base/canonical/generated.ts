import * as fc from 'fast-check';
import { CharterError } from '../../../../src/base/errors.ts';

/** The runs of a property: FC_RUNS, and at least `least`. */
export const runs = (least = 200): fc.Parameters<unknown> => ({
  numRuns: Math.max(least, Number(process.env['FC_RUNS'] ?? 0)),
});

const text = fc.string({ unit: 'binary', maxLength: 12 });

export const key = fc
  .oneof(
    text,
    fc.constantFrom('', 'a', 'b', '~', '/', '"', '\\', 'constructor', 'prototype', 'toString', '10', '9'),
  )
  .filter((name) => name !== '__proto__'); // fast-check likes to generate it

/** Plain JSON data that the library must accept, with the given numbers. */
export const plainOf = (number: fc.Arbitrary<number>): fc.Arbitrary<unknown> =>
  fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.oneof(text, number, fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(key, tie('value'), { maxKeys: 5 }).map((members) => ({ ...members })),
    ),
  })).value;

export const plain = plainOf(fc.double({ noNaN: true, noDefaultInfinity: true }));

/** Returns a value as JSON has it: -0 becomes 0, and null prototypes become plain objects. */
export const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Returns the error of a refusal; fails the test for any other error, or none. */
export function refusalOf(attempt: () => unknown): CharterError<'input_unreadable'> {
  try {
    attempt();
  } catch (error) {
    if (error instanceof CharterError && error.code === 'input_unreadable') {
      return error as CharterError<'input_unreadable'>;
    }
    throw new Error('not an input_unreadable', { cause: error });
  }
  throw new Error('it was not refused');
}
