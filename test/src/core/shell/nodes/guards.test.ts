import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createGuard, type Guard, type GuardOptions, type Run } from '../../../../../src/guard/index.ts';
import { defineTaskClass } from '../../../../../src/index.ts';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { identity, scriptedPolicy, writeTool } from '../scripted.ts';
import { later, site } from './scene.ts';
import { eventually } from '../../../../waits.ts';

const submission = { taskClass: 'work', payload: {}, identity };

/** Proposes a write that a person approves, then concludes. */
const work = async (run: Pick<Run, 'call' | 'conclude'>): Promise<string> => {
  const { status } = await run.call('write', { of: 1 }, { ref: 'call-1' });
  return status === 'done' ? (await run.conclude({ payload: { done: true } })).status : status;
};

/** Approves the only question. */
const approve = async ({ orchestrator }: Guard): Promise<void> => {
  const [asked] = await eventually(async () => {
    const inbox = await orchestrator.inbox();
    expect(inbox).toHaveLength(1);
    return inbox;
  });
  await orchestrator.respond({ type: 'approve', target: asked!.message.messageId }, { by: 'dana' });
};

describe.skipIf(skipWithout(['postgres']) !== null)('several guards on one store', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  const guards = (lease?: number) => {
    const there = site(cluster, lease);
    const made: string[] = [];
    const start = (name: string, given: Partial<GuardOptions> = {}): Guard => {
      const guard = createGuard({
        tools: [writeTool('write', { call: async () => void made.push(name) })],
        taskClasses: [defineTaskClass({ id: 'work', tools: ['write'] })],
        policy: scriptedPolicy('needs_review').policy,
        store: there.connect(),
        ...given,
      });
      onTestFinished(() => guard.close());
      return guard;
    };
    return { ...there, start, made };
  };

  it('keep a run on the process that began it until it pauses', async () => {
    const { start, holderOf } = guards();
    const [one, other] = [start('one'), start('other')];
    await other.orchestrator.recover();
    const run = await one.begin(submission);
    const holder = await holderOf(run.taskId);
    await later(1_200); // several looks for tasks
    expect(await holderOf(run.taskId)).toBe(holder);
    expect(await work(run)).toBe('paused');
    await eventually(async () => expect(await holderOf(run.taskId)).toBeNull());
  });

  it('go on with a paused run on the process that resumes it, whoever performed the call', async () => {
    const { start, holderOf, made, verified } = guards();
    const [one, other] = [start('one'), start('other')];
    const run = await one.begin(submission);
    expect(await work(run)).toBe('paused');
    await eventually(async () => expect(await holderOf(run.taskId)).toBeNull());
    await one.close();
    const [third, resumed] = [start('third'), await other.resume(run.taskId)];
    await approve(third);
    await eventually(() => expect(made).toHaveLength(1));
    expect(await work(resumed)).toBe('delivered');
    expect(made).toHaveLength(1);
    expect(await verified(run.taskId)).toBe(true);
  });

  it('refuse a run that another process is working on, after a lease', async () => {
    const { start } = guards(1_000);
    const [one, other] = [start('one'), start('other')];
    const run = await one.begin(submission);
    const resumed = await other.resume(run.taskId);
    expect(await resumed.progress()).toMatchObject({ isSettled: false });
    await expect(work(resumed)).rejects.toMatchObject({ code: 'task_held', details: { taskId: run.taskId } });
    expect(await work(run)).toBe('paused');
  });

  it('leave a run to the processes that run its agent', async () => {
    const { start, made } = guards();
    const [one, other] = [start('one'), start('other', { agents: { work } })];
    await Promise.all([one, other].map(({ orchestrator }) => orchestrator.recover()));
    const { taskId } = await one.orchestrator.submit(submission);
    await approve(one);
    expect(await one.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(made).toHaveLength(1);
  });

  it('go on with the run of a process that died, by its agent', async () => {
    const { start, made } = guards(1_000);
    const dying = start('dying');
    const run = await dying.begin(submission);
    const other = start('other', { agents: { work } });
    await other.orchestrator.recover();
    await dying.close();
    await approve(other);
    expect(await other.orchestrator.settled(run.taskId)).toMatchObject({ outcome: 'success' });
    expect(made).toEqual(['other']);
  });
});
