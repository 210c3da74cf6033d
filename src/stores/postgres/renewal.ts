import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Hold } from '../../base/ports/store.ts';
import type { Statement } from './driver.ts';
import { renewalProgram } from './renewal-program.ts';

/** What a thread needs to renew the leases of a store. */
export interface RenewalParts {
  readonly connectionString: string;
  readonly lease: number;
  /** Milliseconds that an answer of the server is waited for. */
  readonly answer: number;
  /** Milliseconds without a turn of the event loop after which leases lapse. */
  readonly maxStall: number;
  readonly node: () => Promise<string>;
  /** The statement that renews holds; its first values are the node, the names and the fences. */
  readonly statement: (holds: readonly Hold[], node: string) => Statement;
}

/** Renews the leases of the tasks that are held beside the event loop, which may be busy for longer than a lease. */
export interface Renewal {
  /** Begins the thread in a third of a lease, if it has not begun. */
  readonly begin: () => void;
  /** Runs work that may add to what is held; `of` returns the holds that it has added. */
  readonly adding: <Result>(
    work: () => Promise<Result>,
    of: (result: Result) => readonly Hold[],
  ) => Promise<Result>;
  /** Notes holds that are no more. */
  readonly remove: (holds: readonly Pick<Hold, 'taskId' | 'fence'>[]) => void;
  /** Returns the milliseconds since a renewal of all that is held began; `Infinity` for none. */
  readonly ago: () => number;
  readonly close: () => void;
}

const nanoseconds = 1_000_000;

/** Creates the renewal of a store. */
export const createRenewal = (parts: RenewalParts): Renewal => {
  const { connectionString, lease, answer, maxStall, node, statement } = parts;
  const held = new Map<string, number>();
  const shared = new SharedArrayBuffer(3 * BigInt64Array.BYTES_PER_ELEMENT);
  const times = new BigInt64Array(shared);
  let version = 0;
  /** Work that may add to what is held: meanwhile no renewal is of all. */
  let adding = 0;
  let worker: Worker | null = null;
  let starting: NodeJS.Timeout | null = null;
  let beating: NodeJS.Timeout | null = null;
  let isClosed = false;

  const beat = (): void => void Atomics.store(times, 0, process.hrtime.bigint());

  const send = (name: string): void => {
    const holds = [...held].map(([taskId, fence]) => ({ taskId, fence, lapsed: null, attempts: 0 }));
    const { values = [] } = statement(holds, name);
    const [, names, fences] = values;
    worker?.postMessage({ version, names, fences }, []);
  };

  const stop = (): void => {
    if (beating !== null) clearInterval(beating);
    beating = null;
    worker = null;
  };

  const start = async (): Promise<void> => {
    const name = await node();
    if (isClosed || worker !== null) return;
    const made = new Worker(renewalProgram, {
      eval: true,
      execArgv: [],
      workerData: {
        driver: createRequire(import.meta.url).resolve('pg'),
        connection: {
          connectionString,
          application_name: 'agentcharter leases',
          keepAlive: true,
          connectionTimeoutMillis: answer,
          query_timeout: answer,
        },
        text: statement([], name).text,
        node: name,
        lease,
        maxStall,
        shared,
      },
    });
    made.unref();
    made.on('error', () => {}); // the event loop renews them as well
    made.once('exit', () => {
      if (worker === made) stop();
    });
    worker = made;
    beat();
    beating = setInterval(beat, lease / 6).unref();
    send(name);
  };

  const changed = (): void => {
    version += 1;
    if (worker !== null) void node().then(send, () => {});
  };

  return {
    begin: () => {
      if (isClosed || worker !== null) return;
      starting ??= setTimeout(() => {
        starting = null;
        start().catch(() => {}); // the event loop renews them as well
      }, lease / 3).unref();
    },
    adding: async (work, of) => {
      adding += 1;
      try {
        const result = await work();
        const holds = of(result);
        for (const { taskId, fence } of holds) if (taskId !== null) held.set(taskId, fence);
        if (holds.length > 0) changed();
        return result;
      } finally {
        adding -= 1;
      }
    },
    remove: (holds) => {
      const before = held.size;
      for (const { taskId, fence } of holds)
        if (taskId !== null && held.get(taskId) === fence) held.delete(taskId);
      if (held.size < before) changed();
    },
    ago: () => {
      const at = Atomics.load(times, 1);
      if (at === 0n || adding > 0 || Atomics.load(times, 2) !== BigInt(version)) return Infinity;
      return Number(process.hrtime.bigint() - at) / nanoseconds;
    },
    close: () => {
      isClosed = true;
      if (starting !== null) clearTimeout(starting);
      worker?.postMessage(null, []);
      stop();
    },
  };
};
