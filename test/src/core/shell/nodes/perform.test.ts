import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isCharterError } from '../../../../../src/index.ts';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { eventually } from '../../../../waits.ts';
import { call, draft, plan, readTool, writeTool } from '../scripted.ts';
import { later, site, type Given } from './scene.ts';

const codeOf = async (refused: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await refused.catch((thrown: unknown) => thrown);
  return isCharterError(error) ? error.code : error;
};

/** The options of a node that takes nothing by itself. */
const passive = (given: Given = {}): Given => ({ ...given, options: { ...given.options, takes: false } });

describe.skipIf(skipWithout(['postgres']) !== null)('a node that takes nothing by itself', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('performs the task that it is told, until it rests, and no other', async () => {
    const there = site(cluster);
    const node = there.start(passive({ model: [plan(), draft()] }));
    const [taskId, other] = [await node.submit(), await node.submit()];
    expect(await node.orchestrator.recover()).toMatchObject({ taken: 0 });
    await later(700); // longer than a look
    expect(node.turns).toEqual([]);
    expect(await node.orchestrator.perform(taskId)).toEqual({
      taskId,
      isSettled: true,
      isOwed: false,
      next: null,
    });
    expect(await there.factsOf(other)).toEqual([]);
    expect(await there.holderOf(taskId)).toBeNull();
  });

  it('says when a task that waits is to be performed again, and goes on after an answer', async () => {
    const there = site(cluster);
    const node = there.start(passive({ model: [plan([], { confidence: 0.1 }), draft()] }));
    const taskId = await node.submit();
    const rested = await node.orchestrator.perform(taskId);
    expect(rested).toMatchObject({ isSettled: false, isOwed: false });
    expect(rested.next).toBeGreaterThan(Date.now());
    expect(await there.holderOf(taskId)).toBeNull();
    expect(await node.orchestrator.perform(taskId)).toEqual(rested); // told again by one that comes too early
    await node.answer('approve');
    expect(await node.orchestrator.perform(taskId)).toMatchObject({ isSettled: true });
  });

  it('refuses a task that another one performs, that is unknown, or that it cannot perform', async () => {
    const there = site(cluster);
    const calls: (() => void)[] = [];
    const tools = [
      writeTool('pay', { call: () => new Promise((resolve) => calls.push(() => resolve({ paid: true }))) }),
    ];
    const given = passive({ model: [plan([call('pay')]), draft()], tools });
    const [one, other, without] = [there.start(given), there.start(given), there.start(passive())];
    const taskId = await one.submit();
    expect(await codeOf(without.orchestrator.perform(taskId))).toBe('not_found');
    const done = one.orchestrator.perform(taskId);
    await eventually(() => expect(calls).toHaveLength(1));
    expect(await codeOf(other.orchestrator.perform(taskId))).toBe('task_held');
    expect(await codeOf(other.orchestrator.perform('nope'))).toBe('not_found');
    const again = one.orchestrator.perform(taskId);
    calls[0]?.();
    expect(await done).toMatchObject({ isSettled: true });
    expect(await again).toMatchObject({ isSettled: true });
    expect(calls).toHaveLength(1);
    expect(await there.verified(taskId)).toBe(true);
  });

  it('begins nothing more when the signal aborts, and lets the task go to the next once its call has ended', async () => {
    const there = site(cluster);
    const calls: (() => void)[] = [];
    const look = readTool('look', { call: () => new Promise((resolve) => calls.push(() => resolve({}))) });
    const given = passive({ model: [plan([call('look')]), draft()], tools: [look] });
    const [one, other] = [there.start(given), there.start(passive({ model: [draft()], tools: [look] }))];
    const taskId = await one.submit();
    const stop = new AbortController();
    const done = one.orchestrator.perform(taskId, { signal: stop.signal });
    await eventually(() => expect(calls).toHaveLength(1));
    stop.abort(new Error('enough'));
    await expect(done).rejects.toThrow('enough');
    expect(await codeOf(other.orchestrator.perform(taskId))).toBe('task_held');
    calls[0]?.();
    await eventually(async () => expect(await there.holderOf(taskId)).toBeNull());
    expect(one.turns).toHaveLength(1);
    expect(await other.orchestrator.perform(taskId)).toMatchObject({ isSettled: true });
    expect(calls).toHaveLength(1);
  });
});
