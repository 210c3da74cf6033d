import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
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
  const size = (): number => (existsSync(log()) ? statSync(log()).size : 0);
  const begin = (): void => mkdirSync(join(root, String(life)));
  begin();
  return {
    connect: () => sqliteStore(file(), { poll: 3_600_000 }),
    cut: async (write) => {
      const before = size();
      isTorn = true;
      await write();
      const after = size();
      // a log that was written into the file begins again: nothing of this write is torn
      if (after > before) end = before + Math.min(after - before - 1, Math.floor((after - before) * share));
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
