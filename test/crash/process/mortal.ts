import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Store } from 'agentcharter';
import type { Step } from 'agentcharter/stores';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { die, say, type Fate } from './fate.ts';

interface Statement {
  run: (...values: readonly unknown[]) => unknown;
}
interface Driver {
  readonly prototype: { prepare: (sql: string) => Statement };
}
interface Elsewhere {
  readonly prototype: { exec: (sql: string) => Promise<unknown> };
}

const kindOf = ({ record: { kind, fact } }: Step): string => fact?.type ?? kind;

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** The length of the log before a transaction tells where its frames begin, so that all but some can be cut off. */
const commitAndDie = (file: string, commit: () => unknown): never => {
  const bytes = sizeOf(`${file}-wal`);
  commit();
  say({ says: 'log', bytes });
  return die();
};

/** Dies as `commitAndDie` does, around a commit off the event loop. */
const commitElsewhereAndDie = async (file: string, commit: () => Promise<unknown>): Promise<never> => {
  const bytes = sizeOf(`${file}-wal`);
  await commit();
  say({ says: 'log', bytes });
  return die();
};

/** The store of a process that may die before, inside and after each of its transactions. */
export const mortalStore = (file: string, fate: Fate): Store => {
  /** What is being written: the layout, until there is a step. */
  let of = 'layout';
  let isWriting = false;
  const driver = createRequire(import.meta.url)('libsql') as Driver;
  const prepare = driver.prototype.prepare;
  driver.prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql);
    const run = statement.run.bind(statement);
    statement.run = (...values) => {
      if (sql === 'BEGIN IMMEDIATE') isWriting = true;
      if (sql !== 'COMMIT' || !isWriting) {
        const result = run(...values);
        if (sql.startsWith('INSERT INTO record')) fate.pass('within', of);
        return result;
      }
      isWriting = false;
      fate.pass('uncommitted', of);
      return fate.comes('torn', of) ? commitAndDie(file, run) : run(...values);
    };
    return statement;
  };

  const elsewhere = createRequire(import.meta.url)('libsql/promise') as Elsewhere;
  const exec = elsewhere.prototype.exec;
  elsewhere.prototype.exec = async function (sql) {
    const run = (): Promise<unknown> => exec.call(this, sql);
    if (sql !== 'COMMIT' || !isWriting) return run();
    isWriting = false;
    fate.pass('uncommitted', of);
    return fate.comes('torn', of) ? commitElsewhereAndDie(file, run) : run();
  };

  const inner = sqliteStore(file);
  return {
    ...inner,
    commit: async (step) => {
      of = kindOf(step);
      fate.pass('before', of);
      const answer = await inner.commit(step);
      const begun = step.intents.map(({ kind, tool }) => ({ kind, tool }));
      fate.pass('committed', kindOf(step), begun);
      if (answer === 'ok') say({ says: 'kept', hash: step.record.hash });
      return answer;
    },
  };
};
