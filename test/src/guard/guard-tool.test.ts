import { guardTool, type ToolContract } from 'agentcharter/guard';
import { expect, it } from 'vitest';
import * as z from 'zod';

const input = z.object({ eur: z.number() });
const execute = () => ({});
const refund = { name: 'refund', input, execute };

it.each<[string, object, RegExp]>([
  ['no function to execute', { name: 'refund', input }, /tool "refund".*execute.*function/s],
  ['another name of it', { name: 'refund', input, call: execute }, /call/],
  ['no schema', { name: 'refund', execute }, /Standard Schema/],
])('refuses a tool with %s', (_, tool, words) => {
  expect(() => guardTool(tool as never, { tier: 'read_only' })).toThrow(words);
});

it.each(
  Object.entries<unknown>({
    version: '2',
    tier: 'read_only',
    hints: {},
    output: z.unknown(),
    summary: () => 'Refund',
    evidenceType: 'custom',
    deadline: 1_000,
    rollback: { type: 'unrefund', target: 'payments', payload: () => ({}), run: execute },
    doubt: 'idempotent',
    lookup: execute,
    labels: 'arguments',
    flows: { '/eur': { integrity: 'trusted' } },
    isHidden: true,
    isForeign: true,
    repeats: true,
    stops: true,
    formerly: ['repay'],
    amounts: { eur: () => 1 },
  } satisfies Record<keyof ToolContract, unknown>),
)('sends %s of a tool to the contract', (member, value) => {
  expect(() => guardTool({ ...refund, [member]: value }, { tier: 'read_only' })).toThrow(
    `${member}: belongs to the contract: pass it in the second argument of guardTool`,
  );
});

it('refuses what is no tool at all', () => {
  expect(() => guardTool(null as never, { tier: 'read_only' })).toThrow('tool must be an object');
});

it('takes a tool and its contract', () => {
  expect(guardTool(refund, { tier: 'read_only' })).toMatchObject({ name: 'refund', tier: 'read_only' });
});
