import { cpus, loadavg } from 'node:os';
import type { StoredTask } from 'agentcharter/stores';
import { Client } from 'pg';
import { attemptLimits } from '../../src/base/ports/attempts.ts';
import { postgresStore } from '../../src/stores/postgres.ts';
import { later, machineTime, type OutsideEvent } from './events.ts';

/** A task that has something to do and no holder. */
export interface Free {
  readonly task: string;
  readonly tools: readonly string[] | null;
  /** The version of its chart; empty for version 1. */
  readonly chart: string;
}

interface Row {
  readonly open: number;
  readonly free: readonly Free[] | null;
}

// A task that several holders did not survive is left alone for a while, and waits for no one.
const text = `SELECT count(*)::int AS open,
  json_agg(json_build_object('task', convert_from(task_id, 'UTF8'), 'tools', tools, 'chart', chart))
    FILTER (WHERE (is_owed OR due <= extract(epoch FROM clock_timestamp()) * 1000)
      AND (holder IS NULL OR lapses <= clock_timestamp())
      AND attempts + (holder IS NOT NULL)::integer < ${attemptLimits.backOff}) AS free
  FROM agentcharter.task WHERE NOT is_settled`;

/** Returns all that is stored. */
export const storedAt = async (connectionString: string): Promise<readonly StoredTask[]> => {
  const store = postgresStore({ connectionString });
  try {
    const index = await store.taskIndex();
    const tasks = await Promise.all(index.map(({ taskId }) => store.load(taskId)));
    return tasks.flatMap((task) => task ?? []);
  } finally {
    await store.close();
  }
};

/** Looks at the store, and notes how long tasks with something to do have no holder. */
export class Observer {
  /** The number of tasks that are not over, as last seen. */
  open = 0;
  /** The greatest number of processes that wanted each core, on average over a minute. */
  crowd = 0;
  readonly waits: (OutsideEvent & { readonly is: 'waited' })[] = [];
  readonly #url: () => string;
  readonly #mayBeTaken: (free: Free) => boolean;
  readonly #since = new Map<string, number>();
  #isStopped = false;
  #isPaused = false;

  /** `mayBeTaken` returns whether a node is up that can perform a task. */
  constructor(url: () => string, mayBeTaken: (free: Free) => boolean) {
    this.#url = url;
    this.#mayBeTaken = mayBeTaken;
  }

  /** Stops, and notes the tasks that still have no holder. */
  stop(): void {
    this.#isStopped = true;
    this.#note([]);
  }

  /** While the server is down, no one can take anything. */
  pause(): void {
    this.#isPaused = true;
    this.#since.clear();
  }

  resume(): void {
    this.#since.clear(); // a look that was under way may have come back
    this.#isPaused = false;
  }

  /** Looks again and again until it is stopped. */
  async watch(): Promise<void> {
    while (!this.#isStopped) {
      await later(50);
      if (!this.#isPaused) await this.#watchOnce().catch(() => this.#since.clear());
    }
  }

  async #watchOnce(): Promise<void> {
    const client = new Client({ connectionString: this.#url(), query_timeout: 5_000 });
    client.on('error', () => {});
    await client.connect();
    try {
      while (!this.#isStopped && !this.#isPaused) {
        const [row] = (await client.query(text)).rows as readonly Row[];
        this.open = row?.open ?? 0;
        this.crowd = Math.max(this.crowd, (loadavg()[0] ?? 0) / cpus().length);
        this.#note(row?.free ?? []);
        await later(50);
      }
    } finally {
      await client.end();
    }
  }

  #note(free: readonly Free[]): void {
    const now = machineTime();
    const names = new Set(free.map(({ task }) => task));
    for (const [task, since] of this.#since)
      if (!names.has(task)) {
        this.waits.push({ is: 'waited', task, for: now - since });
        this.#since.delete(task);
      }
    for (const one of free)
      if (!this.#mayBeTaken(one)) this.#since.delete(one.task);
      else if (!this.#since.has(one.task)) this.#since.set(one.task, now);
  }
}
