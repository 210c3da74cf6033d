import { writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { skipWithout, whereIs } from '../../../needs.ts';
import { accepting, freePort, serverFolder, startCluster, type Cluster } from '../../../postgres.ts';
import { firstFence } from '../../../../src/base/ports/store.ts';
import { stepOf, takeTasks } from '../steps.ts';
import { newSchema, opened } from './servers.ts';
import { eventually } from '../../../waits.ts';

/** Starts PgBouncer before a server, with two connections to it, each for one transaction at a time. */
const startPooler = async ({ port }: Cluster): Promise<string> => {
  const { folder, run, remove } = serverFolder();
  const own = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: own,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 2,
    max_client_conn: 200,
    logfile: join(folder, 'log'),
  };
  writeFileSync(
    file,
    `[databases]\n* = host=127.0.0.1 port=${port} user=postgres\n[pgbouncer]\n${Object.entries(settings)
      .map(([name, value]) => `${name} = ${value}`)
      .join('\n')}\n`,
    { mode: 0o644 },
  );
  const child = run(whereIs('pgbouncer') ?? '', [file]);
  onTestFinished(() => {
    child.kill('SIGKILL');
    remove();
  });
  const url = `postgres://postgres@127.0.0.1:${own}/postgres`;
  await accepting(url, child);
  return url;
};

describe.skipIf(skipWithout(['postgres', 'pgbouncer']) !== null)('behind a pooler of transactions', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('many stores commit, take and see changes, by more connections than the pooler has', async () => {
    const schema = newSchema();
    const connectionString = await startPooler(cluster);
    const stores = Array.from({ length: 6 }, () => opened({ connectionString, schema }));
    const [one, other] = [stores[0]!, stores[1]!];
    const changed = vi.fn();
    other.watch(changed);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        stores[at % 6]!.commit(stepOf(0, { taskId: `task ${at}`, key: `key ${at}` })),
      ),
    );
    expect(new Set(answers)).toEqual(new Set(['ok']));
    const taken = await Promise.all(stores.map((store) => takeTasks(store, 10)));
    expect(new Set(taken.flat().map(({ taskId }) => taskId)).size).toBe(60);
    await other.counts();
    await one.commit(stepOf(0, { taskId: 'seen' }));
    await eventually(() => expect(changed.mock.calls.flat(2)).toContain('seen'));
    await one.letGo(taken[0]!);
    expect(await one.commit(stepOf(1, { taskId: taken[0]![0]!.taskId!, fence: 1 }))).toBe('fenced');
  });

  it('no session listens: the pooler would drop what it hears', async () => {
    const schema = newSchema();
    const store = opened({ connectionString: await startPooler(cluster), schema });
    store.watch(() => {});
    await store.counts();
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (let time = 0; time < 4; time += 1)
      expect(await cluster.sql('SELECT pid FROM pg_stat_activity WHERE query ILIKE $$LISTEN%$$')).toEqual([]);
  });
});

/** A proxy before a server. `cut` drops every connection, and the answers that are on their way. */
const startProxy = async ({ port }: Cluster) => {
  const sockets = new Set<Socket>();
  let isDeaf = false;
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (data) => {
      if (isDeaf) client.destroy();
      else client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    url: `postgres://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    cut,
    deafen: (value: boolean) => (isDeaf = value),
  };
};

describe.skipIf(skipWithout(['postgres']) !== null)('a connection that is cut', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('loses the answer to a commit that was written: it throws, and a repetition conflicts', async () => {
    const proxy = await startProxy(cluster);
    const store = opened({ connectionString: proxy.url, schema: newSchema() });
    await store.commit(stepOf(0, { fence: firstFence }));
    proxy.deafen(true);
    await expect(store.commit(stepOf(1, { fence: firstFence }))).rejects.toMatchObject({
      code: 'store_unusable',
      message: expect.stringContaining('a step that was under way may have been written'),
    });
    proxy.deafen(false);
    expect((await store.load('task'))?.indexEntry.size).toBe(2);
    expect(await store.commit(stepOf(1, { fence: firstFence }))).toBe('conflict');
    expect(await store.commit(stepOf(2, { fence: firstFence }))).toBe('ok');
  });

  it('is replaced, also that of a pool whose owner listens to no error', async () => {
    const proxy = await startProxy(cluster);
    const pool = new Pool({ connectionString: proxy.url, max: 2 });
    onTestFinished(() => pool.end());
    const schema = newSchema();
    const store = opened({ pool, schema });
    const changed = vi.fn();
    store.watch(changed);
    await store.commit(stepOf(0));
    const other = opened({ connectionString: cluster.url(), schema });
    for (let time = 0; time < 3; time += 1) {
      proxy.cut();
      await new Promise((resolve) => setTimeout(resolve, 100));
      await eventually(async () => expect(await store.commit(stepOf(2 * time + 1))).toBe('ok'));
      changed.mockClear();
      await other.commit(stepOf(2 * time + 2));
      await eventually(() => expect(changed).toHaveBeenCalledWith(['task']));
    }
  });
});
