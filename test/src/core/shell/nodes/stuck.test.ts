import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../../../src/core/shell/events.ts';
import { isCharterError } from '../../../../../src/index.ts';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { eventually } from '../../../../waits.ts';
import { call, draft, plan, readTool } from '../scripted.ts';
import { site } from './scene.ts';

describe.skipIf(skipWithout(['postgres']) !== null)('tasks that no node goes on with', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  /** Ends the hold of each task, as if it were the last of so many in a row; and leaves them alone from now on. */
  const lapse = (schema: string, before: number): Promise<unknown> =>
    cluster.sql(
      `UPDATE ${schema}.task SET lapses = clock_timestamp() - interval '1 ms', attempts = ${before},
        holder = coalesce(holder, gen_random_uuid()) WHERE is_owed`,
    );

  /** A task whose model ended three nodes in a row. */
  const ended = async () => {
    const there = site(cluster);
    const begun = { count: 0 };
    const model = [
      () => {
        begun.count += 1;
        return new Promise(() => {});
      },
      draft(),
    ];
    const first = there.start({ model });
    const taskId = await first.submit();
    await eventually(() => expect(begun.count).toBe(1));
    await first.orchestrator.close();
    await lapse(there.schema, 2);
    return { ...there, taskId };
  };

  it('are found with the reason, and one is tried again at once by `retry`', async () => {
    const { start, taskId } = await ended();
    const node = start({ model: [plan(), draft()] });
    const lines: LogEntry[] = [];
    node.orchestrator.on('log', (line) => lines.push(line));
    const [stuck] = await node.orchestrator.stuck();
    expect(stuck).toMatchObject({ taskId, reason: 'process_ends', attempts: 3, isHeld: false });
    expect(stuck?.message).toContain('3 times in a row');
    expect((await node.orchestrator.stats()).stuck.tasks).toBe(1);
    expect((await node.orchestrator.recover()).taken).toBe(0); // it is left alone for a minute
    await node.orchestrator.retry(taskId);
    await node.orchestrator.recover();
    expect((await node.orchestrator.settled(taskId)).outcome).toBe('success');
    expect(await node.orchestrator.stuck({ after: 0 })).toEqual([]);
    expect(lines.map(({ code }) => code)).toEqual(['task_retried', 'task_taken']);
    expect((await node.orchestrator.stats()).totals.taken).toBe(1);
  });

  it('are asked about by `skip`, in place of the model', async () => {
    const { start, taskId } = await ended();
    const node = start({ model: [plan(), draft()] });
    await node.orchestrator.skip(taskId);
    expect((await node.orchestrator.stuck())[0]).toMatchObject({
      attempts: 0,
      message: expect.stringContaining('an operator lets it go on without'),
    });
    await node.orchestrator.recover();
    const { question, message } = await node.question();
    expect(question.kind).toBe('help');
    expect(message.explanation).toContain('an operator had it skipped');
    expect(node.turns).toEqual([]);
    await node.answer('reject');
  });

  it('are found where no node has their tools, and not while one performs them', async () => {
    const there = site(cluster);
    const one = there.start({
      model: [plan([call('look')])],
      tools: [readTool('look', { call: () => new Promise(() => {}) })],
    });
    const taskId = await one.submit();
    await eventually(async () => expect(await there.factsOf(taskId)).toContain('call.started'));
    const other = there.start({ model: [draft()] });
    expect(await other.orchestrator.stuck({ after: 0 })).toEqual([]);
    const held = await other.orchestrator.retry(taskId).catch((error: unknown) => error);
    expect(isCharterError(held, 'task_held')).toBe(true);
    await one.orchestrator.close(); // the call ignores it: its lease is kept
    await lapse(there.schema, 0);
    await eventually(async () => {
      const [stuck] = await other.orchestrator.stuck({ after: 0 });
      expect(stuck).toMatchObject({ taskId, reason: 'not_taken' });
      expect(stuck?.message).toContain('expected one with the task class work and the tools look');
    });
  });

  it('log what a node loses', async () => {
    const there = site(cluster);
    const node = there.start({ model: [() => new Promise(() => {})] });
    const lines: LogEntry[] = [];
    node.orchestrator.on('log', (line) => lines.push(line));
    const taskId = await node.submit();
    await eventually(async () => expect(await there.holderOf(taskId)).not.toBeNull());
    await cluster.sql(`UPDATE ${there.schema}.task SET fence = fence + 1, holder = gen_random_uuid()`);
    await node.orchestrator.cancel(taskId, { by: 'dana' }).catch(() => {});
    await eventually(() => expect(node.lost).toEqual([taskId]));
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', code: 'task_lost', taskId }));
    expect(node.errors).toEqual([]);
    expect((await node.orchestrator.stats()).totals.lost).toBe(1);
  });
});
