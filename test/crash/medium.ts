import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from 'agentcharter';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { memoryDatabase } from '../../src/stores/memory/database.ts';

/** What tasks are kept on, which outlives the process. */
export interface Medium {
  /** A connection of a process of its own. */
  readonly connect: () => Store;
  /** Leaves what a write leaves that the process did not live to end. */
  readonly cut: (write: () => Promise<unknown>) => Promise<void>;
  /** Whether its log ends within a write: no later one is kept. */
  readonly isTorn: () => boolean;
  /** The process is dead: what it had open is let go of. */
  readonly bury: (connection: Store) => Promise<void>;
  readonly end: () => void;
}

/** A write in memory is there, or it is not. */
export const inMemory = (): Medium => {
  const { connect } = memoryDatabase();
  return {
    connect,
    cut: async () => {},
    isTorn: () => false,
    bury: (connection) => connection.close(),
    end: () => {},
  };
};

const header = 32;

/** Where the transactions of a log end: the last frame of each has a size. The salt changes when the log begins again (SQLite, WAL format). */
const transactionsIn = (log: string): { readonly salt: string; readonly ends: readonly number[] } => {
  if (!existsSync(log)) return { salt: '', ends: [] };
  const bytes = readFileSync(log);
  const saltAt = (at: number): string => bytes.toString('hex', at, at + 8);
  const [salt, ofFrame] = [saltAt(16), 24 + bytes.readUInt32BE(8)];
  const ends: number[] = [];
  for (let at = header; at + ofFrame <= bytes.length && saltAt(at + 8) === salt; at += ofFrame)
    if (bytes.readUInt32BE(at + 4) !== 0) ends.push(at + ofFrame);
  return { salt, ends };
};

const folder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/**
 * Files as they lie there when a process dies: the next life begins with copies of them, so that nothing of the first one
 * mends them. A write on its way is a log that ends within it, `share` of the way.
 */
export const onDisk = (share: number): Medium => {
  const root = mkdtempSync(join(folder, 'agentcharter-'));
  let life = 0;
  let end: number | null = null;
  let isTorn = false;
  const file = (): string => join(root, String(life), 'tasks.db');
  const log = (): string => `${file()}-wal`;
  const begin = (): void => mkdirSync(join(root, String(life)));
  begin();
  return {
    connect: () => sqliteStore(file(), { poll: 3_600_000 }),
    cut: async (write) => {
      const before = transactionsIn(log());
      isTorn = true;
      await write();
      const { salt, ends } = transactionsIn(log());
      const start = (salt === before.salt ? before.ends.at(-1) : undefined) ?? header;
      const after = ends.find((one) => one > start); // what follows it only tidies up
      if (after !== undefined) end = start + Math.min(after - start - 1, Math.floor((after - start) * share));
    },
    isTorn: () => isTorn,
    bury: async (connection) => {
      const old = file();
      isTorn = false;
      life += 1;
      begin();
      for (const suffix of ['', '-wal'])
        if (existsSync(old + suffix)) copyFileSync(old + suffix, file() + suffix);
      if (end !== null) truncateSync(log(), end);
      end = null;
      await connection.close();
    },
    end: () => rmSync(root, { recursive: true, force: true }),
  };
};
