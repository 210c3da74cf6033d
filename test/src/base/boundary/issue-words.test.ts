import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  checkCode,
  checkData,
  issueInCode,
  issueInDocument,
} from '../../../../src/base/boundary/issues-of.ts';

const one = (name: string, schema: z.ZodType): z.ZodType => z.strictObject({ [name]: schema });

it.each<[z.ZodType, unknown, string]>([
  [z.string(), 1, 'must be a string, was a number'],
  [z.string(), undefined, 'must be a string, but is missing'],
  [z.string().min(1), '', 'must be a string that is not empty'],
  [z.string().min(1).max(4), 'hunter2', 'must be a string of 1 to 4 characters'],
  [z.string().length(3), 'hunter2', 'must be a string of exactly 3 characters'],
  [z.string().regex(/^a/), 'hunter2', 'must be a string that matches /^a/'],
  [z.string().startsWith('a'), 'hunter2', 'must be a string that starts with "a"'],
  [z.string().endsWith('a'), 'hunter2', 'must be a string that ends with "a"'],
  [z.string().includes('a'), 'hunter2', 'must be a string with "a" in it'],
  [z.cidrv4(), 'hunter2', 'must be a string that matches'],
  [z.url(), 'hunter2', 'must be a URL'],
  [z.iso.datetime(), 'hunter2', 'must be a date and time such as 2026-01-31T12:00:00Z (RFC 3339)'],
  [z.number(), null, 'must be a number, was null'],
  [z.number(), Number.NaN, 'must be a number, was NaN'],
  [z.number().positive(), 0, 'must be a number above 0'],
  [z.number().gt(1).lt(3), 4, 'must be a number above 1 and below 3'],
  [z.number().max(1), 4, 'must be a number of at most 1'],
  [z.int().min(1).max(1_000), 4_242, 'must be a whole number from 1 to 1000'],
  [z.int().positive().lt(3), 1.5, 'must be a whole number from 1 to 2, was a number'],
  [z.int().multipleOf(3), 4, 'must be a multiple of 3'],
  [z.boolean(), 'hunter2', 'must be true or false, was a string'],
  [z.boolean(), [], 'must be true or false, was an array'],
  [z.array(z.string()), true, 'must be an array, was a boolean'],
  [z.array(z.string()).min(2), [], 'must be an array of at least 2 items'],
  [z.tuple([z.string(), z.string()]), [], 'must be an array of at least 2 items'],
  [z.record(z.string(), z.string()), 1, 'must be an object, was a number'],
  [z.map(z.string(), z.string()), 1, 'must be a map, was a number'],
  [z.never().optional(), 1, 'must be omitted, was a number'],
  [z.enum(['pass', 'fail']), 'hunter2', 'must be one of "pass", "fail"'],
  [z.literal('done'), 'hunter2', 'must be "done"'],
  [z.union([z.string(), z.number(), z.null()]), true, 'must be a string, a number or null, was a boolean'],
  [
    z.union([z.string(), z.custom(() => false, 'expected a stone')]),
    1,
    'must be a string, or expected a stone',
  ],
  [z.string().refine(() => false), 'hunter2', 'is not accepted'],
  [z.string().refine(() => false, 'expected a word'), 'hunter2', ': expected a word'],
  [z.map(z.string(), z.string()), new Map([['a', 1]]), 'must be a string, was a number'],
])('says of data what it must be, and quotes no value: %#', (schema, value, words) => {
  const { issues = [] } = checkData(one('field', schema), value === undefined ? {} : { field: value });
  const said = issues.map(issueInDocument).join('; ');
  expect(said.replace(/^"[^"]*" ?/, '')).toContain(words);
  expect(said).not.toMatch(/hunter2|4242/);
});

it.each<[z.ZodType, unknown, string]>([
  [z.int().positive(), 'two', 'field must be a whole number of at least 1, was "two"'],
  [z.int(), 1.5, 'field must be a whole number, was 1.5'],
  [
    z.enum(['read', 'write']),
    'raed',
    'field must be one of "read", "write", was "raed". Did you mean "read"?',
  ],
  [z.boolean(), 'x'.repeat(41), 'field must be true or false, was a string'],
  [z.array(one('a b', z.string())), [{ 'a b': 1 }], 'field[0]["a b"] must be a string, was 1'],
  [
    one('limit', z.int()),
    { limits: 1, limit: 1 },
    'field: unknown key "limits". Check its spelling, or remove it',
  ],
])('quotes what an author wrote, and names the member as in code: %#', (schema, value, words) => {
  const { issues = [] } = checkCode(one('field', schema), { field: value });
  expect(issues.map(issueInCode).join('; ')).toBe(words);
});

const known = () => ['tools', 'model'];

it('offers the nearest of the accepted keys, or all of them', () => {
  expect(checkCode(z.strictObject({}), { tool: 1, colour: 1 }, known).issues).toEqual([
    { path: '/tool', message: 'unknown key "tool". Did you mean "tools"?' },
    { path: '/colour', message: 'unknown key "colour". Accepted: tools, model' },
  ]);
});

it('leaves the messages of other parsers of zod as they are', () => {
  checkData(z.string(), 1);
  expect(z.string().safeParse(1).error?.issues[0]?.message).toContain('Invalid input');
});
