import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { skipWithout } from '../../../needs.ts';
import { startCluster, type Cluster } from '../../../postgres.ts';
import { stepOf } from '../steps.ts';
import { newSchema, opened } from './servers.ts';

/** A proxy whose connections carry nothing from `cut` on, as after a firewall that lost its state; later ones do. */
const proxyTo = async (port: number) => {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `postgres://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    cut: () => {
      for (const socket of sockets) socket.unpipe();
      return sockets.size / 2;
    },
  };
};

describe.skipIf(skipWithout(['postgres']) !== null)('connections', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('that say nothing cost less than a lease, once: the next statement has another one', async () => {
    const proxy = await proxyTo(cluster.port);
    const lease = 5_000;
    const store = opened({ connectionString: proxy.url, schema: newSchema(), lease });
    await store.commit(stepOf(0));
    await Promise.all(Array.from({ length: 4 }, () => store.counts())); // several connections are idle
    expect(proxy.cut()).toBeGreaterThanOrEqual(4);

    const silence = { code: 'store_unusable', cause: { message: `no answer in ${lease * 0.4} ms` } };
    await expect(store.counts()).rejects.toMatchObject(silence);
    expect(await store.counts()).toMatchObject({ tasks: 1 });
  });
});
