import { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Store } from '../../../../src/base/ports/store.ts';
import { postgresStore } from '../../../../src/stores/postgres.ts';
import { codingOf } from '../../../../src/stores/codec.ts';
import { migrations } from '../../../../src/stores/postgres/layout.ts';
import { createStore } from '../../../../src/stores/postgres/store.ts';
import { commitStatement } from '../../../../src/stores/postgres/write.ts';
import { skipWithout } from '../../../needs.ts';
import { startCluster, type Cluster } from '../../../postgres.ts';
import { firstFence } from '../../../../src/base/ports/store.ts';
import { stepOf, takeTasks } from '../steps.ts';
import { newSchema, opened } from './servers.ts';
import { eventually } from '../../../waits.ts';

describe('the options of a store in PostgreSQL', () => {
  const connectionString = 'postgres://nobody@127.0.0.1:1/none';

  it.each([
    [
      { connectionString: undefined },
      'postgres store: it takes a connectionString or a pool, and got neither: is the variable set that should hold it?',
    ],
    [
      { connectionString, scheme: 'a' },
      /^postgres store: \/scheme is unknown. Did you mean "schema"\?; accepted: /,
    ],
    [{ connectionString, schema: 'Upper' }, /^postgres store: \/schema must be 1 to 63 lower-case letters/],
    [{ connectionString, schema: 'a"; DROP' }, /^postgres store: \/schema must be/],
    [{ connectionString, schema: 'pg_own' }, /^postgres store: \/schema must be/],
    [
      { connectionString, lease: 99 },
      'postgres store: /lease must be a number of milliseconds, 100 to 86400000',
    ],
    [
      { connectionString, lease: 10_000_000_000 },
      'postgres store: /lease must be a number of milliseconds, 100 to 86400000',
    ],
    [{ connectionString, poll: 0 }, 'postgres store: /poll must be a number of milliseconds, 1 to 86400000'],
    [{ pool: {} }, 'postgres store: /pool must be a Pool of pg'],
    [
      { pool: new Pool({ max: 1 }) },
      'postgres store: /pool must have a `max` of 2 or more: one connection listens',
    ],
    [
      { connectionString: 'postgres://app@host/db?schema=x' },
      '/connectionString must not name the schema: say it as `schema` beside it',
    ],
  ])('are refused: %j', (options, message) => {
    expect(() => postgresStore(options as never)).toThrow(message);
  });
});

