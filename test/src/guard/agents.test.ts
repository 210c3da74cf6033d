import { defineTaskClass, defineTaskTool } from 'agentcharter';
import { createGuard, guardTool, type GuardedAgent } from 'agentcharter/guard';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { identity } from './bank.ts';

const look = guardTool(
  { name: 'look', input: z.object({}), execute: () => ({ seen: true }) },
  { tier: 'read_only' },
);
const ask = defineTaskTool({
  name: 'ask',
  description: 'Has another agent look.',
  tier: 'read_only',
  input: z.object({}),
  taskClass: 'inner',
  request: () => ({ payload: { for: 'outer' } }),
});
const database = () => memoryDatabase();

const open = (agent: GuardedAgent, store = database().connect()) =>
  createGuard({
    tools: [look, ask],
    taskClasses: [
      defineTaskClass({ id: 'outer', tools: ['ask'], limits: { repairs: 0 } }),
      defineTaskClass({ id: 'inner', tools: ['look'] }),
    ],
    agents: { inner: agent },
    store,
  });
type TaskClassName = 'outer' | 'inner';
const submission = (taskClass: TaskClassName) => ({ taskClass, payload: { for: 'outer' }, identity });
const begin = ({ begin }: ReturnType<typeof open>, taskClass: TaskClassName) => begin(submission(taskClass));
const submit = ({ orchestrator }: ReturnType<typeof open>, taskClass: TaskClassName) =>
  orchestrator.submit(submission(taskClass));

describe('The agent of a task class', () => {
  it('runs when its task has a duty, with the request', async () => {
    const seen: unknown[] = [];
    await using guard = open(async (run, { request }) => {
      seen.push(request);
      await run.call('look', {});
      await run.conclude({ payload: { looked: true } });
    });
    const run = await begin(guard, 'outer');
    expect(await run.call('ask', {})).toMatchObject({
      status: 'done',
      result: { payload: { looked: true } },
    });
    expect(seen).toEqual([{ for: 'outer' }]);
  });

  it('runs again for a turn that came while it ended, and not for a turn that it finished', async () => {
    let times = 0;
    await using guard = open(async (run) => {
      times += 1;
      if (times === 1)
        await run.call('look', {}); // and ends while the next turn is requested
      else await run.conclude({ payload: {} });
    });
    const run = await submit(guard, 'inner');
    expect(await guard.orchestrator.settled(run.taskId)).toMatchObject({ outcome: 'success' });
    expect(times).toBe(2);
  });

  it.each([
    ['ends without a conclusion', async () => {}],
    ['throws', async () => Promise.reject(new Error('no'))],
    [
      'throws before it has begun',
      () => {
        throw new Error('no');
      },
    ],
  ] as const)('that %s fails its task, and the reasons say so', async (_, agent) => {
    await using guard = open(agent);
    const run = await begin(guard, 'outer');
    expect(await run.call('ask', {})).toMatchObject({
      status: 'ended',
      reasons: [{ code: 'CHILD_FAILED' }, { code: 'MODEL_ERROR' }],
    });
  });

  it('runs again in another process', async () => {
    const stored = database();
    const begun: string[] = [];
    const first = open((run) => {
      begun.push(run.taskId);
      return new Promise(() => {}); // never returns
    }, stored.connect());
    const { taskId } = await submit(first, 'inner');
    await expect.poll(() => begun).toEqual([taskId]);
    await first.close();
    await using second = open((run) => run.conclude({ payload: { by: 'the other' } }), stored.connect());
    await second.orchestrator.recover();
    expect(await second.orchestrator.settled(taskId)).toMatchObject({
      message: { payload: { by: 'the other' } },
    });
  });
});
