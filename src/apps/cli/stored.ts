import { existsSync } from 'node:fs';
import { causeOf } from '../../base/errors.ts';
import type { GuestOptions } from '../../core/shell/options.ts';
import type { Listener } from '../../core/shell/events.ts';
import type { Orchestrator } from '../../core/shell/surface.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import type { BlobStore } from '../../base/ports/blobs.ts';
import type { Codec } from '../../base/ports/codec.ts';
import type { Store } from '../../base/ports/store.ts';
import { guestOptionsIn, loadModule } from './modules.ts';
import { bad } from './printer.ts';
import { usage, type ExitCode } from './stop.ts';
import type { Terminal } from './terminal.ts';

/** Returns the codec of keys such as `k2:BASE64,k1:BASE64`, of which the first is current; none without them. Repeats no key. */
const codecOf = async ({ storeKeys = '' }: Terminal): Promise<{ readonly codec?: Codec }> => {
  if (storeKeys === '') return {};
  const { aesCodec } = await import('../../stores/codec.ts');
  const pairs = storeKeys.split(',').map((key) => key.split(':'));
  const keys = new Map(pairs.map(([name = '', key = '']) => [name, key]));
  const [current = ''] = keys.keys();
  try {
    if (keys.size === pairs.length && pairs.every(({ length }) => length === 2))
      return { codec: aesCodec({ keys: Object.fromEntries(keys), current }) };
  } catch {
    // reported below
  }
  throw usage(
    'AGENTCHARTER_STORE_KEYS: expected NAME:KEY,NAME:KEY with the current key first, each key the base64 of 32 bytes',
  );
};

/** Opens the store at an address: a file, or a schema of PostgreSQL. `mayBegin` one that does not exist yet. */
export const openStore = async (
  address: string,
  terminal: Terminal,
  { mayBegin }: { readonly mayBegin: boolean },
): Promise<Store> => {
  const { isPostgresAddress, openPostgres } = await import('../../stores/postgres/address.ts');
  const { path } = terminal;
  const options = await codecOf(terminal);
  if (isPostgresAddress(address)) return openPostgres(address, { mayBegin, ...options });
  if (!mayBegin && !existsSync(path(address))) throw usage(`--store ${address}: there is no such file`);
  const { sqliteStore } = await import('../../stores/sqlite.ts');
  return sqliteStore(path(address), options);
};

const disposable = (store: BlobStore): BlobStore & AsyncDisposable => ({
  ...store,
  [Symbol.asyncDispose]: store.close,
});

/** Opens the store of large values at an address: a file, or a schema of PostgreSQL. */
export const openBlobs = async (
  address: string,
  terminal: Terminal,
): Promise<BlobStore & AsyncDisposable> => {
  const { isPostgresAddress, openPostgresBlobs } = await import('../../stores/postgres/address.ts');
  const { path } = terminal;
  const options = await codecOf(terminal);
  if (isPostgresAddress(address)) return disposable(openPostgresBlobs(address, options));
  if (!existsSync(path(address))) throw usage(`--blobs ${address}: there is no such file`);
  const { sqliteBlobs } = await import('../../stores/sqlite.ts');
  return disposable(sqliteBlobs(path(address), options));
};

/** Options for reading a store: no task class. */
const readOnlyOptions: GuestOptions = { role: 'guest', taskClasses: [] };

interface Source {
  readonly store: string | undefined;
  readonly config?: string | undefined;
}

const optionsFrom = async ({ store: file, config }: Source, terminal: Terminal) => {
  const options =
    config === undefined ? readOnlyOptions : await guestOptionsIn(await loadModule(config, terminal), config);
  const store = file === undefined ? options.store : await openStore(file, terminal, { mayBegin: false });
  if (store !== undefined) return { ...options, store };
  throw usage('expected --store STORE, or a --config whose options have a store');
};

/** Opens a store for reading, and closes it afterwards. Passes the options of the configuration too. */
export const withStore = async (
  { store: file, config }: Source,
  terminal: Terminal,
  work: (store: Store, options: GuestOptions) => Promise<void>,
): Promise<void> => {
  if (file === undefined && config === undefined)
    throw usage('expected STORE, or a --config whose options have a store');
  const { store, ...options } = await optionsFrom({ store: file, config }, terminal);
  try {
    await work(store, { ...options, store });
  } finally {
    await store.close();
  }
};

/** Returns a guest orchestrator that also emits the records of other processes. */
const withForeignRecords = (guest: Orchestrator, store: Store): Orchestrator => ({
  ...guest,
  on: (name, listener) => {
    const off = guest.on(name, listener);
    if (name !== 'record') return off;
    const sizes = new Map<string, number>();
    const onChange = async (taskId: string): Promise<void> => {
      const records = await guest.ledger(taskId);
      const news = records.slice(sizes.get(taskId) ?? 0);
      sizes.set(taskId, records.length);
      for (const record of news) await (listener as Listener<LedgerRecord>)(record); // a `record` listener
    };
    const unwatch = store.watch((taskIds) => {
      for (const taskId of taskIds) onChange(taskId).catch(() => {}); // the next change retries
    });
    return () => {
      off();
      unwatch();
    };
  },
});

/**
 * Reads a store while another process uses it. Reports unreadable tasks, and then turns exit code 0 into 1.
 */
export const asGuest = async (
  source: Source,
  terminal: Terminal,
  work: (orchestrator: Orchestrator) => Promise<ExitCode>,
): Promise<ExitCode> => {
  const { createOrchestrator } = await import('../../core/orchestrator.ts');
  const options = await optionsFrom(source, terminal);
  await using orchestrator = createOrchestrator(options);
  let unread = 0;
  orchestrator.on('error', ({ error }) => {
    unread += 1;
    return terminal.err.line(bad('unreadable: '), causeOf(error));
  });
  const code = await work(withForeignRecords(orchestrator, options.store));
  return code === 0 && unread > 0 ? 1 : code;
};
