import Database from 'libsql';
import { expect } from 'vitest';
import { jwsApprovals } from '../../src/gates/approvals/index.ts';
import type { CallContext, InboxEntry, Store, Tool } from '../../src/index.ts';
import { awaited } from '../src/core/shell/simulated-clock.ts';
import { sqliteStore } from '../../src/stores/sqlite.ts';
import { options } from '../src/gates/approvals/desk.ts';
import { machine, type Given } from '../src/core/shell/restarts.ts';
import { call, draft, plan, writeTool } from '../src/core/shell/scripted.ts';
import { newFile } from '../src/stores/folder.ts';
import { loosen } from '../src/stores/sqlite/loosen.ts';
import { errorOf, stopOf, type Stop } from './attack.ts';
import { order, watched } from './bank.ts';

type Make = (key: string, context: CallContext) => unknown;

export interface Writing extends Given {
  /** How sure the model is of its plan: below a half, a person is asked. */
  readonly confidence?: number;
  /** Whether each write waits for a signed approval. */
  readonly isApproved?: boolean;
  readonly write?: Parameters<typeof writeTool>[1];
  /** What the write does; it is written down all the same. */
  readonly make?: Make;
  /** What has become of the tool in this process. */
  readonly change?: (tool: Tool) => Tool;
}

/** All that is stored. */
export const storedIn = async (reader: Store) =>
  Promise.all((await reader.taskIndex()).map(({ taskId }) => reader.load(taskId)));

/** One store, whose processes come and go, and a world that outlives them: the key of every write that was made. */
export const branch = () => {
  const site = machine();
  const done: string[] = [];
  const { approvals, quiet } = watched(jwsApprovals(options));

  /** Begins a process whose agent wants one write. */
  const start = (writing: Writing = {}) => {
    const { confidence = 0.9, isApproved = false, write = {}, make, change, ...given } = writing;
    const tool = writeTool('write', {
      tier: isApproved ? 'write_high_risk' : 'write_low_risk',
      ...write,
      call: (_, context) => {
        done.push(context.key);
        return make?.(context.key, context) ?? { written: true };
      },
    });
    const one = site.start({
      model: ({ asks }: { asks: string }) =>
        asks === 'plan' ? plan([call('write', order)], { confidence }) : draft(),
      tools: [change?.(tool) ?? tool],
      ...given,
      options: { approvals, ...given.options },
    });
    const bring = async (approval: string, { message }: InboxEntry): Promise<void> => {
      try {
        await one.orchestrator.respond(
          { type: 'approve', target: message.messageId },
          { by: 'dana', approval },
        );
      } finally {
        await quiet();
      }
    };
    return { ...one, clock: site.clock, bring };
  };
  return { ...site, done, quiet, start };
};

export type Branch = ReturnType<typeof branch>;
export type Process = ReturnType<Branch['start']>;

/** What stops an attempt on a store in which nothing changes, not by a record. */
export const unchanged = async (reader: Store, attempt: () => unknown): Promise<Stop> => {
  const before = await storedIn(reader);
  const error = await errorOf(attempt);
  expect(await storedIn(reader)).toEqual(before);
  return stopOf(error);
};

/** What is bound to a statement: the driver ends the process on any other value. */
type Value = string | number | null | Uint8Array;

/** A branch whose store is a file, and somebody who may write that file behind its back. */
export const vault = () => {
  const site = branch();
  const file = newFile();

  /** Bytes are returned as they can be bound again. A pack is unpacked before, so that its texts can be changed. */
  const sql = (statement: string, ...values: readonly Value[]): readonly Record<string, Value>[] => {
    loosen(file);
    const database = new Database(file);
    try {
      database.exec('PRAGMA foreign_keys = OFF');
      const prepared = database.prepare(statement);
      if (prepared.reader)
        return (prepared.all(values) as readonly Record<string, Value | ArrayBuffer>[]).map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([name, value]) => [
              name,
              value instanceof ArrayBuffer ? new Uint8Array(value) : value,
            ]),
          ),
        );
      prepared.run(values);
      return [];
    } finally {
      database.close();
    }
  };

  const start = (given: Writing = {}): Process => {
    const store = awaited(sqliteStore(file, { poll: 60_000 }));
    const one = site.start({ ...given, store: () => given.store?.(store) ?? store });
    const crash = async (): Promise<void> => {
      await store.close();
      await one.crash();
    };
    return { ...one, crash };
  };

  /** Reads as a process that starts, and ends at once. */
  const reading = async <Read>(read: (store: Store) => Promise<Read>): Promise<Read> => {
    const store = sqliteStore(file);
    try {
      return await read(store);
    } finally {
      await store.close();
    }
  };
  const load = async (taskId: string) => (await reading((store) => store.load(taskId)))!;
  const tables = ['task', 'record', 'stepKey', 'message', 'approval'] as const;
  /** Every row of the file; as the bytes that they are, since the driver ends the process on a text that is none. */
  const rows = () =>
    Object.fromEntries(
      tables.map((table) => {
        const columns = sql(`SELECT name FROM pragma_table_info('${table}')`).map(
          ({ name }) => `hex("${String(name)}") AS "${String(name)}"`,
        );
        return [table, sql(`SELECT ${columns.join(', ')} FROM ${table} ORDER BY 1, 2`)];
      }),
    );

  return { ...site, file, sql, start, reading, load, rows };
};

export type Vault = ReturnType<typeof vault>;
