import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createOrchestrator, defineTaskClass, defineTaskTool, type Tool } from '../../../src/index.ts';
import { machine, type Given } from '../core/shell/restarts.ts';
import { call, draft, further, plan, readTool, scriptedModel, scriptedPolicy, writeTool } from '../core/shell/scripted.ts';

const formerly = ['refund'];
const model = [plan([call('refund', { amount: 5 })]), draft({ paid: true })];
const highRisk = { tier: 'write_high_risk' } as const;
const people = { authorities: ['human'] } as const;

/** A task whose tool `refund` was renamed after its first process ended. */
const renamed = async (before: Given, after: Given & { readonly tools: readonly Tool[] }, answerFirst = false) => {
  const { start, factsOf, recordsOf, stateOf } = machine();
  const first = start(before);
  const taskId = await first.submit();
  if (answerFirst) await first.answer('approve');
  await first.close();
  const second = start(after);
  const recovery = await second.recover();
  return { ...second, taskId, recovery, factsOf, recordsOf, stateOf };
};

describe('a tool that was renamed while a task waits', () => {
  it('makes the call that was approved under its former name, which the ledger keeps', async () => {
    const made: unknown[] = [];
    const asked: string[] = [];
    const { orchestrator, answer, taskId, recordsOf } = await renamed(
      { model, tools: [writeTool('refund', highRisk)], taskClass: people },
      {
        model: [draft({ paid: true })],
        tools: [writeTool('refund_order', { ...highRisk, formerly, rollback: writeTool('refund').rollback!, call: (input) => void made.push(input) })], // prettier-ignore
        taskClass: people,
        options: {
          policy: {
            decide: ({ action }) => {
              asked.push(action);
              return { verdict: 'allow', reasons: [] };
            },
          },
        },
      },
    );
    await answer('approve');
    expect((await orchestrator.settled(taskId)).outcome).toBe('success');
    expect(made).toEqual([{ amount: 5 }]);
    expect(new Set(asked)).toEqual(new Set(['refund_order']));
    expect((await orchestrator.task(taskId)).attempt).toBe(0);
    const tools = (await recordsOf(taskId)).flatMap(({ brought: { calls = [] } }) => calls.map(({ tool }) => tool));
    expect(tools).toEqual(['refund']);
  });
});
