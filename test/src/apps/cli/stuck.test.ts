import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { skipWithout } from '../../../needs.ts';
import { startCluster, type Cluster } from '../../../postgres.ts';
import { eventually } from '../../../waits.ts';
import { site } from '../../core/shell/nodes/scene.ts';
import { parkedEntry } from '../../core/shell/parked-store.ts';
import { stepOf } from '../../stores/steps.ts';
import { call } from './call.ts';
import { folder, removeFolders } from './folder.ts';

afterAll(removeFolders);

const config = `
import { defineTaskClass } from 'agentcharter';
export default { taskClasses: [defineTaskClass({ id: 'work', tools: [] })] };
`;

const stored = async () => {
  const cwd = await folder();
  const store = sqliteStore(join(cwd, 'stuck.db'));
  const owed = { ...parkedEntry('t'), isOwed: true };
  await store.commit(stepOf(0, { taskId: 'old', indexEntry: owed }));
  await store.commit(stepOf(0, { taskId: 'new', indexEntry: { ...owed, at: Date.now() } }));
  await store.close();
  return (line: string) => call(`${line} --store stuck.db`, { cwd });
};

describe('of a file', () => {
  it('tasks --stuck prints those of which nothing was recorded, and why', async () => {
    const on = await stored();
    const { stdout, code } = await on('tasks --stuck');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toHaveLength(3);
    expect(stdout).toMatch(
      /no_progress: nothing was done for it for \d+ minutes: expected an owner of the store/,
    );
    expect(await on('tasks --stuck --limit 0')).toMatchObject({ code: 2 });
    expect(await on('tasks --stuck --unsettled')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('expected no --unsettled or --after with it'),
    });
    const { tasks } = JSON.parse((await on('tasks --stuck --json')).stdout) as { tasks: readonly object[] };
    expect(tasks).toMatchObject([{ reason: 'no_progress', attempts: 0 }]);
  });

  it('stats prints how much waits, and for how long', async () => {
    const { stdout } = await (await stored())('stats');
    expect(stdout).toMatch(/^tasks +2, of which 0 are settled\nowed +2, the first for \d+ h\nheld +0\n/);
    expect(stdout).toMatch(/stuck +1, the first for \d+ h\n$/);
  });
});

describe.skipIf(skipWithout(['postgres']) !== null)('of PostgreSQL', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('a task that a process ended with is listed, refused while one performs it, freed, and cancelled', async () => {
    const there = site(cluster);
    const cwd = await folder();
    await writeFile(join(cwd, 'charter.mjs'), config);
    const on = (line: string) => call(`${line} --store ${cluster.url()}?schema=${there.schema}`, { cwd });
    const node = there.start({ model: [() => new Promise(() => {})] });
    const taskId = await node.submit();
    await eventually(() => expect(node.turns).toHaveLength(1));
    expect((await on('stats')).stdout).toMatch(/^held +1$/m);
    expect(await on('tasks --stuck')).toMatchObject({ code: 0, stdout: '', stderr: 'no task is stuck\n' });
    expect(await on(`retry ${taskId}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is performed by a process'),
    });
    await node.orchestrator.close();
    await cluster.sql(
      `UPDATE ${there.schema}.task SET lapses = clock_timestamp() - interval '1 s', attempts = 3,
        holder = coalesce(holder, gen_random_uuid())`,
    );
    expect((await on('tasks --stuck')).stdout).toContain('4 times in a row');
    expect(await on(`retry ${taskId} --skip`)).toMatchObject({
      code: 0,
      stdout: `free: ${taskId} may be taken at once, without what it waits for if its store has leases\n`,
    });
    expect(await on(`retry nope`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no task "nope"'),
    });
    expect(await on(`cancel ${taskId} --as dana --config charter.mjs`)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('is cancelled by dana'),
    });
    const last = there.start();
    await last.orchestrator.recover();
    expect(await last.orchestrator.settled(taskId)).toMatchObject({ state: 'cancelled' });
  });
});
