import * as fc from 'fast-check';
import type { JsonObject } from '../../../../../schema/formats.ts';

/** A message that holds this payload, and this context where there is one. */
export const messageOf = (payload: JsonObject, upContext?: JsonObject): JsonObject => ({
  messageId: '01890a5d-ac96-774b-bcce-b302099a8057',
  threadId: '01890a5d-ac96-774b-bcce-b302099a8058',
  timestamp: '2025-11-03T09:30:00Z',
  state: 'completed',
  payload,
  explanation: 'Three fit.',
  ...(upContext && { upContext }),
});

/** Names that JSON-LD, or JavaScript, could take for more than a name. */
export const hostileNames = [
  '',
  '@id',
  '@context',
  '@type',
  '@vocab',
  '@none',
  '@unknown',
  '@',
  'id',
  'type',
  'urn',
  'http',
  'schema',
  'schema:email',
  'a:b',
  ':',
  'a:',
  ':a',
  '_:b0',
  'https://example.org/',
  '/',
  'a/b',
  '../a',
  '#a',
  '?a',
  '%',
  '%40id',
  ' ',
  'a b',
  '.',
  '[]',
  '*',
  '$',
  '"',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'prototype',
  'é',
  '😀',
  '\u0000',
  '0',
] as const;

const name = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(...hostileNames));
const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    'a',
    '@id',
    '@context',
    'https://example.org/a',
    '_:b',
    '😀',
    null,
    true,
    false,
  ),
  fc.constantFrom(
    0,
    1,
    -1,
    0.5,
    0.1 + 0.2,
    1e-7,
    1e21,
    1.5e300,
    5e-324,
    -123456.789,
    Number.MAX_SAFE_INTEGER,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Number.isInteger(value)),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);

/** Payloads of all that JSON has, with names that mean something to somebody else. */
export const payloads: fc.Arbitrary<JsonObject> = fc.letrec<{ value: unknown; object: JsonObject }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  }),
).object;
