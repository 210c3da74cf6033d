import { describe, expect, it } from 'vitest';
import { createGuard, type GuardOptions } from '../../../src/guard/index.ts';
import { defineTaskClass } from '../../../src/index.ts';
import { readTool } from '../orchestrator/scripted.ts';

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
  ])('throws for %s, and says what is accepted', (_, options, message) => {
    expect(() => createGuard(untyped(options))).toThrow(
      expect.objectContaining({ code: 'definition_invalid', message }),
    );
  });
});
