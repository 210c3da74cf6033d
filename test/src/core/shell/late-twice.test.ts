import { describe, expect, it } from 'vitest';
import { machine } from './restarts.ts';
import { call, draft, later, plan, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const minute = 60_000;

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

it.each([
  ['first', [0, 1]],
  ['second', [1, 0]],
] as const)(
  'A write that was made again and succeeds both times, the %s call first, is reported',
  async (_, order) => {
    const site = machine();
    const landings = [later(), later()];
    let made = 0;
    const { submit, orchestrator, answer, errors } = site.start({
      model: [plan([call('write')]), draft()],
      tools: [
        writeTool('write', {
          deadline: minute,
          doubt: 'unsafe',
          call: () => landings[made++]?.promise ?? Promise.resolve({}),
        }),
      ],
    });
    const taskId = await submit();
    await site.clock.advance(2 * minute);
    await answer('edit', { value: 'absent' });
    for (const at of order) {
      landings[at]?.resolve({ written: at });
      await settle();
    }
    expect((await orchestrator.settled(taskId)).outcome).toBe('success');
    expect(made).toBe(2);
    expect(errors.splice(0)).toMatchObject([
      {
        code: 'callback_failed',
        message: expect.stringMatching(
          /^tool "write" failed: its call succeeded after .+ undo one by hand$/,
        ) as string,
        details: { taskId, code: 'EFFECT_IN_DOUBT' },
      },
    ]);
  },
);

it('A write that failed, was made again, and that a person knows to have happened, is not reported', async () => {
  const site = machine();
  const landing = later();
  let made = 0;
  const { submit, orchestrator, answer, errors } = site.start({
    model: [plan([call('write')]), draft()],
    tools: [
      writeTool('write', {
        deadline: minute,
        doubt: 'unsafe',
        call: () => (made++ === 0 ? new Promise(() => {}) : landing.promise),
      }),
    ],
  });
  const taskId = await submit();
  await site.clock.advance(2 * minute);
  await answer('edit', { value: 'absent' });
  await site.clock.advance(2 * minute);
  await answer('edit', { value: 'done' });
  landing.resolve({ written: true });
  await settle();
  expect((await orchestrator.settled(taskId)).outcome).toBe('success');
  expect(made).toBe(2);
  expect(errors).toEqual([]);
});
