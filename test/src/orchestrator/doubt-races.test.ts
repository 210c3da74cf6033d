import { describe, expect, it } from 'vitest';
import type { Found } from '../../../src/ports/tool.ts';
import { machine } from './restarts.ts';
import { call, draft, later, plan, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const minute = 60_000;

/** Starts a task whose write throws, and whose look-up answers when the test says so. */
const lookingUp = async () => {
  const site = machine();
  const looked = later<Found>();
  const second = later();
  const made: string[] = [];
  const undone: string[] = [];
  const started = site.start({
    model: [plan([call('write')]), draft()],
    taskClass: { limits: { repairs: 0 } },
    tools: [
      writeTool('write', {
        deadline: minute,
        doubt: 'reconcilable',
        lookup: () => looked.promise,
        call: async (_, { key }) => {
          made.push(key);
          if (made.length === 1) throw new Error('the connection broke');
          return made.length === 2 ? second.promise : { written: true };
        },
        rollback: {
          describe: () => ({ type: 'inverse', target: 'write', payload: {} }),
          run: async (_, { key }) => void undone.push(key),
        },
      }),
    ],
  });
  const taskId = await started.submit();
  await settle();
  return { ...site, ...started, looked, second, made, undone, taskId };
};

describe('a look-up of a write in doubt', () => {
  it('repeats no write of a task that is cancelled meanwhile', async () => {
    const { looked, made, orchestrator, taskId } = await lookingUp();
    await orchestrator.cancel(taskId, { by: 'dana' });
    looked.resolve({ found: 'absent' });
    expect(await orchestrator.settled(taskId)).toMatchObject({ state: 'cancelled' });
    expect(made).toHaveLength(1);
  });

  it('repeats no write that a person let be made again meanwhile', async () => {
    const { looked, second, made, orchestrator, taskId, clock, answer } = await lookingUp();
    await clock.advance(2 * minute);
    await answer('edit', { value: 'absent' });
    await settle();
    looked.resolve({ found: 'absent' });
    await settle();
    second.resolve({ written: true });
    expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(made).toHaveLength(2);
  });

  it('undoes a write that it finds after a person ruled it out', async () => {
    const { looked, made, undone, orchestrator, taskId, clock, answer } = await lookingUp();
    await clock.advance(2 * minute);
    await answer('reject');
    looked.resolve({ found: 'done', result: { written: true } });
    await orchestrator.settled(taskId);
    await settle();
    expect(made).toHaveLength(1);
    expect(undone).toHaveLength(1);
  });
});

describe('a write that lands twice after its task was cancelled', () => {
  it.each([0, minute])('is rolled back once, with %i ms between', async (pause) => {
    const site = machine();
    const landings = [later(), later()];
    let made = 0;
    const undone: string[] = [];
    const { submit, orchestrator, answer } = site.start({
      model: [plan([call('write')]), draft()],
      tools: [
        writeTool('write', {
          deadline: minute,
          doubt: 'unsafe',
          call: () => landings[made++]?.promise ?? Promise.resolve({}),
          rollback: {
            describe: () => ({ type: 'inverse', target: 'write', payload: {} }),
            run: async (_, { key }) => void undone.push(key),
          },
        }),
      ],
    });
    const taskId = await submit();
    await site.clock.advance(2 * minute);
    await answer('edit', { value: 'absent' });
    await site.clock.advance(2 * minute);
    await orchestrator.cancel(taskId, { by: 'dana' });
    await orchestrator.settled(taskId);
    for (const landing of landings) {
      landing.resolve({ written: true });
      if (pause > 0) await settle();
    }
    await settle();
    expect(made).toBe(2);
    expect(undone).toHaveLength(1);
  });
});
