import { guardTool } from 'agentcharter/guard';
import { expect, it } from 'vitest';
import * as z from 'zod';

const input = z.object({ eur: z.number() });
const execute = () => ({});
const refund = { name: 'refund', input, execute };

it.each<[string, object, RegExp]>([
  ['no function to execute', { name: 'refund', input }, /tool "refund".*execute.*function/s],
  ['another name of it', { name: 'refund', input, call: execute }, /call/],
  ['a tier in the wrong argument', { ...refund, tier: 'read_only' }, /tier: belongs to the contract/],
  ['no schema', { name: 'refund', execute }, /Standard Schema/],
])('refuses a tool with %s', (_, tool, words) => {
  expect(() => guardTool(tool as never, { tier: 'read_only' })).toThrow(words);
});

it('refuses what is no tool at all', () => {
  expect(() => guardTool(null as never)).toThrow('tool must be an object');
});

it('takes a tool and its contract', () => {
  expect(guardTool(refund, { tier: 'read_only' })).toMatchObject({ name: 'refund', tier: 'read_only' });
});
