import { applyMapping, mediate, type Mapping } from 'agentcharter/semantics';
import type { JsonObject } from '../../../../../schema/formats.ts';
import type { UpContext } from '../../../../../schema/index.ts';

/** A context of one value. */
export const honest: UpContext = { fields: { a: 'colour' } };

/** A mapping that no mediation has made. */
export const forged = (
  links: readonly (readonly [from: string, to: string])[],
  more: JsonObject = {},
): Mapping => ({
  links: links.map(([from, to]) => ({ from, to, score: 1, why: [], conversions: [] })),
  constants: [],
  target: {},
  ...more,
});

/** A context of so many values, and what is said of each. */
export const many = (count: number, said: (at: number) => string): UpContext => ({
  fields: Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, said(at)])),
});

const literals = (end: string): UpContext => ({
  fields: many(30, () => 'colour of it').fields,
  constraints: Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `f${at}`,
      { enum: Array.from({ length: 200 }, (__, v) => `${v}${end}`) },
    ]),
  ),
});
const unlike = many(500, (at) => `w${at} x${at} y${at}`);
const wordy = many(1, () => Array.from({ length: 10_000 }, (_, at) => `w${at}`).join(' '));
const repeated = many(1, () => 'x '.repeat(20_000));
const deep: UpContext = { fields: { [`a${'[]'.repeat(2_000)}`]: 'colour' } };
const heads = Array.from({ length: 400 }, (_, at) => ['a', `r[].h${at}`] as const);
const far = { a: 1, b: 2, list: [3] };

/** Inputs that are as heavy as they may be, and the code of the refusal of each that is refused. */
export const heavy: readonly (readonly [name: string, code: string | undefined, run: () => unknown])[] = [
  ['500 values that nothing relates', undefined, () => mediate(unlike, unlike)],
  ['10,000 words about one value', undefined, () => mediate(wordy, wordy)],
  ['one word 20,000 times', undefined, () => mediate(repeated, repeated)],
  ['30 enums of 200 values on each side', undefined, () => mediate(literals('a'), literals('b'))],
  ['2,000 levels', 'document_invalid', () => mediate(deep, honest)],
  [
    'a place in a tuple that is far away',
    'document_invalid',
    () => applyMapping(forged([['a', 'x[2000000]']]), far),
  ],
  [
    'a head in 5,000 rows, 400 times',
    'document_invalid',
    () => applyMapping(forged([['list[]', 'r[].x'], ...heads]), { a: 1, list: Array(5_000).fill(1) }),
  ],
];
