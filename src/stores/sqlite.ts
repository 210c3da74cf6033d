import { CharterError } from '../errors.ts';
import type { Store } from '../ports/store.ts';
import { migrations } from './sqlite/layout.ts';
import { createStore } from './sqlite/store.ts';
import { unusable } from './sqlite/trouble.ts';

/** How a store in a file waits for others; milliseconds. */
export interface SqliteOptions {
  /** How often changes of others are looked for where the system does not tell of them; milliseconds, 500 where left out. */
  readonly poll?: number;
  /** How long a call waits for what others write; milliseconds, 5000 where left out. */
  readonly timeout?: number;
}

const checkInterval = (path: string, value: number, least: number): void => {
  if (Number.isFinite(value) && value >= least) return;
  const message = `must be a number of milliseconds, ${least} or more`;
  const issues = [{ path, message }];
  throw new CharterError('definition_invalid', `sqlite store: ${path} ${message}`, {
    definition: 'sqlite store',
    issues,
  });
};

const checkFile = (file: unknown): void => {
  if (typeof file !== 'string')
    throw unusable(String(file), 'its name is no text', 'name a file by its path');
  if (file.includes('\0')) {
    const remedy = 'name a file by its path: the system would read the name up to there alone';
    throw unusable(JSON.stringify(file), 'its name holds NUL (U+0000)', remedy);
  }
  if (file === ':memory:' || file === '') {
    const remedy = "name a file, or take memoryStore() of 'agentcharter/stores/memory'";
    throw unusable(file, 'it would be gone with its connection', remedy);
  }
  if (/^\w{2,}:/.test(file)) throw unusable(file, 'it is a URI', 'name a file by its path');
};

/**
 * A store in one file, by the peer `libsql`: what was committed survives the process, and is read by others as it stands.
 *
 * The file is opened, and created, at the first use. `own` holds a lock in a second file, of the same name and `.owner`, and
 * writes a row that each of its writes checks: no two owners write, also where the lock file is deleted or moved. New
 * files are readable and writable by their user alone; files that exist keep their rights. One machine: a file on a
 * network is not promised to work.
 *
 * Throws `store_unusable` where there can be no such file, as under a name with NUL, and `definition_invalid` for an option; its methods throw
 * `store_unusable` with the reason, and work again when that is gone.
 */
export const sqliteStore = (file: string, { poll = 500, timeout = 5000 }: SqliteOptions = {}): Store => {
  checkFile(file);
  checkInterval('/poll', poll, 1);
  checkInterval('/timeout', timeout, 0);
  return createStore(file, poll, { timeout, migrations });
};
