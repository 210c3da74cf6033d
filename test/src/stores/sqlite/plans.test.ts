import { expect, it } from 'vitest';
import type { TaskOrder, Which } from '../../../../src/base/ports/store.ts';
import { connect } from '../../../../src/stores/sqlite/connection.ts';
import { statementsOf } from '../../../../src/stores/sqlite/task-index.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { newFile } from '../folder.ts';
import { stepOf } from '../steps.ts';

/** Finds the row of steps that has the summary of a task. */
const lookup = 'SEARCH last USING INDEX sqlite_autoindex_record_1 (task=? AND seq=?) LEFT-JOIN';

/** Returns the steps of SQLite's plan for each page of a query. */
const plansOf = async (which: Which, order: TaskOrder): Promise<readonly string[]> => {
  const file = newFile();
  const store = sqliteStore(file);
  await store.commit(stepOf(0));
  await store.close();
  const connection = connect(file, 1_000);
  try {
    return [{}, { after: { taskId: 'task', rank: 'a' } }].flatMap((page) => {
      const statements = statementsOf(connection, { ...which, order, limit: 5, ...page });
      return statements.flatMap(([sql, ...values]) => {
        const steps = connection.rows(`EXPLAIN QUERY PLAN ${sql}`, ...values) as readonly {
          detail: string;
        }[];
        return steps.map(({ detail }) => detail).filter((detail) => detail !== lookup);
      });
    });
  } finally {
    connection.close();
  }
};

const pages: readonly (readonly [Which, TaskOrder, string])[] = [
  [{}, 'began', 'PRIMARY KEY'],
  [{}, 'newest', 'PRIMARY KEY'],
  [{ isSettled: true }, 'newest', 'taskSettled'],
  [{ isSettled: false }, 'newest', 'taskUnsettled'],
  [{ isOwed: true }, 'began', 'taskOwed'],
  [{ isIdle: true }, 'began', 'taskIdle'],
  [{ isSettled: false, isNested: true }, 'began', 'taskNested'],
  [{ isAsking: true }, 'began', 'taskAsking'],
  [{ isAsking: true }, 'newest', 'taskAsking'],
  [{ isAsking: true }, 'urgent', 'taskUrgent'],
  [{ threadId: 'thread' }, 'began', 'taskOfThread'],
  [{ threadId: 'thread', isSettled: false }, 'began', 'taskOfThread'],
  [{ parent: 'task' }, 'newest', 'taskOfParent'],
  [{ parent: 'task', isSettled: false }, 'began', 'taskOfParent'],
];

it.each(pages)('SQLite reads a page of %j by an index, without sorting: %s', async (which, order, index) => {
  const plans = await plansOf(which, order);
  for (const plan of plans) expect(plan).not.toMatch(/TEMP B-TREE/);
  for (const plan of plans) expect(plan).toMatch(Object.keys(which).length === 0 ? /task/ : index);
  const places = order === 'urgent' ? [/rank=\? AND rowid>/, /rank>/] : [/rowid[<>]/];
  for (const [at, place] of places.toReversed().entries()) expect(plans.at(-1 - at)).toMatch(place);
});

const families: readonly (readonly [Which, readonly string[]])[] = [
  [{ within: 'task', isAsking: true }, ['taskOfParent', 'taskId=?']],
  [{ isSettled: false, otherChart: '2' }, ['taskOfChart', 'rowid=?']],
  [{ taskId: 'task', isSettled: false }, ['taskId=?']],
];

it.each(families)('SQLite never scans all tasks for %j', async (which, expected) => {
  const plan = (await plansOf(which, 'began')).join('\n');
  for (const part of expected) expect(plan).toContain(part);
  expect(plan).not.toMatch(/SCAN task(?! USING INDEX taskOfChart)/);
});
