import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

type Change = 'drop' | 'replace' | 'extend';
type Path = readonly string[];

const aUuid = 'a3bb189e-8bf9-3888-9912-ace4e6543002';

/** Values that almost fit: each is wrong somewhere, and some are right elsewhere. */
const nearMisses: readonly unknown[] = [
  '',
  ' ',
  'Intake',
  'SUBMITTED',
  'unknown',
  aUuid.slice(1),
  `${aUuid}0`,
  `{${aUuid}}`,
  `urn:uuid:${aUuid}`,
  aUuid.replaceAll('-', ''),
  `${aUuid}\n`,
  '2026-02-30T00:00:00Z',
  '2026-01-01',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00+0530',
  '2026-01-01T00:00:00+05',
  '2026-01-01t00:00:00z',
  '2026-01-01 00:00:00Z',
  '2026-01-01\u00a000:00:00Z',
  '2026-12-31T23:59:60Z',
  '2026-12-31T18:59:60-05:00',
  '1900-02-29T00:00:00Z',
  '/a/~2',
  'a/b',
  -Number.MIN_VALUE,
  1 + Number.EPSILON,
  -1,
  1.5,
  2 ** 53,
  -(2 ** 53),
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  null,
  true,
  [],
  {},
  [null],
  [{}],
  { messageId: 'm1' },
];

const pathsOf = (value: unknown, at: Path = []): Path[] =>
  typeof value === 'object' && value !== null && at.length < 4
    ? [at, ...Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...at, key]))]
    : [at];

const changed = (value: unknown, [key, ...rest]: Path, change: Change, other: unknown): unknown => {
  if (key === undefined) {
    if (change !== 'extend') return other;
    return Array.isArray(value)
      ? [...value, other]
      : typeof value === 'object'
        ? { ...value, unexpected: other }
        : other;
  }
  if (Array.isArray(value)) {
    const index = Number(key);
    const member = changed(value[index], rest, change, other);
    return rest.length === 0 && change === 'drop' ? value.toSpliced(index, 1) : value.with(index, member);
  }
  const { [key]: member, ...others } = value as Record<string, unknown>;
  return rest.length === 0 && change === 'drop'
    ? others
    : { ...others, [key]: changed(member, rest, change, other) };
};

/** A document with one field dropped, replaced or added, somewhere in its first four levels. */
export const mutated = (documents: Arbitrary<unknown>): Arbitrary<unknown> =>
  documents.chain((document) =>
    fc
      .tuple(
        fc.constantFrom(...pathsOf(document)),
        fc.constantFrom<Change>('drop', 'replace', 'replace', 'extend'),
        fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...nearMisses) }, fc.jsonValue({ maxDepth: 1 })),
      )
      .map(([path, change, other]) => changed(document, path, change, other)),
  );
