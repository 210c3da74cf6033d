import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineTaskTool, type CallContext, type TaskToolDefinition } from '../../../../src/index.ts';

const input = z.strictObject({ topic: z.string() });
const definition: TaskToolDefinition<{ topic: string }> = {
  name: 'research',
  description: 'has a topic looked into',
  input,
  taskClass: 'looking-into',
  request: ({ topic }) => ({ payload: { topic }, explanation: `about ${topic}` }),
};
const action = { type: 'inverse_operation' as const, target: 'order-1', payload: {} };
const context = {} as CallContext; // never read

describe('a tool that runs a task', () => {
  it('is write_high_risk by default [UAICP 5.3]', () => {
    expect(defineTaskTool(definition)).toMatchObject({
      name: 'research',
      version: '1',
      description: 'has a topic looked into',
      tier: 'write_high_risk',
      evidenceType: 'tool_result',
      deadline: null,
    });
  });

  it('declares a rollback through the child’s ledger, unless its author declares one', async () => {
    const { rollback, child } = defineTaskTool(definition);
    expect(rollback?.describe({ topic: 'owls' })).toEqual({
      type: 'undo_task',
      target: 'looking-into',
      payload: {},
    });
    expect(child?.undo).toBe('ledger');
    await expect(rollback?.run(action, context)).rejects.toThrow(
      new TypeError('research is a task: an orchestrator undoes it'),
    );
    const own = { describe: () => action, run: async () => null };
    expect(defineTaskTool({ ...definition, rollback: own }).child).not.toHaveProperty('undo');
  });

  it('keeps the given values', () => {
    const tool = defineTaskTool({ ...definition, version: '7', tier: 'read_only' });
    expect(tool).toMatchObject({ version: '7', tier: 'read_only', input });
  });

  it('names the class of its child and builds the request from its input [UAICP 4.3]', () => {
    const { child } = defineTaskTool(definition);
    expect(child?.taskClass).toBe('looking-into');
    expect(child?.request({ topic: 'owls' })).toEqual({
      payload: { topic: 'owls' },
      explanation: 'about owls',
    });
  });

  it('throws when called directly, because an orchestrator begins it', async () => {
    await expect(defineTaskTool(definition).call({ topic: 'owls' }, context)).rejects.toThrow(
      new TypeError('research is a task: an orchestrator begins it'),
    );
  });

  it('runs the declared rollback [UAICP 5.3]', async () => {
    const run: unknown[] = [];
    const { rollback } = defineTaskTool({
      ...definition,
      rollback: {
        describe: ({ topic }) => ({ ...action, payload: { topic } }),
        run: async (done) => void run.push(done),
      },
    });
    const described = rollback?.describe({ topic: 'owls' });
    expect(described).toEqual({ ...action, payload: { topic: 'owls' } });
    await rollback?.run(described!, { ...context, key: 'key', signal: AbortSignal.abort() });
    expect(run).toEqual([described]);
  });

  it('is frozen with its definition, so no code can lower its tier', () => {
    const given = { ...definition };
    const tool = defineTaskTool(given);
    expect(() => Object.assign(tool, { tier: 'read_only' })).toThrow(TypeError);
    Object.assign(given, { tier: 'read_only', taskClass: 'another' });
    expect(tool).toMatchObject({ tier: 'write_high_risk', child: { taskClass: 'looking-into' } });
  });

  it.each<[string, object, string]>([
    ['no name', { name: '' }, '/name'],
    ['a name on two lines', { name: 'a\nb' }, '/name'],
    ['an empty version', { version: '' }, '/version'],
    ['no description', { description: undefined }, '/description'],
    ['an unknown tier', { tier: 'harmless' }, '/tier'],
    ['no schema', { input: { type: 'object' } }, '/input'],
    ['no class of its child', { taskClass: undefined }, '/taskClass'],
    ['a class without a name', { taskClass: '' }, '/taskClass'],
    ['a class in place of its name', { taskClass: { id: 'looking-into' } }, '/taskClass'],
    ['nothing to ask for', { request: undefined }, '/request'],
    ['one request for all', { request: { payload: {} } }, '/request'],
    ['half a rollback', { rollback: { run: () => null } }, '/rollback/describe'],
    ['the other half', { rollback: { describe: () => action } }, '/rollback/run'],
    ['something to call', { call: () => null }, '/call'],
    ['an unknown type of evidence', { evidenceType: 'approval_token' }, '/evidenceType'],
    ['hints', { hints: { readOnlyHint: true } }, '/hints'],
    ['a deadline beside that of its child', { deadline: 1_000 }, '/deadline'],
  ])('with %s is rejected, and the error names the path', (_, more, path) => {
    const given = { ...definition, ...more } as typeof definition;
    expect(() => defineTaskTool(given)).toThrow(
      expect.objectContaining({
        code: 'definition_invalid',
        details: { definition: 'tool', issues: [expect.objectContaining({ path })] },
      }),
    );
  });
});
