import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createOrchestrator } from '../../../src/index.ts';
import type { Store } from '../../../src/ports/store.ts';
import { postgresStore } from '../../../src/stores/postgres.ts';
import { sqliteStore } from '../../../src/stores/sqlite.ts';
import { skipWithout } from '../../needs.ts';
import { startCluster, type Cluster } from '../../postgres.ts';
import { call } from './call.ts';
import { folder, identity, options, removeFolders } from './folder.ts';

const main = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
const reason = skipWithout(['postgres']);
const settledTasks = 60;

let cluster: Cluster | null = null;
let databases = 0;

beforeAll(async () => {
  if (reason === null) cluster = await startCluster();
});
afterAll(async () => {
  await cluster?.remove();
  await removeFolders();
});

/** Returns the address of an empty database. */
const newServer = async (): Promise<string> => {
  const name = `copy_${(databases += 1)}`;
  await cluster?.sql(`CREATE DATABASE ${name}`);
  return cluster?.url('postgres', name) ?? '';
};

const opened = (address: string): Store =>
  address.startsWith('postgres:') ? postgresStore({ connectionString: address }) : sqliteStore(address);

/** Returns all that a store has of its tasks. */
const contentsOf = async (address: string): Promise<readonly unknown[]> => {
  const store = opened(address);
  const contents: unknown[] = [];
  for (const { taskId } of await store.taskIndex()) contents.push(await store.load(taskId));
  for (const kind of ['key', 'message', 'approval'] as const)
    contents.push(
      new Set((await store.transfer.readNames(kind, null, 10_000)).map((one) => JSON.stringify(one))),
    );
  await store.close();
  return contents;
};

/** Returns a folder whose `tasks.db` has a parked task and many settled ones. */
const filled = async (): Promise<string> => {
  const cwd = await folder();
  await using orchestrator = createOrchestrator({
    ...options(),
    store: sqliteStore(join(cwd, 'tasks.db')),
  });
  const submitted = Array.from({ length: settledTasks }, async (_, at) => {
    const { taskId } = await orchestrator.submit(
      { taskClass: 'note', payload: {}, identity },
      { key: `note ${at}` },
    );
    await orchestrator.settled(taskId);
  });
  await Promise.all(submitted);
  return cwd;
};

/** Waits until so many processes listen for changes. */
const listeners = (count: number) =>
  vi.waitFor(async () => {
    const rows = await cluster?.sql(`SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LISTEN %'`);
    expect(rows).toHaveLength(count);
  }, 10_000);

const copied = (from: string, to: string, cwd: string) => call(['store', 'copy', from, to], { cwd });

const places = [
  ['a file', async (cwd: string) => join(cwd, 'copy.db')],
  ...(reason === null ? [['a server', newServer] as const] : []),
] as const;

describe.each(places)('store copy to %s', (_, target) => {
  it('goes on after it was killed, and then has every task', async () => {
    const cwd = await filled();
    const to = await target(cwd);
    const child = spawn(
      process.execPath,
      ['--import', import.meta.resolve('tsx'), main, 'store', 'copy', 'tasks.db', to],
      {
        cwd,
        stdio: 'ignore',
      },
    );
    const exit = once(child, 'exit');
    const copy = opened(to);
    await vi.waitFor(async () => expect((await copy.counts()).tasks).toBeGreaterThan(3), {
      timeout: 30_000,
      interval: 1,
    });
    child.kill('SIGKILL');
    await exit;
    const { tasks } = await copy.counts();
    await copy.close();
    expect(tasks).toBeLessThan(settledTasks + 2);

    const again = await copied('tasks.db', to, cwd);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain(`moved: ${settledTasks + 2 - tasks} tasks copied, ${tasks} there already`);
    expect(await contentsOf(to)).toEqual(await contentsOf(join(cwd, 'tasks.db')));
  });

  it('refuses a target that has another task of the same id, and releases nothing', async () => {
    const cwd = await folder();
    const to = await target(cwd);
    expect(await copied('tasks.db', to, cwd)).toMatchObject({ code: 0, stderr: '' });
    const guest = createOrchestrator({ ...options(), role: 'guest', store: opened(to) });
    const [entry] = await guest.inbox();
    const { message, taskId } = entry!;
    await guest.respond({ type: 'approve', target: message.messageId }, { by: 'dana' });
    await guest.close();
    const { code, stdout } = await copied('tasks.db', to, cwd);
    expect(code).toBe(1);
    expect(stdout).toContain(`${taskId}  other: `);
    expect(stdout).toContain('not moved: 0 tasks copied, 1 there already, 1 findings');
  });

  it('leaves a task behind whose ledger does not verify, and moves the others', async () => {
    const cwd = await folder();
    const db = new Database(join(cwd, 'tasks.db'));
    const last = db.prepare('UPDATE record SET body = zeroblob(9) WHERE id = (SELECT max(id) FROM record)');
    expect(last.run().changes).toBe(1);
    db.close();
    const { code, stdout } = await copied('tasks.db', await target(cwd), cwd);
    expect(code).toBe(1);
    expect(stdout).toContain('  broken: ');
    expect(stdout).toContain('moved: 1 tasks copied, 0 there already, 1 findings');
  });
});

