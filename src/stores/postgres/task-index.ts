import { unlessDamaged, type Coding } from '../codec.ts';
import { unknownCursor } from '../shared.ts';
import type { TaskCounts, TaskIndexEntry, TaskOrder, TaskQuery, Which } from '../../base/ports/store.ts';
import type { Statement } from './driver.ts';
import { bytesOfName, nameOfBytes } from './names.ts';

/** A row of the task index. */
export interface IndexRow {
  readonly task_id: Buffer;
  readonly thread_id: Buffer;
  readonly parent: Buffer | null;
  readonly size: number;
  readonly head: string;
  readonly at: number;
  readonly is_settled: boolean;
  readonly is_owed: boolean;
  readonly asking: number;
  readonly awaits: number;
  readonly rank: string;
  readonly chart: string;
  readonly summary: string;
}

export const entryColumns: readonly (keyof IndexRow)[] = [
  'task_id',
  'thread_id',
  'parent',
  'size',
  'head',
  'at',
  'is_settled',
  'is_owed',
  'asking',
  'awaits',
  'rank',
  'chart',
  'summary',
];

/** Returns an entry by its row and its summary, decoded. */
export const entryIn = (row: IndexRow, summary: string): TaskIndexEntry => ({
  taskId: nameOfBytes(row.task_id),
  threadId: nameOfBytes(row.thread_id),
  parent: row.parent && nameOfBytes(row.parent),
  size: row.size,
  head: row.head,
  at: row.at,
  isSettled: row.is_settled,
  isOwed: row.is_owed,
  asking: row.asking,
  awaits: row.awaits,
  rank: row.rank,
  chart: row.chart,
  summary,
});

/** Returns entries; a summary that was damaged is empty, which loading the task reports. */
export const entriesIn = (rows: readonly IndexRow[], { textOf }: Coding): readonly TaskIndexEntry[] =>
  rows.map((row) => entryIn(row, unlessDamaged(() => textOf(row.summary, '', 0)) ?? ''));

const idle = '(NOT is_settled AND NOT is_owed AND asking = 0 AND awaits = 0)';

/** Conditions, and the values of their places. */
class Conditions {
  readonly values: unknown[] = [];
  readonly #all: string[] = [];

  /** Adds a value, and returns its place. */
  value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  add(condition: string): void {
    this.#all.push(condition);
  }

  /** Adds a condition or its negation, if it is given. */
  addFlag(flag: boolean | undefined, condition: string): void {
    if (flag !== undefined) this.add(flag ? condition : `NOT ${condition}`);
  }

  get where(): string {
    return this.#all.length === 0 ? '' : `WHERE ${this.#all.join(' AND ')}`;
  }
}

const addFilter = (conditions: Conditions, which: Which): void => {
  const equals = (column: string, name: string | undefined): void => {
    if (name !== undefined) conditions.add(`${column} = ${conditions.value(bytesOfName(name))}`);
  };
  equals('task_id', which.taskId);
  equals('thread_id', which.threadId);
  equals('parent', which.parent);
  conditions.addFlag(which.isNested, '(parent IS NOT NULL)');
  conditions.addFlag(which.isSettled, 'is_settled');
  conditions.addFlag(which.isOwed, 'is_owed');
  conditions.addFlag(which.isAsking, '(asking > 0)');
  conditions.addFlag(which.isIdle, idle);
  if (which.otherChart !== undefined) {
    const chart = conditions.value(which.otherChart);
    conditions.add(`(chart < ${chart} OR chart > ${chart})`); // ranges of its index
  }
};

const orders: Readonly<Record<TaskOrder, string>> = {
  began: 'id',
  newest: 'id DESC',
  urgent: 'rank, id',
};

const addCursor = (
  conditions: Conditions,
  { order = 'began', after }: TaskQuery,
  id: number | null,
): void => {
  if (after === undefined || id === null) return;
  const place = conditions.value(id);
  if (order === 'urgent') conditions.add(`(rank, id) > (${conditions.value(after.rank)}, ${place})`);
  else conditions.add(`id ${order === 'newest' ? '<' : '>'} ${place}`);
};

/** Returns the statement for the place of a cursor. */
export const cursorStatement = (schema: string, taskId: string): Statement => ({
  text: `SELECT id::float8 AS id FROM "${schema}".task WHERE task_id = $1`,
  values: [bytesOfName(taskId)],
});

/** Returns the place of a cursor. Throws `not_found` if its task is not in the store. */
export const cursorIn = (rows: readonly object[], taskId: string): number => {
  const [found] = rows as readonly { readonly id: number }[];
  if (found === undefined) throw unknownCursor(taskId);
  return found.id;
};

/** Returns the statement of a query; `cursor` is the place of its `after`. A place never changes. */
export const indexStatement = (schema: string, query: TaskQuery, cursor: number | null): Statement => {
  const conditions = new Conditions();
  const { within, order = 'began', limit } = query;
  const family =
    within === undefined
      ? ''
      : `WITH RECURSIVE family (name) AS (SELECT ${conditions.value(bytesOfName(within))}::bytea
          UNION SELECT t.task_id FROM "${schema}".task AS t JOIN family ON t.parent = family.name)`;
  if (within !== undefined) conditions.add('task_id IN (SELECT name FROM family)');
  addFilter(conditions, query);
  addCursor(conditions, query, cursor);
  const page = limit === undefined ? '' : `LIMIT ${conditions.value(limit)}`;
  return {
    text: `${family} SELECT ${entryColumns.join(', ')} FROM "${schema}".task ${conditions.where} ORDER BY ${orders[order]} ${page}`,
    values: conditions.values,
  };
};

/** Returns the statement of the counts. */
export const countsStatement = (schema: string): Statement => ({
  text: `SELECT sum(tasks)::float8 AS tasks, sum(settled)::float8 AS settled, sum(asking)::float8 AS asking,
    sum(questions)::float8 AS questions FROM "${schema}".tally`,
});

export const countsIn = (rows: readonly object[]): TaskCounts => {
  const [counts] = rows as readonly TaskCounts[];
  return counts ?? { tasks: 0, settled: 0, asking: 0, questions: 0 };
};
