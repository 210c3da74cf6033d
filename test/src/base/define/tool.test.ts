import { jsonSchemaOf } from '../../../../src/base/define/json-schema-of.ts';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineTool, parseTool, type UnreadToolDefinition } from '../../../../src/base/define/tool.ts';
import type { CallContext } from '../../../../src/index.ts';

const input = z.strictObject({ to: z.string() });
const call = async () => null;
const rollback = { describe: () => ({ type: 'recall', target: 'mail', payload: {} }), run: call };
const bare: UnreadToolDefinition<{ to: string }> = { name: 'send', description: 'sends', input, call };
const definition = { ...bare, rollback };
const tierOf = (more: Partial<typeof definition>) => parseTool({ ...definition, ...more }).tier;

describe('a tool', () => {
  it('is write_high_risk by default [UAICP 5.3]', () => {
    expect(parseTool(definition)).toMatchObject({
      tier: 'write_high_risk',
      version: '1',
      evidenceType: 'tool_result',
      deadline: null,
      rollback: { doubt: 'unsafe' },
    });
  });

  it.each<[string, Partial<typeof bare>, string]>([
    [
      'without a tier',
      {},
      "no tier is declared, so it is write_high_risk: declare `rollback: { describe, run }`, or `rollback: 'person'`, or `tier: 'read_only'` if it only reads, or `tier: 'write_low_risk'` if its writes do little harm",
    ],
    [
      'without a tier, with a write hint of its server',
      { hints: { readOnlyHint: false } },
      "no tier is declared, so it is write_high_risk: declare `rollback: { describe, run }`, or `rollback: 'person'`, or `tier: 'write_low_risk'` if its writes do little harm",
    ],
    [
      'of high risk',
      { tier: 'write_high_risk' },
      "its tier is write_high_risk: declare `rollback: { describe, run }`, or `rollback: 'person'`",
    ],
    [
      'with a destructive hint of its server',
      { tier: 'read_only', hints: { destructiveHint: true } },
      "its hints mark it as destructive: declare `rollback: { describe, run }`, or `rollback: 'person'`",
    ],
  ])('%s needs a rollback, and the error says what to declare [UAICP 5.3]', (_, more, because) => {
    expect(() => parseTool({ ...bare, ...more })).toThrow(
      expect.objectContaining({
        code: 'definition_invalid',
        message: `tool "send": rollback is required, because ${because}`,
      }),
    );
  });

  it.each(['read_only', 'write_low_risk'] as const)('of tier %s needs no rollback', (tier) => {
    expect(parseTool({ ...bare, tier }).rollback).toBeNull();
  });

  it.each(['tool_result', 'source_citation', 'test_report', 'custom'] as const)(
    'may supply evidence of type %s',
    (evidenceType) => {
      expect(parseTool({ ...definition, evidenceType }).evidenceType).toBe(evidenceType);
    },
  );

  it('runs the declared call and rollback', async () => {
    const done: unknown[] = [];
    const action = { type: 'inverse_operation', target: 'mail-1' };
    const tool = parseTool({
      ...definition,
      call: async ({ to }, { key }) => `${to} ${key}`,
      rollback: {
        describe: ({ to }) => ({ ...action, payload: to }),
        run: async (given) => done.push(given),
      },
    });
    const context = { key: 'key-1', signal: AbortSignal.abort() } as CallContext; // the other members are never read
    expect(await tool.call({ to: 'kim' }, context)).toBe('kim key-1');
    expect(tool.rollback?.describe({ to: 'kim' })).toEqual({ ...action, payload: 'kim' });
    await tool.rollback?.run(action, context);
    expect(done).toEqual([action]);
  });

  it('is frozen, so no code can lower its tier', () => {
    const tool = parseTool(definition);
    expect(() => Object.assign(tool, { tier: 'read_only' })).toThrow(TypeError);
  });

  it('gets a higher tier from a warning hint and never a lower tier from a safe hint', () => {
    expect(tierOf({ tier: 'read_only', hints: { destructiveHint: true } })).toBe('write_high_risk');
    expect(tierOf({ tier: 'read_only', hints: { title: 'Send', readOnlyHint: false } })).toBe(
      'write_low_risk',
    );
    expect(tierOf({ tier: 'write_low_risk', hints: { readOnlyHint: true } })).toBe('write_low_risk');
    expect(tierOf({ hints: { readOnlyHint: true } })).toBe('write_high_risk');
  });

  it.each<[string, object, string]>([
    ['no name', { name: '' }, '/name'],
    ['a name on two lines', { name: 'a\nb' }, '/name'],
    ['an unknown tier', { tier: 'harmless' }, '/tier'],
    ['a hint in words', { hints: { readOnlyHint: 'true' } }, '/hints/readOnlyHint'],
    ['a misspelt hint', { hints: { destructive: true } }, '/hints/destructive'],
    ['no schema', { input: { type: 'object' } }, '/input'],
    ['nothing to call', { call: undefined }, '/call'],
    ['a summary that is no function', { summary: 'Sends mail.' }, '/summary'],
    ['an unknown type of evidence', { evidenceType: 'hearsay' }, '/evidenceType'],
    ['an approval for its evidence', { evidenceType: 'approval_token' }, '/evidenceType'],
    ['no time', { deadline: 0 }, '/deadline'],
    ['time without number', { deadline: NaN }, '/deadline'],
    ['half a rollback', { rollback: { run: call } }, '/rollback/describe'],
    ['a misspelt member', { rolback: { describe: call, run: call } }, '/rolback'],
  ])('with %s is rejected, and the error names the path', (_, more, path) => {
    const given = { ...definition, ...more };
    let error: unknown;
    try {
      parseTool(given);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      code: 'definition_invalid',
      details: { definition: 'tool', issues: [{ path }] },
    });
  });
});

