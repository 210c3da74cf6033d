import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCharterError } from '../../src/index.ts';
import { runsOf } from './malformed.ts';
import { parsers, type Parser } from './parsers.ts';
import { opaque, parameters, prototypes } from './trying.ts';

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

test.each(Object.entries(parsers))(
  '%s with malformed input returns or throws a CharterError, and does nothing else',
  async (_, parser) => {
    const before = prototypes();
    const seen = { read: 0, refused: 0 };
    const runs = runsOf(400);
    await fc.assert(
      fc.asyncProperty(opaque(parser), async ({ value }) => {
        seen[await tried(parser, value)] += 1;
      }),
      parameters(runs),
    );
    expect(prototypes()).toEqual(before);
    expect(seen.read + seen.refused).toBe(runs);
    expect(seen.read).toBeGreaterThan(0);
  },
);
