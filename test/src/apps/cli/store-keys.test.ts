import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { aesCodec } from 'agentcharter/stores';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { postgresStore } from 'agentcharter/stores/postgres';
import { keyOf, keys } from '../../stores/codec/places.ts';
import { call } from './call.ts';
import { contentsOf, places, useServer } from './copying.ts';
import { folder } from './folder.ts';

useServer();

const base64 = (key: Uint8Array): string => Buffer.from(key).toString('base64');
const [k1, k2] = [base64(keys.k1), base64(keys.k2)];

const ask = (line: string, cwd: string, storeKeys?: string) =>
  call(line, { cwd, ...(storeKeys !== undefined && { env: { AGENTCHARTER_STORE_KEYS: storeKeys } }) });

/** Opens a store that was copied, with these keys. */
const openedAt = (address: string, codec: ReturnType<typeof aesCodec>) =>
  address.startsWith('postgres:')
    ? postgresStore({ connectionString: address, codec })
    : sqliteStore(address, { codec });

describe.each(places)('AGENTCHARTER_STORE_KEYS, with a copy to %s', (_, target) => {
  it('encodes a plain store, reads the copy, and retires an old key by another copy', async () => {
    const cwd = await folder();
    const contents = await contentsOf(join(cwd, 'tasks.db'));
    const [encoded, retired] = [await target(cwd), join(cwd, 'retired.db')];
    const moved = { code: 0, stdout: expect.stringContaining('moved: 2 tasks copied') };
    expect(await ask(`store copy tasks.db ${encoded}`, cwd, `k1:${k1}`)).toMatchObject(moved);
    const read = await ask(`tasks --store ${encoded}`, cwd, `k1:${k1}`);
    expect(read).toMatchObject({ code: 0, stdout: expect.stringContaining('letter') });
    const verified = await ask(`ledger verify --store ${encoded}`, cwd, `k1:${k1}`);
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('intact') });
    expect(await ask(`store copy ${encoded} ${retired}`, cwd, `k2:${k2},k1:${k1}`)).toMatchObject(moved);
    const only = openedAt(retired, aesCodec({ keys: { k2: keys.k2 }, current: 'k2' }));
    const stored = [];
    for (const { taskId } of await only.taskIndex()) stored.push(await only.load(taskId));
    await only.close();
    expect(stored).toEqual(contents.slice(0, stored.length));
    expect(stored).toHaveLength(2);
    expect(readFileSync(retired).includes('Dear landlord')).toBe(false);
    const plain = sqliteStore(retired);
    const encodedStill = { code: 'store_unusable', message: expect.stringContaining('it is encoded') };
    for (const { indexEntry } of stored.flatMap((one) => one ?? []))
      await expect(plain.load(indexEntry.taskId)).rejects.toMatchObject(encodedStill);
    await plain.close();
  });

  it('is asked for, and for the key that it lacks', async () => {
    const cwd = await folder();
    const encoded = await target(cwd);
    await ask(`store copy tasks.db ${encoded}`, cwd, `k1:${k1}`);
    const without = await ask(`tasks --store ${encoded}`, cwd);
    expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('it is encoded') });
    expect(without.stderr).toContain('AGENTCHARTER_STORE_KEYS');
    const other = await ask(`ledger verify --store ${encoded}`, cwd, `k2:${k2}`);
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('key "k1" is missing') });
    expect(other.stderr + other.stdout).not.toContain(k2);
  });
});

test.each([
  k1,
  `k1:${k1.slice(1)}`,
  `k1:${k1},k2`,
  `k1:${k1},k1:${k2}`,
  `:${k1}`,
  `k1=${k1}`,
  `k1: ${base64(keyOf(3))}`,
])('AGENTCHARTER_STORE_KEYS=%j is refused, and not repeated', async (storeKeys) => {
  const { code, stdout, stderr } = await ask('tasks --store tasks.db', await folder(), storeKeys);
  expect(code).toBe(2);
  expect(stderr).toContain('AGENTCHARTER_STORE_KEYS: expected NAME:KEY,NAME:KEY');
  expect(stdout + stderr).not.toContain(k1.slice(4, 20));
});

test('AGENTCHARTER_STORE_KEYS that is empty is none', async () => {
  expect(await ask('tasks --store tasks.db', await folder(), '')).toMatchObject({ code: 0 });
});
