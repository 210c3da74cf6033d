import { describe, expect, test } from 'vitest';
import {
  allowanceOf,
  budgetOf,
  foreignBudget,
  type ForeignBudget,
} from '../../../../src/base/boundary/budget.ts';

const deep = (levels: number): object => {
  let value: object = {};
  for (let level = 1; level < levels; level += 1) value = { of: value };
  return value;
};

const party = 'server post';
const allowance = (given: Partial<ForeignBudget> = {}) => allowanceOf(party, budgetOf('test', given));
const refusal = (limit: string, sent: number | null) => ({
  code: 'budget_exceeded',
  details: { party, limit, allowed: expect.any(Number) as number, sent },
});

describe('A budget', () => {
  test('has a default for each omitted limit', () => {
    expect(budgetOf('test', { tools: 7 })).toEqual({ ...foreignBudget, tools: 7 });
  });

  test.each([
    [{ tools: 0 }, '/budget/tools expected a whole number from 1'],
    [{ pages: 1.5 }, '/budget/pages expected a whole number from 1'],
    [{ schemaTime: Number.NaN }, '/budget/schemaTime expected a whole number from 1'],
    [{ resultBytes: 67_108_865 }, '/budget/resultBytes expected a whole number from 1 to 67108864'],
    [{ depth: 65 }, '/budget/depth expected a whole number from 1 to 64'],
    [
      { tool: 7 },
      '/budget/tool expected one of listingBytes, resultBytes, depth, tools, parts, pages, schemaTime',
    ],
  ])('rejects an invalid limit: %j', (given, message) => {
    expect(() => budgetOf('test', given as object)).toThrow(
      expect.objectContaining({ code: 'definition_invalid', message: `test: ${message}` }),
    );
  });
});

describe('Input of a remote party', () => {
  test('is measured as on the wire, to the last byte', () => {
    const { value, bytes } = allowance({ resultBytes: 11 }).read(
      'x',
      { a: 'é', b: undefined },
      'resultBytes',
    );
    expect([value, bytes]).toEqual([{ a: 'é' }, 10]);
    expect(Object.isFrozen(value)).toBe(true);
  });

  test('is rejected with the party, the limit, the size and what to change', () => {
    expect(() => allowance({ resultBytes: 9 }).read('x', { a: 'é' }, 'resultBytes')).toThrow(
      'server post sends 10 bytes in one answer, and its budget allows 9: have it need less, or raise budget.resultBytes',
    );
  });

  test('at the highest limit is rejected without the advice to raise it', () => {
    const { message } = allowance().exceeded('depth', 65);
    expect(message).toMatch(/allows 64: have it need less$/);
  });

  test('counts together with earlier input', () => {
    const { read } = allowance({ listingBytes: 10 });
    expect(read('x', 'abc', 'listingBytes', 5).bytes).toBe(5);
    expect(() => read('x', 'abc', 'listingBytes', 6)).toThrow(
      expect.objectContaining(refusal('listingBytes', 11)),
    );
  });

  test.each([[65], [5_000], [1_000_000]])('is rejected when nested %i levels deep', (levels) => {
    expect(() => allowance().read('x', deep(levels), 'resultBytes')).toThrow(
      expect.objectContaining(refusal('depth', null)),
    );
  });

  test('may be as deep as the budget allows', () => {
    expect(allowance().read('x', deep(64), 'resultBytes').value).toEqual(deep(64));
    expect(() => allowance({ depth: 3 }).read('x', deep(4), 'resultBytes')).toThrow('more than 3 levels');
  });

  const cycle: Record<string, unknown> = {};
  cycle['of'] = cycle;
  test.each([
    ['a cycle', cycle],
    ['a big integer', 2n ** 70n],
    ['an inexact integer', 2 ** 60],
    ['a lone surrogate', '\ud800'],
  ])('is rejected when it is no plain JSON: %s', (_, value) => {
    expect(() => allowance().read('x', value, 'resultBytes')).toThrow(
      expect.objectContaining({ code: 'input_unreadable' }),
    );
  });

  test('may have as many items as the limit, and not one more', () => {
    const { check } = allowance({ tools: 3 });
    expect(() => check('tools', 3)).not.toThrow();
    expect(() => check('tools', 4)).toThrow(expect.objectContaining(refusal('tools', 4)));
  });
});

const clocked = () => {
  let now = 5_000;
  const { schemaTimeLeft, spendSchemaTime } = allowanceOf(party, foreignBudget, () => now);
  return { schemaTimeLeft, spendSchemaTime, wait: (milliseconds: number) => (now += milliseconds) };
};

describe('The time budget of schemas', () => {
  test('is shared by all checks within ten seconds and refills afterwards', () => {
    const { schemaTimeLeft, spendSchemaTime, wait } = clocked();
    expect(schemaTimeLeft()).toBe(1_000);
    spendSchemaTime(300);
    wait(4_000);
    spendSchemaTime(600);
    expect(schemaTimeLeft()).toBe(100);
    wait(6_000);
    expect(schemaTimeLeft()).toBe(400);
    wait(4_000);
    expect(schemaTimeLeft()).toBe(1_000);
  });

  test('rejects a check when it is spent', () => {
    const { schemaTimeLeft, spendSchemaTime } = clocked();
    spendSchemaTime(1_000);
    expect(schemaTimeLeft).toThrow(expect.objectContaining(refusal('schemaTime', null)));
    expect(schemaTimeLeft).toThrow(
      'server post takes more than 1000 milliseconds for its schemas, and its budget allows 1000: have it need less, or raise budget.schemaTime',
    );
  });
});
