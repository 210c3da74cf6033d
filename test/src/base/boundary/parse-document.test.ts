import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { issueLimit, issuesOf } from '../../../../src/base/boundary/issues-of.ts';
import { issueWords } from '../../../../src/base/boundary/issue-words.ts';
import { parseDocument } from '../../../../src/base/boundary/parse-document.ts';
import { isCharterError, type CharterError } from '../../../../src/base/errors.ts';

const Report = z.strictObject({
  verifier_id: z.string().min(1),
  status: z.enum(['pass', 'fail']),
  confidence: z.number().min(0).max(1),
  'checks/all': z.array(z.strictObject({ name: z.string() })),
});

const valid = { verifier_id: 'v', status: 'pass', confidence: 1, 'checks/all': [{ name: 'n' }] };

function refusalOf(schema: z.ZodType, value: unknown): CharterError<'document_invalid'> {
  try {
    parseDocument('VerificationReport', schema, value);
  } catch (error) {
    if (isCharterError(error, 'document_invalid')) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

const issues = (schema: z.ZodType, value: unknown): unknown => {
  const result = schema.safeParse(value, issueWords.data);
  return result.success ? [] : issuesOf(result.error);
};

test('parseDocument returns a valid value as its schema parses it', () => {
  expect(parseDocument('VerificationReport', Report, valid)).toEqual(valid);
  expect(parseDocument('n', z.string().default('x'), undefined)).toBe('x');
});

test('parseDocument names the document, each path and what is accepted', () => {
  const error = refusalOf(Report, { ...valid, status: 'maybe', 'checks/all': [{ name: 1 }, {}] });
  expect(error.details.document).toBe('VerificationReport');
  expect(error.details.issues).toEqual([
    { path: '/status', message: 'must be one of "pass", "fail"' },
    { path: '/checks~1all/0/name', message: 'must be a string, was a number' },
    { path: '/checks~1all/1/name', message: 'must be a string, but is missing' },
  ]);
  expect(error.message).toBe(
    'VerificationReport is not valid: "/status" must be one of "pass", "fail"; ' +
      '"/checks~1all/0/name" must be a string, was a number; ' +
      '"/checks~1all/1/name" must be a string, but is missing',
  );
});

test('parseDocument lists three issues in the message and counts the rest', () => {
  expect(refusalOf(Report, {}).message).toMatch(/"\/confidence" [^;]*; and 1 more$/);
  expect(refusalOf(Report, 1).message).toBe(
    'VerificationReport is not valid: it must be an object, was a number',
  );
});

test('parseDocument reports at most 1,000 issues', () => {
  const error = refusalOf(
    z.array(z.string()),
    Array.from({ length: 5_000 }, () => 1),
  );
  expect(error.details.issues).toHaveLength(issueLimit);
  expect(error.details.issues.at(-1)?.path).toBe('/999');
  const extra = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, 1]));
  expect(refusalOf(z.strictObject({}), extra).details.issues).toHaveLength(issueLimit);
});

test('parseDocument quotes nothing of the payload in the error', () => {
  const error = refusalOf(Report, {
    ...valid,
    verifier_id: ['hunter2'],
    status: 'hunter2',
    confidence: 4242,
  });
  expect(JSON.stringify([error.message, error.details])).not.toMatch(/hunter2|4242/);
});

describe('the issues of', () => {
  test('unrecognized keys have the path of each key', () => {
    expect(issues(Report, { ...valid, 'checks/all': [{ name: 'n', 'a~\n': 1, b: 2 }] })).toEqual([
      { path: '/checks~1all/0/a~0\n', message: 'unknown key "a~\\n". Check its spelling, or remove it' },
      { path: '/checks~1all/0/b', message: 'unknown key "b". Check its spelling, or remove it' },
    ]);
    expect(refusalOf(z.strictObject({}), { 'a\nb': 1 }).message).not.toContain('\n');
  });

  test('a union of types list what each accepts', () => {
    expect(issues(z.object({ a: z.union([z.string(), z.null()]) }), { a: 1 })).toEqual([
      {
        path: '/a',
        message: 'must be a string or null, was a number',
      },
    ]);
  });

  test('a union of objects are those of the closest alternative', () => {
    const schema = z.array(
      z.union([
        z.object({ p: z.string(), q: z.string() }),
        z.object({ r: z.number(), s: z.null() }),
        z.null(),
      ]),
    );
    expect(issues(schema, [{ r: 1 }])).toEqual([{ path: '/0/s', message: 'must be null, but is missing' }]);
  });

  test('a discriminated union list the values of the discriminator', () => {
    const schema = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a') }),
      z.object({ kind: z.literal('b') }),
    ]);
    expect(issues(schema, { kind: 'c' })).toEqual([{ path: '/kind', message: 'must be one of "a", "b"' }]);
  });

  test('a record key give the reason', () => {
    expect(issues(z.record(z.string().max(2), z.number()), { abc: 1 })).toEqual([
      { path: '/abc', message: 'must be a string of at most 2 characters' },
    ]);
  });
});

test.each([
  [
    'a refinement that throws',
    z.string().refine(() => {
      throw new Error('broken');
    }),
    'x',
  ],
  ['an asynchronous refinement', z.string().refine(() => Promise.resolve(true)), 'x'],
  ['a value too deep for zod', z.json(), JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))],
])('parseDocument rejects with a cause when %s', (_name, schema, value) => {
  const error = refusalOf(schema, value);
  expect(error.message).toBe('VerificationReport is not valid: its schema threw');
  expect(error.cause).toBeInstanceOf(Error);
});

test.each<[string, () => unknown]>([
  [
    'a getter that throws',
    () => Object.defineProperty({}, 'a', { enumerable: true, get: () => { throw new Error('read'); } }), // prettier-ignore
  ],
  ['a proxy that lies about its keys', () => new Proxy({}, { ownKeys: () => ['a', 'a'] })],
])('parseDocument rejects an unreadable member that a loose schema passes through: %s', (_, made) => {
  const error = refusalOf(z.looseObject({ n: z.number() }), { n: 1, more: made() });
  expect(error.details.issues).toEqual([{ path: '', message: 'a member cannot be read' }]);
  expect(error.cause).toBeInstanceOf(Error);
});
