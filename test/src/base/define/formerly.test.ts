import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createOrchestrator,
  defineTaskClass,
  defineTaskTool,
  type OrchestratorOptions,
  type Tool,
  type Turn,
} from '../../../../src/index.ts';
import { createGuard, guardTool } from '../../../../src/guard/index.ts';
import { memoryDatabase } from '../../../../src/stores/memory/database.ts';
import { machine, type Given } from '../../core/shell/restarts.ts';
import {
  call,
  draft,
  identity,
  never,
  plan,
  readTool,
  scriptedModel,
  writeTool,
} from '../../core/shell/scripted.ts';
import { settle } from '../../core/shell/simulated-clock.ts';

const formerly = ['refund'];
const highRisk = { tier: 'write_high_risk' } as const;
const people = { authorities: ['human'] } as const;
const model = [plan([call('refund', { amount: 5 })]), draft({ paid: true })];
const { rollback } = writeTool('refund');

type Scripted = NonNullable<Parameters<typeof writeTool>[1]>;

/** The tool `refund` under its new name, with the rollback that it had. */
const refundOrder = (more: Scripted = {}): Tool =>
  writeTool('refund_order', { formerly, ...(rollback && { rollback }), ...more });

/** A task of one release that the next one goes on with. */
const renamed = async (before: Given, after: Given) => {
  const { start, recordsOf, factsOf, clock } = machine();
  const first = start(before);
  const taskId = await first.submit();
  await first.crash();
  const second = start(after);
  const { changed } = await second.recover();
  expect(changed).toEqual([]);
  const toolsOf = async (): Promise<readonly string[]> =>
    (await recordsOf(taskId)).flatMap(({ brought: { calls = [] } }) => calls.map(({ tool }) => tool));
  return { ...second, taskId, toolsOf, factsOf, clock };
};

const asks: Given = { model, tools: [writeTool('refund', highRisk)], taskClass: people };

