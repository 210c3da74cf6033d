import { describe, expect, it } from 'vitest';
import { machine } from './restarts.ts';
import { call, draft, plan, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

describe('a write in doubt', () => {
  it.each([
    [1, 2],
    [0, 1],
  ])('waits for a person alone after %i recoveries', async (recoveries, calls) => {
    const site = machine();
    let made = 0;
    const { submit } = site.start({
      model: [plan([call('write')]), draft()],
      taskClass: { limits: { recoveries } },
      tools: [
        writeTool('write', {
          doubt: 'idempotent',
          call: async () => {
            made += 1;
            throw new Error('the connection broke');
          },
        }),
      ],
    });
    const taskId = await submit();
    await settle();
    expect(made).toBe(calls);
    expect(await site.reader.taskIndex({ isAsking: true })).toMatchObject([{ taskId }]);
    expect(await site.reader.taskIndex({ isOwed: true })).toEqual([]);
  });
});
