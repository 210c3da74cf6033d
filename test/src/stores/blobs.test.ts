import { hash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryBlobs } from 'agentcharter/stores/memory';
import { postgresBlobs, postgresStore } from 'agentcharter/stores/postgres';
import { sqliteBlobs, sqliteStore } from 'agentcharter/stores/sqlite';
import { openPostgresBlobs } from '../../../src/stores/postgres/address.ts';
import type { BlobStore } from '../../../src/base/ports/blobs.ts';
import { skipWithout } from '../../needs.ts';
import { startCluster, type Cluster } from '../../postgres.ts';
import { both } from './codec/places.ts';
import { folder } from './folder.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const digestOf = (of: Uint8Array): string => `sha256:${hash('sha256', of)}`;

/** What every store of large values keeps; `open` connects anew, `null` where nothing lasts. */
const blobContract = (open: () => { first: BlobStore; again: (() => BlobStore) | null }): void => {
  it('keeps the bytes of each task apart, and the same bytes once', async () => {
    const { first } = open();
    const [photo, empty] = [Uint8Array.from({ length: 200_000 }, (_, at) => at % 251), bytes('')];
    for (const of of [photo, photo, empty]) await first.put('one', digestOf(of), of);
    expect(await first.get('one', digestOf(photo))).toEqual(photo);
    expect(await first.get('one', digestOf(empty))).toEqual(new Uint8Array());
    expect(await first.get('other', digestOf(photo))).toBeUndefined();
    await first.put('other', digestOf(photo), photo);
    await first.erase('one', [digestOf(photo), digestOf(bytes('never put'))]);
    expect(await first.get('one', digestOf(photo))).toBeUndefined();
    expect(await first.get('one', digestOf(empty))).toEqual(new Uint8Array());
    expect(await first.get('other', digestOf(photo))).toEqual(photo);
    await first.erase('other', []);
    await first.close();
  });

  it('is not changed by who put or got them', async () => {
    const { first } = open();
    const given = Uint8Array.of(1, 2, 3);
    const digest = digestOf(given);
    await first.put('task', digest, given);
    given[0] = 9;
    const got = await first.get('task', digest);
    got?.fill(7);
    expect(await first.get('task', digest)).toEqual(Uint8Array.of(1, 2, 3));
    await first.close();
  });

  it('keeps them for the next process', async () => {
    const { first, again } = open();
    if (again === null) return;
    await first.put('task', digestOf(bytes('kept')), bytes('kept'));
    await first.close();
    await expect(first.get('task', digestOf(bytes('kept')))).rejects.toMatchObject({ code: 'closed' });
    const next = again();
    expect(await next.get('task', digestOf(bytes('kept')))).toEqual(new Uint8Array(bytes('kept')));
    await next.close();
  });
};

describe('large values in memory', () => {
  blobContract(() => ({ first: memoryBlobs(), again: null }));
});

describe('large values in SQLite, with a codec', () => {
  blobContract(() => {
    const file = join(folder(), 'blobs.db');
    return { first: sqliteBlobs(file, { codec: both }), again: () => sqliteBlobs(file, { codec: both }) };
  });
});

describe('large values in SQLite', () => {
  blobContract(() => {
    const file = join(folder(), 'blobs.db');
    return { first: sqliteBlobs(file), again: () => sqliteBlobs(file) };
  });

  it('are in a file that no store of tasks takes for its own, and the reverse', async () => {
    const place = folder();
    const [blobs, tasks] = [join(place, 'blobs.db'), join(place, 'tasks.db')];
    const [kept, store] = [sqliteBlobs(blobs), sqliteStore(tasks)];
    await kept.put('task', digestOf(bytes('kept')), bytes('kept'));
    await store.taskIndex();
    await Promise.all([kept.close(), store.close()]);
    const foreign = { code: 'store_unusable', message: expect.stringContaining('another application') };
    await expect(sqliteBlobs(tasks).get('task', 'any')).rejects.toMatchObject(foreign);
    await expect(sqliteStore(blobs).taskIndex()).rejects.toMatchObject(foreign);
  });

  it('are nowhere in the file once they are erased', async () => {
    const file = join(folder(), 'blobs.db');
    const store = sqliteBlobs(file);
    const secret = bytes('a secret of somebody '.repeat(1000));
    await store.put('task', digestOf(secret), secret);
    await store.erase('task', [digestOf(secret)]);
    for (const name of [file, `${file}-wal`]) {
      copyFileSync(name, `${name}.copy`);
      expect(readFileSync(`${name}.copy`).includes('a secret of somebody')).toBe(false);
    }
    await store.close();
  });

  it('refuses a name that is no file', () => {
    expect(() => sqliteBlobs(':memory:')).toThrow(expect.objectContaining({ code: 'store_unusable' }));
  });
});

describe.skipIf(skipWithout(['postgres']) !== null)('large values in PostgreSQL', () => {
  let cluster: Cluster;
  let schemas = 0;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  blobContract(() => {
    const options = { connectionString: cluster.url(), schema: `blobs_${(schemas += 1)}` };
    return { first: postgresBlobs(options), again: () => postgresBlobs(options) };
  });

  describe('with a codec', () => {
    blobContract(() => {
      const schema = `blobs_${(schemas += 1)}`;
      const options = { connectionString: cluster.url(), schema, codec: both };
      return { first: postgresBlobs(options), again: () => postgresBlobs(options) };
    });
  });

  it('are read at an address, if their tables are there', async () => {
    const kept = bytes('kept');
    const missing = openPostgresBlobs(`${cluster.url()}?schema=nowhere`);
    await expect(missing.get('task', digestOf(kept))).rejects.toMatchObject({ code: 'store_unusable' });
    await missing.close();
    const first = postgresBlobs({ connectionString: cluster.url(), schema: 'somewhere' });
    await first.put('task', digestOf(kept), kept);
    await first.close();
    const again = openPostgresBlobs(`${cluster.url()}?schema=somewhere`);
    expect(await again.get('task', digestOf(kept))).toEqual(new Uint8Array(kept));
    await again.close();
  });

  it('are in a schema of their own', async () => {
    const store = postgresStore({ connectionString: cluster.url() });
    await store.taskIndex();
    const blobs = postgresBlobs({ connectionString: cluster.url() });
    await blobs.put('task', digestOf(bytes('kept')), bytes('kept'));
    expect(await blobs.get('task', digestOf(bytes('kept')))).toEqual(new Uint8Array(bytes('kept')));
    await Promise.all([store.close(), blobs.close()]);
  });
});