describe('a tool that was renamed while a task was open', () => {
  it('makes the call that was approved under its former name, which the ledger keeps', async () => {
    const made: unknown[] = [];
    const actions: string[] = [];
    const policy: OrchestratorOptions['policy'] = {
      decide: ({ action }) => {
        actions.push(action);
        return { verdict: 'allow', reasons: [] };
      },
    };
    const tools = [refundOrder({ ...highRisk, call: (input) => void made.push(input) })];
    const next = await renamed(asks, { model: [draft()], tools, taskClass: people, options: { policy } });
    await next.answer('approve');
    expect((await next.orchestrator.settled(next.taskId)).outcome).toBe('success');
    expect(made).toEqual([{ amount: 5 }]);
    expect(await next.toolsOf()).toEqual(['refund']);
    expect(new Set(actions)).toEqual(new Set(['refund_order'])); // a policy has the names of its own release
  });

  it('does not make a call that was approved for another version: it is approved anew, under the former name', async () => {
    const { start, factsOf } = machine();
    const first = start(asks);
    const taskId = await first.submit();
    await first.close();
    const tools = [refundOrder({ ...highRisk, version: '2' })];
    const second = start({ model: [plan([call('refund_order', { amount: 5 })])], tools, taskClass: people });
    await second.recover();
    await second.answer('approve');
    expect(await factsOf(taskId)).toContain('call.refused');
    expect(await second.question()).toMatchObject({
      message: { payload: { action: { tool: 'refund', version: '2' } } },
    });
  });

  it('is what a model calls by either name; the evidence that the contract requires is of the recorded one', async () => {
    const where = z.object({ written: z.string() });
    const evidence = (tool: string) => ({
      beforeDeliver: { evidence: [{ type: 'tool_result', tool, where } as const] },
    });
    const next = await renamed(
      {
        model: [(_: Turn, signal: AbortSignal) => never(signal)],
        tools: [writeTool('refund')],
        taskClass: evidence('refund'),
      },
      {
        model: [plan([call('refund_order')], { declares: ['refund_order'] }), draft()],
        tools: [refundOrder()],
        taskClass: evidence('refund_order'),
      },
    );
    expect((await next.orchestrator.settled(next.taskId)).outcome).toBe('success');
    expect(next.turns[0]?.tools.map(({ name }) => name)).toEqual(['refund']);
    expect(await next.toolsOf()).toEqual(['refund']);
    expect(await next.factsOf(next.taskId)).not.toContain('taskClass.changed');
  });

  it('looks up a call in doubt, and rolls back a write that it made under its former name', async () => {
    const looked: string[] = [];
    const undone: unknown[] = [];
    const hangs = { doubt: 'reconcilable', lookup: async () => ({ found: 'unknown' as const }) } as const;
    const found: Scripted = {
      doubt: 'reconcilable',
      lookup: async (key) => {
        looked.push(key);
        return { found: 'done' as const, result: {} };
      },
      rollback: { describe: rollback!.describe, run: async (action) => void undone.push(action) },
    };
    const next = await renamed(
      {
        ...asks,
        tools: [writeTool('refund', { ...hangs, call: (_, { signal }) => never(signal) })],
        taskClass: {},
      },
      { model: [() => Promise.reject(new Error('no more'))], tools: [refundOrder(found)] },
    );
    expect(looked).toHaveLength(1);
    expect((await next.orchestrator.settled(next.taskId)).outcome).not.toBe('success');
    expect(undone).toEqual([{ type: 'inverse', target: 'refund', payload: { of: { amount: 5 } } }]);
  });

  it('is one tool: it is listed once, under the name of the task', async () => {
    const { start } = machine();
    const { turns, submit } = start({ model: [plan(), draft()], tools: [refundOrder()] });
    await submit();
    expect(turns[0]?.tools.map(({ name }) => name)).toEqual(['refund_order']);
  });

  it('is among what a process can perform, by each of its names', async () => {
    const taken: (readonly string[])[] = [];
    const { start } = machine();
    const { recover } = start({
      tools: [refundOrder(), readTool('look')],
      store: (inner) => ({
        ...inner,
        take: (capabilities, limit) => {
          taken.push(capabilities.tools);
          return inner.take(capabilities, limit);
        },
      }),
    });
    await recover();
    expect(taken).toEqual([['refund_order', 'look', 'agentcharter:rollback', 'refund']]);
  });

  it('is called by the agent of a guard under its new name, in a task that began before', async () => {
    const database = memoryDatabase();
    const outcomes: unknown[] = [];
    const guardOf = (name: string, agent: boolean) =>
      createGuard({
        tools: [
          guardTool(
            { name, input: z.object({}), execute: () => name },
            { tier: 'write_low_risk', ...(name !== 'refund' && { formerly }) },
          ),
        ],
        taskClasses: [defineTaskClass({ id: 'work', tools: [name] })],
        policy: { decide: () => ({ verdict: 'allow', reasons: [] }) },
        store: database.connect(),
        agents: agent
          ? {
              work: async (run) => {
                await run.declare([name]);
                outcomes.push((await run.call(name as never, {}, { ref: 'call-1' })).status);
                await run.conclude({ payload: {} });
              },
            }
          : {},
      });
    const before = guardOf('refund', false);
    const { taskId } = await before.orchestrator.submit({ taskClass: 'work', payload: {}, identity });
    await settle();
    await before.close();
    await using after = guardOf('refund_order', true);
    await after.orchestrator.recover();
    expect((await after.orchestrator.settled(taskId)).outcome).toBe('success');
    expect(outcomes).toEqual(['done']);
    expect((await after.orchestrator.task(taskId)).calls).toMatchObject([{ tool: 'refund' }]);
  });
});

const opened =
  (...tools: readonly Tool[]) =>
  () =>
    createOrchestrator({ taskClasses: [], tools, model: scriptedModel([]).model });

describe('former names', () => {
  it.each([
    ['the name of a tool', [refundOrder(), writeTool('refund')], '"refund": a tool has this name now'],
    ['its own name', [readTool('look', { formerly: ['look'] })], '"look": a tool has this name now'],
    [
      'that of another one',
      [refundOrder(), readTool('look', { formerly })],
      '"refund": tool "refund_order" has it too',
    ],
  ])('are refused if one is %s', (_, tools, words) => {
    expect(opened(...tools)).toThrow(words);
    expect(opened(...tools)).toThrow('expected a name that only this tool had');
  });

  it.each([[['a\nb']], ['refund'], [[7]]])('are refused if they are %j', (names) => {
    const task = {
      description: 'Pays.',
      input: z.object({}),
      taskClass: 'pay',
      request: () => ({ payload: {} }),
    };
    expect(() => readTool('look', { formerly: names as never })).toThrow('formerly');
    expect(() => defineTaskTool({ ...task, name: 'pay', formerly: names as never })).toThrow('formerly');
    expect(opened({ ...readTool('look'), formerly: 7 as never })).toThrow(
      'formerly must be an array of names',
    );
  });

  it('are kept by a task tool, as a copy', () => {
    const names = ['pay'];
    const tool = defineTaskTool({
      name: 'pay_out',
      formerly: names,
      description: 'Pays.',
      input: z.object({}),
      taskClass: 'pay',
      request: () => ({ payload: {} }),
    });
    names.push('later');
    expect(tool.formerly).toEqual(['pay']);
  });
});
