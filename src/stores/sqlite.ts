import { definitionError } from '../base/boundary/definition-error.ts';
import { withoutCredentials } from '../base/boundary/credentials.ts';
import { didYouMean } from '../base/boundary/did-you-mean.ts';
import { isObject } from '../base/boundary/is-object.ts';
import type { CharterError } from '../base/errors.ts';
import type { BlobStore } from '../base/ports/blobs.ts';
import type { Codec } from '../base/ports/codec.ts';
import type { Store } from '../base/ports/store.ts';
import { createBlobs } from './sqlite/blobs.ts';
import { migrations } from './sqlite/layout.ts';
import { createStore } from './sqlite/store.ts';
import { codecFault } from './codec.ts';
import { unusable } from './shared.ts';

/** Options of a store in a file. */
export interface SqliteOptions {
  /**
   * The interval of polling for changes by other processes, used where the system reports none; milliseconds, 500 by
   * default.
   */
  readonly poll?: number;
  /** The maximum wait for writes of other processes; milliseconds, 5000 by default. */
  readonly timeout?: number;
  /** Encodes records, documents, snapshots and summaries, for example `aesCodec`. Names, times and counts stay plain. */
  readonly codec?: Codec;
}

const refusedOption = (path: string, message: string): CharterError<'definition_invalid'> =>
  definitionError('sqlite store', [{ path, message }]);

const checkInterval = (path: string, value: number, least: number): void => {
  if (Number.isFinite(value) && value >= least) return;
  throw refusedOption(path, `must be a number of milliseconds, ${least} or more`);
};

const checkKeys = (options: unknown, known: readonly string[]): void => {
  if (!isObject(options)) throw refusedOption('options', 'must be an object, such as { poll: 500 }');
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw refusedOption(
      `/${unknown}`,
      `is unknown${didYouMean(unknown, known)}; accepted: ${known.join(', ')}`,
    );
  const fault = codecFault(options['codec']);
  if (fault !== null) throw refusedOption('/codec', fault);
};

const checkFile = (file: unknown): void => {
  if (typeof file !== 'string')
    throw unusable(`a ${typeof file}`, 'its name is not a text', 'name a file by its path');
  if (file.includes('\0')) {
    const remedy = 'name a file by its path: the system would read the name up to there alone';
    throw unusable(JSON.stringify(file), 'its name holds NUL (U+0000)', remedy);
  }
  if (file === ':memory:' || file === '') {
    const remedy = "name a file, or take memoryStore() of 'agentcharter/stores/memory'";
    throw unusable(file, 'it would be lost when its connection closes', remedy);
  }
  if (/^\w{2,}:/.test(file))
    throw unusable(withoutCredentials(file), 'it is a URI', 'name a file by its path');
};

/**
 * Creates a store in one file, by the peer `libsql`. Committed steps survive the process, and other processes can
 * read the file.
 *
 * The file is opened, and created, at the first use. `take` locks a second file, with the suffix `.owner`, and
 * writes a row that each later write checks. Two owners never write, even if the lock file is deleted or moved. New files
 * are readable and writable by their user only; existing files keep their permissions. Use it on one machine:
 * network file systems are not supported.
 *
 * Throws `store_unusable` for an unusable file name, for example one with NUL, and `definition_invalid` for an
 * option. Its methods throw `store_unusable` with the reason, and work again when the cause is gone.
 */
export const sqliteStore = (file: string, options: SqliteOptions = {}): Store => {
  checkFile(file);
  checkKeys(options, ['poll', 'timeout', 'codec']);
  const { poll = 500, timeout = 5000, codec } = options;
  checkInterval('/poll', poll, 1);
  checkInterval('/timeout', timeout, 0);
  return createStore(file, poll, { timeout, migrations, codec });
};

/**
 * Creates a store of large values in one file, by the peer `libsql`: a file beside that of the tasks. Several processes may
 * use it. It is opened, and created, at the first use; what is erased is overwritten. A `codec` encodes the values.
 *
 * Throws `store_unusable` for an unusable file name, and its methods for errors of the file; `definition_invalid` for an option.
 */
export const sqliteBlobs = (file: string, options: Pick<SqliteOptions, 'codec'> = {}): BlobStore => {
  checkFile(file);
  checkKeys(options, ['codec']);
  return createBlobs(file, options.codec);
};