it('reads with its output schema what a look-up found, and refuses what it does not accept', async () => {
  const tool = defineTool({
    name: 'pay',
    description: 'Pays.',
    tier: 'write_low_risk',
    input: z.object({}),
    output: z.object({ cents: z.number() }),
    doubt: 'reconcilable',
    call: async () => ({ cents: 1 }),
    lookup: async (key) =>
      key === 'absent'
        ? { found: 'absent' }
        : { found: 'done', result: { cents: key === 'good' ? 1 : '1', more: 2 } },
  });
  const { signal } = new AbortController();
  const context = { requestId: 'r', signal, fence: null, mayAct: () => true };
  expect(await tool.lookup?.('good', context)).toEqual({ found: 'done', result: { cents: 1 } });
  expect(await tool.lookup?.('absent', context)).toEqual({ found: 'absent' });
  await expect(tool.lookup?.('bad', context)).rejects.toThrow(
    'the result of tool pay does not fit its output schema: cents must be a number',
  );
});

const of = (schema: z.ZodType) => () =>
  defineTool({ name: 'book', description: '', tier: 'read_only', input: schema, call });

describe('The input of a tool', () => {
  it.each<[string, z.ZodType, string[]]>([
    ['a bigint', z.object({ id: z.bigint() }), ['/input/id']],
    [
      'a map, and a set in a list',
      z.object({ by: z.map(z.string(), z.number()), days: z.array(z.set(z.string())) }),
      ['/input/by', '/input/days'],
    ],
    ['what a text becomes', z.object({ at: z.string().pipe(z.coerce.bigint()) }), ['/input/at']],
  ])('is refused at definition if no call can carry it, with its place: %s', (_, schema, places) => {
    try {
      of(schema)();
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({
        code: 'definition_invalid',
        message: expect.stringContaining('no model can send one: expected'),
      });
      const { issues } = (error as { details: { issues: { path: string }[] } }).details;
      expect(issues.map(({ path }) => path).toSorted()).toEqual(places.toSorted());
    }
  });

  it('may have dates, which models read as texts', () => {
    const { input } = of(z.object({ from: z.date(), days: z.array(z.coerce.date()).optional() }))();
    expect(jsonSchemaOf(input, 'input', true)).toMatchObject({
      properties: {
        from: { type: 'string', format: 'date-time' },
        days: { type: 'array', items: { type: 'string', format: 'date-time' } },
      },
      required: ['from'],
    });
  });

  it('is not looked into where a schema names what is not there yet', () => {
    const early = of(z.object({ next: z.lazy(() => later) }))();
    const later = z.string();
    expect(early.name).toBe('book');
  });
});
