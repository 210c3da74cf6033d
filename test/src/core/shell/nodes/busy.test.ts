import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { eventually } from '../../../../waits.ts';
import { call, draft, plan, writeTool } from '../scripted.ts';
import { shortLease, site } from './scene.ts';

const program = fileURLToPath(new URL('./busy.ts', import.meta.url));

describe.skipIf(skipWithout(['postgres']) !== null)('a node whose event loop is busy', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  /** Starts a busy process, and then a rival that takes what is free. */
  const scene = async (busy: number) => {
    const there = site(cluster, shortLease);
    const args = [cluster.url(), there.schema, String(shortLease), String(busy)];
    const child = fork(program, args, { execArgv: ['--import', 'tsx'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const said: string[] = [];
    child.on('message', (what: string) => said.push(what));
    await eventually(() => expect(said).toContain('ready'));
    // its thread has a connection
    const leasing = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'agentcharter leases'`;
    await eventually(async () => expect(await cluster.sql(leasing)).toEqual([{ n: 1 }]));
    const guest = there.start({ tools: [writeTool('write')], options: { role: 'guest' } });
    const taskId = await guest.submit();
    await eventually(() => expect(said).toContain('busy'));
    const rival = there.start({
      model: ({ asks }: { readonly asks: string }) => (asks === 'plan' ? plan([call('write')]) : draft()),
      tools: [writeTool('write')],
    });
    await rival.orchestrator.recover();
    return { ...there, said, guest, rival, taskId };
  };

  it('keeps its task for longer than a lease, and may act at once afterwards', async () => {
    const { said, guest, rival, taskId, recordsOf } = await scene(4 * shortLease);
    expect(await guest.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(said.filter((what) => what !== 'ready')).toEqual(['busy', 'made', 'busy']);
    expect(rival.turns).toEqual([]);
    const kinds = (await recordsOf(taskId)).map(({ fact }) => fact?.type);
    expect(kinds).not.toContain('call.doubted');
  });

  it('loses it once the loop has not answered for ten leases', async () => {
    const { guest, rival, taskId } = await scene(3_600_000);
    expect(await guest.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(rival.turns.length).toBeGreaterThan(0);
  });
});
