import type { Store } from 'agentcharter';
import type { Step } from 'agentcharter/stores';
import Libsql from 'libsql';
import Asynchronous from 'libsql/promise';

// What the SQLite driver is told, noted at the driver itself: it stays the same work however the store above it changes.

type Value = string | number | null | Uint8Array;
type Values = readonly Value[];

/** A statement that writes, begins or ends a transaction, and its values. */
export interface Write {
  readonly sql: string;
  readonly values: Values;
}

type Statement = ReturnType<Libsql.Database['prepare']>;

/** Savepoints are our own way to refuse one step of a transaction: a driver alone needs none. */
const isWrite = (sql: string): boolean =>
  !/^\s*(?:SELECT|PRAGMA|EXPLAIN|WITH|SAVEPOINT|RELEASE|ROLLBACK TO)\b/i.test(sql);
const isSetting = (sql: string): boolean => /^\s*PRAGMA\s+\w+\s*=/i.test(sql);

/** The methods of the driver that take SQL. They are replaced on its prototype, and called with their own `this`. */
interface DriverMethods {
  prepare: (this: Libsql.Database, sql: string) => Statement;
  exec: (this: Libsql.Database, sql: string) => Libsql.Database;
}

interface LaterMethods {
  exec: (this: unknown, sql: string) => Promise<unknown>;
}

/** Sees every statement that the driver runs, and may replace its text. Returns a function that ends this. */
const watchDriver = (
  onRun: (sql: string, values: Values) => void,
  rewrite: (sql: string) => string = (sql) => sql,
): (() => void) => {
  const { prototype } = Libsql as unknown as { readonly prototype: DriverMethods };
  const { prepare, exec } = prototype;
  const noted = (statement: Statement, sql: string): Statement => {
    for (const name of ['run', 'all', 'get'] as const) {
      const call = statement[name].bind(statement) as (...values: readonly unknown[]) => unknown;
      Object.assign(statement, {
        [name]: (...values: readonly unknown[]) => {
          onRun(sql, values.flat() as Values);
          return call(...values);
        },
      });
    }
    return statement;
  };
  prototype.prepare = function (sql) {
    const text = rewrite(sql);
    return noted(prepare.call(this, text), text);
  };
  prototype.exec = function (sql) {
    const text = rewrite(sql);
    onRun(text, []);
    return exec.call(this, text);
  };
  // transactions of several steps are committed by this class, in a thread
  const { prototype: later } = Asynchronous as unknown as { readonly prototype: LaterMethods };
  const { exec: execLater } = later;
  later.exec = function (sql) {
    onRun(sql, []);
    return execLater.call(this, sql);
  };
  return () => {
    prototype.prepare = prepare;
    prototype.exec = exec;
    later.exec = execLater;
  };
};

/** Notes what the driver writes, and how the connections are set. */
const noteWrites = () => {
  const settings = new Set<string>();
  let writes: Write[] = [];
  const stop = watchDriver((sql, values) => {
    if (isSetting(sql)) settings.add(sql);
    else if (isWrite(sql)) writes.push({ sql, values });
  });
  return {
    settings,
    stop,
    /** Returns what was written since it was last called. */
    take: (): readonly Write[] => {
      const taken = writes;
      writes = [];
      return taken;
    },
  };
};

/** What the driver wrote for each step of each task, and when the store closed: it then packs the tasks that rest. */
export interface NotedWrites {
  readonly steps: readonly (readonly (readonly Write[])[])[];
  readonly atEnd: readonly Write[];
}

/** Writes tasks by a store and closes it; returns what the driver wrote, and how it was set. */
export const noteCommits = async (
  open: (file: string) => Store,
  file: string,
  tasks: readonly (readonly Step[])[],
) => {
  const noted = noteWrites();
  const store = open(file);
  await store.taskIndex();
  noted.take();
  const steps: (readonly (readonly Write[])[])[] = [];
  for (const task of tasks) {
    const ofTask: (readonly Write[])[] = [];
    for (const step of task) {
      await store.commit(step);
      ofTask.push(noted.take());
    }
    steps.push(ofTask);
  }
  await store.close();
  const writes: NotedWrites = { steps, atEnd: noted.take() };
  noted.stop();
  if (steps.flat().some((ofStep) => ofStep.length === 0))
    throw new Error('a step was written elsewhere than by the driver in this thread');
  return { writes, settings: noted.settings };
};

/** Opens files without syncing them while `work` runs: for files that are filled and not measured. */
export const withoutSync = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  let replaced = 0;
  const stop = watchDriver(
    () => {},
    (sql) =>
      sql.replace(/(PRAGMA\s+synchronous\s*=\s*)\w+/i, (_, setting: string) => {
        replaced += 1;
        return `${setting}OFF`;
      }),
  );
  const result = await work().finally(stop);
  if (replaced === 0) throw new Error('no connection set how it syncs: the store has changed, so must this');
  return result;
};

/** The driver alone, on a file that the store laid out, and set as its connections were. */
export const rawDriver = async (open: (file: string) => Store, file: string, settings: Iterable<string>) => {
  const store = open(file);
  await store.taskIndex();
  await store.close();
  const driver = new Libsql(file);
  for (const setting of settings) driver.prepare(setting).all();
  const statements = new Map<string, Statement>();
  const write = ({ sql, values }: Write): void => {
    const statement = statements.get(sql) ?? driver.prepare(sql);
    statements.set(sql, statement);
    statement.run(values);
  };
  /** Closes the file as the store does: the log is moved into it. */
  const close = (): void => {
    driver.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    driver.close();
  };
  return { write, close };
};

/** The bytes of a file without free pages, which later steps use. */
export const bytesInUse = (file: string): number => {
  const driver = new Libsql(file);
  const [page, pages, free] = ['page_size', 'page_count', 'freelist_count'].map((name) =>
    Number(driver.prepare(`PRAGMA ${name}`).raw().get()),
  );
  driver.close();
  return (page ?? Number.NaN) * ((pages ?? Number.NaN) - (free ?? Number.NaN));
};

/** How much each table of a file holds: rows, and bytes of text. */
export const contentsOf = (file: string): string => {
  const driver = new Libsql(file);
  const tables = driver
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all() as readonly { readonly name: string }[];
  const contents = tables.map(({ name }) => {
    const columns = driver.prepare(`SELECT name FROM pragma_table_info('${name}')`).all() as readonly {
      readonly name: string;
    }[];
    const bytes = columns.map((column) => `coalesce(sum(length("${column.name}")), 0)`).join(' + ');
    return [name, driver.prepare(`SELECT count(*), ${bytes} FROM "${name}"`).raw().get()];
  });
  driver.close();
  return JSON.stringify(contents);
};