describe('store copy', () => {
  it('refuses a store that is in use', async () => {
    const cwd = await folder();
    const owner = sqliteStore(join(cwd, 'tasks.db'));
    await owner.take({ charts: [], taskClasses: [], tools: [], agents: [] }, 1);
    const { code, stderr } = await copied('tasks.db', 'copy.db', cwd);
    expect(code).toBe(2);
    expect(stderr).toContain('another orchestrator owns it');
    const back = await copied('trail.db', 'tasks.db', cwd);
    expect(back).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no such file') });
    await owner.close();
  });

  it('refuses to copy a store to itself', async () => {
    const cwd = await folder();
    expect((await copied('tasks.db', './tasks.db', cwd)).stderr).toContain('two different stores');
  });

  describe.skipIf(reason !== null)('with a server', () => {
    it('refuses one that a node uses, also if the node holds no task', async () => {
      const cwd = await folder();
      const server = await newServer();
      expect((await copied('tasks.db', server, cwd)).code).toBe(0);
      const node = createOrchestrator({ ...options(), store: opened(server) });
      await node.recover();
      await listeners(1);
      for (const [from, to] of [
        [server, 'back.db'],
        ['tasks.db', server],
      ] as const)
        expect(await copied(from, to, cwd)).toMatchObject({
          code: 2,
          stderr: expect.stringContaining('another process listens for its changes'),
        });
      await node.close();
      await listeners(0);
      expect((await copied(server, 'back.db', cwd)).code).toBe(0);
    });

    it('moves tasks there and back, and a node then performs them', async () => {
      const cwd = await folder();
      const server = await newServer();
      expect(await copied('tasks.db', server, cwd)).toMatchObject({ code: 0, stderr: '' });
      expect((await copied(server, 'back.db', cwd)).code).toBe(0);
      expect(await contentsOf(join(cwd, 'back.db'))).toEqual(await contentsOf(join(cwd, 'tasks.db')));
      await using node = createOrchestrator({ ...options(), store: opened(server) });
      const [entry] = await node.inbox();
      const { message, taskId } = entry!;
      await node.respond({ type: 'approve', target: message.messageId }, { by: 'dana' });
      await expect(node.settled(taskId)).resolves.toMatchObject({ outcome: 'success' });
    });

    it('refuses a task that a process holds', async () => {
      const cwd = await folder();
      const server = await newServer();
      await copied('tasks.db', server, cwd);
      await cluster?.sql(
        "UPDATE agentcharter.task SET holder = gen_random_uuid(), lapses = clock_timestamp() + interval '1 h'",
        new URL(server).pathname.slice(1),
      );
      const { code, stdout } = await copied(server, 'back.db', cwd);
      expect(code).toBe(1);
      expect(stdout).toContain(' held: ');
    });

    it('lets no task be taken before all are there', async () => {
      const cwd = await folder();
      const [server, from] = [await newServer(), sqliteStore(join(cwd, 'tasks.db'))];
      const [to, [first]] = [opened(server), await from.taskIndex()];
      const copy = (await from.transfer.readTask(first!.taskId))!;
      const [needs, all] = [
        { taskClass: 'letter', tools: [], isTurn: false },
        { charts: [first!.chart], taskClasses: ['letter'], tools: [], agents: [] },
      ];
      const indexEntry = { ...copy.indexEntry, isOwed: true };
      await to.transfer.writeTask({ ...copy, needs, indexEntry });
      expect(await to.take(all, 9)).toEqual([]);
      await to.transfer.release();
      expect(await to.take(all, 9)).toHaveLength(1);
      await from.close();
      await to.close();
    });
  });
});
