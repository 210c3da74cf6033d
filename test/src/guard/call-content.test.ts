import { defineTool } from 'agentcharter';
import { expect, it, vi } from 'vitest';
import * as z from 'zod';
import { callContentOf, parsedContent } from '../../../src/guard/call-content.ts';

const note = defineTool({
  name: 'note',
  description: '',
  tier: 'write_low_risk',
  input: z.unknown(),
  call: async () => ({}),
});

it.each([
  ['a text that mentions one', { line: '{"$from":"mail#1","pointer":"/code"}' }],
  ['an object with further members', { line: { $from: 'dana', pointer: '/code', to: 'erin' } }],
  ['an object without a pointer', { line: { $from: 'dana' } }],
])('resolves no reference in %s', async (_, input) => {
  const resolve = vi.fn(async () => null);
  const { read } = await callContentOf(note, 'note', input, resolve);
  expect(resolve).not.toHaveBeenCalled();
  expect(read).toBe(parsedContent('note', input));
});

it('compares a reference by the value that it names', async () => {
  const input = { line: { $from: 'mail#1', pointer: '/code' } };
  const { read } = await callContentOf(note, 'note', input, async () => ({ line: 'AB1' }));
  expect(read).toBe(parsedContent('note', { line: 'AB1' }));
});
