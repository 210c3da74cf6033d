import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { createGuard, type GuardOptions } from '../../../src/guard/index.ts';
import { defineTaskClass, defineTaskTool } from '../../../src/index.ts';
import { readTool } from '../core/shell/scripted.ts';

const given = {
  taskClasses: [defineTaskClass({ id: 'refunds', tools: ['read'] })],
  tools: [readTool('read')],
};
const agent = async (): Promise<void> => {};

/** Options as a caller without types gives them. */
const untyped = (options: unknown): GuardOptions => options as GuardOptions;

describe('a guard with invalid options', () => {
  it.each<[string, unknown, string]>([
    ['no options', undefined, 'guard must be an object of options'],
    [
      'a model',
      { ...given, model: {} },
      expect.stringContaining('guard: unknown key "model". Accepted: taskClasses, '),
    ],
    ['a misspelt option', { ...given, agnets: {} }, 'guard: unknown key "agnets". Did you mean "agents"?'],
    [
      'an agent that is no function',
      { ...given, agents: { refunds: {} } },
      'guard: agents.refunds must be a function',
    ],
    [
      'an agent of an unknown task class',
      { ...given, agents: { refnds: agent } },
      'guard: agents.refnds: unknown task class: expected one of refunds. Did you mean "refunds"?',
    ],
    [
      'a store that is the name of a file',
      { ...given, store: 'tasks.db' },
      'guard: store must be a store, such as `sqliteStore(file)` or `memoryStore()`',
    ],
    [
      'a policy that is a function',
      { ...given, policy: () => ({ verdict: 'allow' }) },
      'guard: policy must be an object `{ decide }`, or what `tablePolicy` returned',
    ],
    [
      'tools that are no array',
      { ...given, tools: {} },
      'guard: tools must be an array of what `defineTool` or `guardTool` returned',
    ],
    [
      'a tool of a framework',
      { ...given, tools: [{ name: 'read', execute: () => ({}) }] },
      'guard: tools[0].call must be a function: wrap the tool with `defineTool` or `guardTool`',
    ],
    [
      'no task classes',
      { tools: given.tools },
      'guard: taskClasses must be an array of what `defineTaskClass` returned',
    ],
    [
      'a task class with an unknown tool',
      { taskClasses: [defineTaskClass({ id: 'refunds', tools: ['raed'] })], tools: given.tools },
      expect.stringMatching(/^guard: taskClasses\.refunds: unknown tool "raed".*Did you mean "read"\?/),
    ],
  ])('throws for %s, and says what is accepted', (_, options, message) => {
    expect(() => createGuard(untyped(options))).toThrow(
      expect.objectContaining({ code: 'definition_invalid', message }),
    );
  });
});

describe('a guard with a tool that is a task', () => {
  const research = defineTaskTool({
    name: 'research',
    description: '',
    tier: 'read_only',
    taskClass: 'search',
    input: z.object({}),
    request: () => ({ payload: {} }),
  });
  const taskClasses = [
    defineTaskClass({ id: 'search', tools: [] }),
    defineTaskClass({ id: 'work', tools: ['research'] }),
  ];

  it.each([
    ['warns that it waits', {}, 1],
    ['does not warn if an agent performs it', { search: agent }, 0],
  ])('%s', (_, agents, times) => {
    const warning = vi.spyOn(process, 'emitWarning').mockReturnValue();
    createGuard({ taskClasses, tools: [research], agents });
    const message = expect.stringContaining('no agent here performs task class "search" of tool "research"');
    const code = expect.objectContaining({ code: 'AGENTCHARTER_NO_AGENT' });
    expect(warning.mock.calls).toEqual(Array.from({ length: times }, () => [message, code]));
    warning.mockRestore();
  });
});
