import { describe, expect, it, vi } from 'vitest';
import type { Orchestrator } from '../../../../src/index.ts';
import type { StuckTask } from '../../../../src/types.ts';
import type { ConsoleOptions } from '../../../../src/apps/console/index.ts';
import { scene } from '../../core/shell/scene.ts';
import { call, never, plan, readTool } from '../../core/shell/scripted.ts';
import { served } from './served.ts';

/** A task whose owner does not go on with it, and a guest. */
const stuck = async () => {
  const owner = scene({
    model: [plan([call('look')])],
    tools: [readTool('look', { call: (_, { signal }) => never(signal), deadline: 3_600_000 })],
  });
  const taskId = await owner.submit({ wish: 'a list' });
  await owner.clock.advance(6 * 60_000);
  const guest = scene({
    tools: [readTool('look')],
    options: { role: 'guest', store: owner.store, clock: owner.clock },
  });
  guest.leave();
  return { taskId, orchestrator: guest.orchestrator };
};

const all: ConsoleOptions = { identity: () => 'olga', operates: (by: unknown) => by === 'olga' };

describe('A stuck task in the console', () => {
  it('is listed with the reason, for everyone', async () => {
    const { taskId, orchestrator } = await stuck();
    const { get } = await served(orchestrator);
    expect(await get('api/stuck')).toMatchObject([
      { taskId, reason: 'no_progress', attempts: 0, about: expect.stringContaining('a list') },
    ]);
    expect(await get('api/session')).toEqual({ identity: null, operates: false });
  });

  it.each([
    ['without a person', {}],
    ['of a person who is no operator', { ...all, identity: () => 'dana' }],
    ['by default', { identity: () => 'olga' }],
  ])('is left as it is by a request %s', async (_, options) => {
    const { taskId, orchestrator } = await stuck();
    const { post } = await served(orchestrator, options);
    const { status, body } = await post('api/stuck', { taskId, action: 'cancel' });
    expect([status, JSON.parse(body)]).toMatchObject([
      403,
      { detail: expect.stringContaining('Only an operator') },
    ]);
    expect((await orchestrator.task(taskId)).state).toBe('submitted.execute.calling');
  });

  it('is cancelled by an operator, under the name that the host gives', async () => {
    const { taskId, orchestrator } = await stuck();
    const asked = { ...orchestrator, cancel: vi.fn(async () => {}) } as Orchestrator;
    const { get, post } = await served(asked, all);
    expect(await get('api/session')).toEqual({ identity: 'olga', operates: true });
    expect((await post('api/stuck', { taskId, action: 'cancel' })).status).toBe(200);
    expect(asked.cancel).toHaveBeenCalledExactlyOnceWith(taskId, { by: 'olga' });
  });

  it('is tried again, or skips what it waits for', async () => {
    const { taskId, orchestrator } = await stuck();
    const asked = {
      ...orchestrator,
      retry: vi.fn(async () => {}),
      skip: vi.fn(async () => {}),
    } as Orchestrator;
    const { post } = await served(asked, all);
    await post('api/stuck', { taskId, action: 'retry' });
    await post('api/stuck', { taskId, action: 'skip' });
    expect(asked.retry).toHaveBeenCalledExactlyOnceWith(taskId);
    expect(asked.skip).toHaveBeenCalledExactlyOnceWith(taskId);
  });

  it('needs an order that can be read, and a task', async () => {
    const { taskId, orchestrator } = await stuck();
    const { post } = await served(orchestrator, all);
    expect((await post('api/stuck', { taskId, action: 'delete' })).status).toBe(422);
    expect((await post('api/stuck', { taskId: 'nope', action: 'retry' })).status).toBe(404);
    expect((await orchestrator.stuck()).map((one: StuckTask) => one.taskId)).toEqual([taskId]);
  });
});
