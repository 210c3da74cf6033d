import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { createOrchestrator } from '../../../../src/index.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { skipWithout } from '../../../needs.ts';
import { contentsOf, copied, newServer, opened, places, sql, useServer } from './copying.ts';
import { folder, options } from './folder.ts';
import { eventually } from '../../../waits.ts';

useServer();

/** Waits until so many processes listen for changes. */
const listeners = (count: number) =>
  eventually(async () => {
    const rows = await sql(`SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LISTEN %'`);
    expect(rows).toHaveLength(count);
  });

describe.each(places)('store copy to %s', (_, target) => {
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

  describe.skipIf(skipWithout(['postgres']) !== null)('with a server', () => {
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
      await sql(
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
