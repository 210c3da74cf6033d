import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Store } from '../../../../src/base/ports/store.ts';
import { postgresStore } from '../../../../src/stores/postgres.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { skipWithout } from '../../../needs.ts';
import { startCluster, type Cluster } from '../../../postgres.ts';
import { call } from './call.ts';
import { removeFolders } from './folder.ts';

const hasServer = skipWithout(['postgres']) === null;

let cluster: Cluster | null = null;
let databases = 0;

/** Starts a server for the tests of a file, if there can be one. */
export const useServer = (): void => {
  beforeAll(async () => {
    if (hasServer) cluster = await startCluster();
  });
  afterAll(async () => {
    await cluster?.remove();
    await removeFolders();
  });
};

export const sql = async (...statement: Parameters<Cluster['sql']>): Promise<unknown> =>
  cluster?.sql(...statement);

/** Returns the address of an empty database. */
export const newServer = async (): Promise<string> => {
  const name = `copy_${(databases += 1)}`;
  await cluster?.sql(`CREATE DATABASE ${name}`);
  return cluster?.url('postgres', name) ?? '';
};

export const opened = (address: string): Store =>
  address.startsWith('postgres:') ? postgresStore({ connectionString: address }) : sqliteStore(address);

/** Returns all that a store has of its tasks. */
export const contentsOf = async (address: string): Promise<readonly unknown[]> => {
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

export const copied = (from: string, to: string, cwd: string) => call(['store', 'copy', from, to], { cwd });

/** Where tasks are copied to. */
export const places = [
  ['a file', async (cwd: string) => join(cwd, 'copy.db')],
  ...(hasServer ? [['a server', newServer] as const] : []),
] as const;