describe.skipIf(skipWithout(['postgres']) !== null)('with a server', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  const store = (schema: string, more: Partial<Parameters<typeof opened>[0]> = {}): Store =>
    opened({ connectionString: cluster.url(), schema, ...more });

  describe('a schema', () => {
    it('is created once by many processes that begin together', async () => {
      const schema = newSchema();
      const stores = Array.from({ length: 8 }, () => store(schema));
      await Promise.all(stores.map((one, at) => one.commit(stepOf(0, { taskId: `task ${at}` }))));
      expect(await stores[0]?.counts()).toMatchObject({ tasks: 8 });
      expect(await cluster.sql(`SELECT version FROM ${schema}.agentcharter_layout`)).toEqual([
        { version: migrations.length },
      ]);
    });

    it('is brought up to date by one of many processes', async () => {
      const schema = newSchema();
      await store(schema).commit(stepOf(0));
      const later = [...migrations, (name: string) => `CREATE TABLE "${name}".added (id integer)`];
      const stores = Array.from({ length: 4 }, () =>
        createStore({ connection: cluster.url(), schema, migrations: later }, 1_000, 50),
      );
      for (const one of stores) onTestFinished(() => one.close());
      const sizes = await Promise.all(stores.map(async (one) => (await one.load('task'))?.indexEntry.size));
      expect(sizes).toEqual([1, 1, 1, 1]);
    });

    it.each(['an empty one', 'one that exists', 'one to bring up to date'])(
      'is opened whatever advisory locks another login holds: %s',
      async (kind) => {
        const schema = newSchema();
        await cluster.sql(`CREATE ROLE stranger_${schema} LOGIN`);
        if (kind === 'one that exists') await cluster.sql(`CREATE SCHEMA ${schema}`);
        if (kind === 'one to bring up to date') await store(schema).counts();
        const stranger = new Client({ connectionString: cluster.url(`stranger_${schema}`) });
        await stranger.connect();
        onTestFinished(() => stranger.end());
        await stranger.query(`SELECT pg_advisory_lock(hashtext('agentcharter'), hashtext('${schema}'))`);
        await stranger.query(`SELECT pg_advisory_lock(hashtext('agentcharter ${schema}'))`);
        for (const mode of ['ACCESS SHARE', 'EXCLUSIVE']) {
          const locking = stranger.query(`BEGIN; LOCK TABLE ${schema}.agentcharter_layout IN ${mode} MODE`);
          await expect(locking).rejects.toThrow(/permission denied|does not exist/);
          await stranger.query('ROLLBACK');
        }
        const later = [...migrations, (name: string) => `CREATE TABLE "${name}".added (id integer)`];
        const one = createStore(
          { connection: cluster.url(), schema, migrations: later, lockWait: 2_000 },
          1_000,
          50,
        );
        onTestFinished(() => one.close());
        expect(await one.counts()).toMatchObject({ tasks: 0 });
      },
    );

    it('says who keeps it from being brought up to date, and is afterwards', async () => {
      const schema = newSchema();
      await store(schema).counts();
      const role = `owner_${schema}`;
      await cluster.sql(`CREATE ROLE ${role} LOGIN SUPERUSER`);
      const other = new Client({ connectionString: cluster.url(role) });
      await other.connect();
      onTestFinished(() => other.end());
      await other.query(`BEGIN; LOCK TABLE ${schema}.agentcharter_layout IN SHARE MODE`);
      const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const later = [...migrations, (name: string) => `CREATE TABLE "${name}".added (id integer)`];
      const one = createStore(
        { connection: cluster.url(), schema, migrations: later, lockWait: 100 },
        1_000,
        50,
      );
      onTestFinished(() => one.close());
      const pid = rows[0]?.pid ?? 0;
      await expect(one.counts()).rejects.toMatchObject({
        code: 'store_unusable',
        message: expect.stringContaining(
          `its layout is to be changed, and process ${pid} of role ${role} keeps a lock on it; wait until that ends, or end it: SELECT pg_terminate_backend(${pid}); then try again`,
        ),
      });
      await other.query('ROLLBACK');
      expect(await one.counts()).toMatchObject({ tasks: 0 });
    });

    it('serves a node that opened it before another one brought it up to date', async () => {
      const schema = newSchema();
      const older = store(schema);
      await older.commit(stepOf(0));
      const later = [...migrations, (name: string) => `CREATE TABLE "${name}".added (id integer)`];
      const newer = createStore({ connection: cluster.url(), schema, migrations: later }, 1_000, 50);
      onTestFinished(() => newer.close());
      expect(await takeTasks(newer)).toMatchObject([{ taskId: 'task', fence: 1, attempts: 0 }]);
      expect(await older.commit(stepOf(1))).toBe('ok');
      expect(await older.commit(stepOf(0, { taskId: 'held', fence: firstFence }))).toBe('ok');
      expect(await older.commit(stepOf(1, { taskId: 'held', fence: firstFence }))).toBe('ok');
    });

    it('takes the steps of the release before, which frees the places of what it settles', async () => {
      const schema = newSchema();
      const one = store(schema);
      const claims = [{ quota: 'tasks', window: '', call: '', amount: 1, most: 1 }];
      const regulated = { begins: [], claims, releases: [] };
      expect(await one.commit(stepOf(0, { regulated }))).toBe('ok');
      expect(await one.commit(stepOf(0, { taskId: 'other', regulated }))).toBe('held');
      const writer = { node: '00000000-0000-4000-8000-000000000000', lease: 1_000 };
      const settled = stepOf(1, { indexEntry: { isSettled: true, isOwed: false } });
      const { text, values = [] } = commitStatement(schema, settled, writer, codingOf(undefined, 'store'));
      const client = new Client({ connectionString: cluster.url() });
      await client.connect();
      const { rows } = await client.query({
        text: text.replace(`, $${values.length}::jsonb`, ''),
        values: values.slice(0, -1),
      });
      await client.end();
      expect(rows).toMatchObject([{ answer: 'ok' }]);
      expect(await one.commit(stepOf(0, { taskId: 'other', regulated }))).toBe('ok');
    });

    it('waits with a pause for a step that begins a call and is being written, and for no reader', async () => {
      const schema = newSchema();
      const one = store(schema);
      await one.commit(stepOf(0));
      const regulated = { begins: ['tool send' as const], claims: [], releases: [] };
      const writer = { node: '00000000-0000-4000-8000-000000000000', lease: 1_000 };
      const step = stepOf(1, { regulated });
      const { text, values = [] } = commitStatement(schema, step, writer, codingOf(undefined, 'store'));
      const [writing, reading] = [0, 1].map(() => new Client({ connectionString: cluster.url() }));
      for (const client of [writing, reading]) {
        await client!.connect();
        await client!.query('BEGIN');
      }
      await reading!.query(`SELECT * FROM ${schema}.pause`);
      await writing!.query({ text, values: [...values] });
      let isPaused = false;
      const paused = one.pause('tool send', 'dana', 'a bug', 1).then((begun) => {
        isPaused = true;
        return begun;
      });
      await eventually(async () =>
        expect(await cluster.sql('SELECT FROM pg_locks WHERE NOT granted')).toHaveLength(1),
      );
      expect(isPaused).toBe(false);
      await writing!.query('COMMIT');
      expect(await paused).toBe(true);
      await reading!.query('COMMIT');
      for (const client of [writing, reading]) await client!.end();
      expect(await one.commit(stepOf(2, { regulated }))).toBe('held');
    });

    it('is refused if it is newer, and says what to do', async () => {
      const schema = newSchema();
      await store(schema).counts();
      await cluster.sql(`UPDATE ${schema}.agentcharter_layout SET version = 7, oldest = 6`);
      const attempt = store(schema).commit(stepOf(0));
      await expect(attempt).rejects.toMatchObject({
        code: 'store_unusable',
        message: `postgres://127.0.0.1:${cluster.port}/postgres schema ${schema}: it has layout 7; this version reads layouts up to ${migrations.length}: update agentcharter, or name another schema`,
      });
      expect(await cluster.sql(`SELECT count(*)::int AS tasks FROM ${schema}.task`)).toEqual([{ tasks: 0 }]);
    });

    it('is refused if it is another application’s, and left as it is', async () => {
      const schema = newSchema();
      await cluster.sql(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.task (id integer)`);
      await expect(store(schema).counts()).rejects.toMatchObject({
        code: 'store_unusable',
        details: { reason: 'it holds tables of another application' },
      });
      const tables = `SELECT tablename FROM pg_tables WHERE schemaname = '${schema}'`;
      expect(await cluster.sql(tables)).toEqual([{ tablename: 'task' }]);
    });

    it('works with a role that may only use it', async () => {
      const schema = newSchema();
      await cluster.sql(`CREATE ROLE worker_${schema} LOGIN`);
      const worker = () => store(schema, { connectionString: cluster.url(`worker_${schema}`) });
      await expect(worker().counts()).rejects.toMatchObject({
        code: 'store_unusable',
        message: expect.stringContaining(
          'its layout is missing or old, and this role may not change it (42501); open it once with a role that may',
        ),
      });
      await store(schema).counts();
      const refused = await worker()
        .counts()
        .catch((error: unknown) => error);
      expect(refused).toMatchObject({ details: { reason: 'its role may not do this (42501)' } });
      await cluster.sql(`GRANT USAGE ON SCHEMA ${schema} TO worker_${schema};
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO worker_${schema}`);
      const one = worker();
      const other = worker();
      expect(await one.commit(stepOf(0, { key: 'key', emissions: [] }))).toBe('ok');
      expect(await takeTasks(other)).toMatchObject([{ taskId: 'task', fence: 1 }]);
      expect((await one.load('task'))?.indexEntry.size).toBe(1);
    });

    it.each([
      ["default_transaction_isolation = 'repeatable read'", 'its default isolation is repeatable read'],
      ['synchronous_commit = off', 'it answers before a commit is on the disk (synchronous_commit is off)'],
    ])('is refused where the role has %s', async (setting, reason) => {
      const role = `role_${newSchema()}`;
      await cluster.sql(`CREATE ROLE ${role} LOGIN SUPERUSER; ALTER ROLE ${role} SET ${setting}`);
      const attempt = store(newSchema(), { connectionString: cluster.url(role) }).counts();
      await expect(attempt).rejects.toMatchObject({ code: 'store_unusable', details: { reason } });
    });
  });

  describe('a commit', () => {
    it('takes one statement', async () => {
      const pool = new Pool({ connectionString: cluster.url() });
      onTestFinished(() => pool.end());
      const schema = newSchema();
      const one = store(schema, { connectionString: undefined, pool } as never);
      await one.counts();
      const query = vi.spyOn(pool, 'query');
      await one.commit(stepOf(0, { key: 'key', consumedApprovals: [{ jti: 'a', action: 'b' }] }));
      expect(query).toHaveBeenCalledOnce();
      expect(query.mock.calls[0]?.[0]).not.toHaveProperty('name');
    });

    it('of many tasks at once with shared approvals never ends in a deadlock', async () => {
      const schema = newSchema();
      const stores = [store(schema), store(schema)];
      const names = Array.from({ length: 60 }, (_, at) => `task ${at}`);
      const answers = await Promise.all(
        names.map((taskId, at) =>
          stores[at % 2]!.commit(
            stepOf(0, {
              taskId,
              key: `key ${at % 20}`,
              consumedApprovals: ['a', 'b', 'c']
                .map((jti) => ({ jti: `${jti} ${at % 7}`, action: taskId }))
                .toSorted(() => (at % 2 === 0 ? 1 : -1)),
            }),
          ),
        ),
      );
      expect(new Set(answers)).toEqual(new Set(['ok', 'duplicate', 'spent']));
      expect(answers.filter((answer) => answer === 'ok')).toHaveLength(7);
      expect((await stores[0]!.counts()).tasks).toBe(7);
    });
  });

  describe('a server that crashes', () => {
    it('rejects what is under way with a reason, and is used again when it is back, with every step', async () => {
      const unhandled = vi.fn();
      process.on('unhandledRejection', unhandled);
      process.on('uncaughtException', unhandled);
      onTestFinished(
        () => void process.off('unhandledRejection', unhandled).off('uncaughtException', unhandled),
      );
      const crashed = await startCluster();
      onTestFinished(() => crashed.remove());
      const [one, other] = [1, 2].map(() => opened({ connectionString: crashed.url() }));
      const changed = vi.fn();
      other!.watch(changed);
      await other!.counts();
      let written = 0;
      const errors: unknown[] = [];
      for (const isDown of [false, true, false]) {
        if (isDown) setTimeout(() => void crashed.stop('immediate'), 20);
        for (let time = 0; time < (isDown ? 200 : 5); time += 1)
          try {
            const answer = await one!.commit(stepOf(written, { fence: firstFence }));
            // the answer to a commit may be lost with the server
            if (answer === 'ok' || answer === 'conflict') written += 1;
            else expect(answer).toBe('fenced');
          } catch (error) {
            errors.push(error);
            if (errors.length > 3) break;
          }
        if (isDown) {
          await crashed.stop('immediate');
          await crashed.start();
        }
      }
      expect(errors.length).toBeGreaterThan(0);
      for (const error of errors) expect(error).toMatchObject({ code: 'store_unusable' });
      const task = await one!.load('task');
      expect(task?.records.map(({ seq }) => seq)).toEqual([...Array(written).keys()]);
      const before = changed.mock.calls.length;
      await one!.commit(stepOf(written));
      await eventually(() => expect(changed.mock.calls.length).toBeGreaterThan(before));
      expect(unhandled).not.toHaveBeenCalled();
    });

    it('is reported where it is not there at all', async () => {
      const one = opened({ connectionString: 'postgres://nobody:secret@127.0.0.1:1/none' });
      const error = await one.counts().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'store_unusable',
        message:
          'postgres://127.0.0.1:1/none schema agentcharter: it cannot be reached (ECONNREFUSED); start it, or correct host and port of the connection string; or try again when it is back; a step that was under way may have been written',
      });
    });
  });

  describe('a watch', () => {
    it('is told at once by the server, before it polls', async () => {
      const schema = newSchema();
      const [one, other] = [store(schema), store(schema, { poll: 600_000 })];
      const changed = vi.fn();
      other.watch(changed);
      await other.counts();
      await eventually(async () => {
        const listening = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'LISTEN%${schema}%'`;
        expect(await cluster.sql(listening)).toEqual([{ n: 1 }]);
      });
      await one.commit(stepOf(0));
      await eventually(() => expect(changed).toHaveBeenCalledWith(['task']));
    });

    it('finds a change whose transaction began before one that it knows and committed after it', async () => {
      const schema = newSchema();
      const [one, other] = [store(schema), store(schema)];
      const found = new Set<string>();
      other.watch((taskIds) => taskIds.forEach((taskId) => found.add(taskId)));
      await other.counts();
      await one.commit(stepOf(0, { taskId: 'slow' }));
      await one.commit(stepOf(0, { taskId: 'fast' }));
      await eventually(() => expect(found.size).toBe(2));
      found.clear();
      const client = new Client({ connectionString: cluster.url() });
      await client.connect();
      onTestFinished(() => client.end());
      await client.query('BEGIN');
      await client.query(
        `UPDATE ${schema}.task SET changed = pg_current_xact_id(), writer = gen_random_uuid() WHERE task_id = 'slow'`,
      );
      await one.commit(stepOf(1, { taskId: 'fast' }));
      await eventually(() => expect([...found]).toEqual(['fast']));
      await client.query('COMMIT');
      await eventually(() => expect([...found]).toEqual(['fast', 'slow']));
    });
  });
});
