import type { TaskCounts, TaskIndexEntry, TaskOrder, TaskQuery, Which } from '../../base/ports/store.ts';
import { unlessDamaged } from '../codec.ts';
import { unknownCursor } from '../shared.ts';
import { asText, type Bound, type Connection } from './connection.ts';
import { bytesOfName, nameOfBytes, textOfBytes } from './names.ts';
import { headIn, isPack, summaryIn } from './pack.ts';

/** A row of the task index: names and texts are bytes. */
export interface IndexRow extends Readonly<
  Record<'size' | 'at' | 'isSettled' | 'isOwed' | 'asking' | 'awaits', number> &
    Record<'taskId' | 'threadId' | 'rank' | 'chart', ArrayBuffer> &
    Record<'parent' | 'head' | 'summary' | 'pack', ArrayBuffer | null>
> {}

const columns = ['size', 'at', 'isSettled', 'isOwed', 'asking', 'awaits', 'taskId', 'threadId', 'parent'];

/** The last row of steps of a task, which has what is stored beside the records. A pack has that in its body. */
export const lastRow = 'LEFT JOIN record AS last ON last.task = task.id AND last.seq = task.size - 1';

/** The body of the last row, if it is a pack. */
export const lastPack = 'CASE WHEN last.summary IS NULL THEN CAST(last.body AS BLOB) END AS pack';

export const entryColumns = [
  ...columns.map((column) => `task.${column}`),
  'last.head',
  ...['rank', 'chart'].map((column) => asText(`task.${column}`, column)),
].join(', ');

/** Returns what the last row of steps has of an entry; a summary that was damaged is empty. */
const textsIn = ({ coding }: Connection, row: IndexRow): Pick<TaskIndexEntry, 'head' | 'summary'> => {
  const decoded = (stored: ArrayBuffer | null): ArrayBuffer | null =>
    stored && unlessDamaged(() => coding.cellOf(stored, '', 0));
  const pack = decoded(row.pack);
  if (pack !== null && isPack(pack)) return { head: headIn(pack), summary: summaryIn(pack) };
  const summary = decoded(row.summary);
  return {
    head: row.head === null ? '' : nameOfBytes(row.head),
    summary: summary === null ? '' : textOfBytes(summary),
  };
};

export const entryIn = (connection: Connection, row: IndexRow): TaskIndexEntry => ({
  taskId: nameOfBytes(row.taskId),
  threadId: nameOfBytes(row.threadId),
  parent: row.parent && nameOfBytes(row.parent),
  size: row.size,
  at: row.at,
  isSettled: row.isSettled === 1,
  isOwed: row.isOwed === 1,
  asking: row.asking,
  awaits: row.awaits,
  rank: textOfBytes(row.rank),
  chart: textOfBytes(row.chart),
  ...textsIn(connection, row),
});

/** A piece of SQL and its values. */
type Sql = readonly [text: string, ...values: Bound[]];

const idle = 'isSettled = 0 AND isOwed = 0 AND asking = 0 AND awaits = 0';

/** Returns SQL conditions: literal values for the partial indexes, bound values otherwise. */
const conditionsOf = (which: Which): readonly Sql[] => [
  ...(which.taskId === undefined ? [] : [['task.taskId = ?', bytesOfName(which.taskId)] as const]),
  ...(which.threadId === undefined ? [] : [['threadId = ?', bytesOfName(which.threadId)] as const]),
  ...(which.parent === undefined ? [] : [['parent = ?', bytesOfName(which.parent)] as const]),
  ...(which.isNested === undefined ? [] : [[`parent IS ${which.isNested ? 'NOT ' : ''}NULL`] as const]),
  ...(which.isSettled === undefined ? [] : [[`isSettled = ${which.isSettled ? 1 : 0}`] as const]),
  ...(which.isOwed === undefined ? [] : [[`isOwed = ${which.isOwed ? 1 : 0}`] as const]),
  ...(which.isAsking === undefined ? [] : [[`isAsking = ${which.isAsking ? 1 : 0}`] as const]),
  ...(which.isIdle === undefined ? [] : [[which.isIdle ? idle : `NOT (${idle})`] as const]),
  ...(which.otherChart === undefined ? [] : [['chart <> ?', which.otherChart] as const]),
];

/** The names of a task, its calls, and the calls of those. */
const family = `WITH RECURSIVE family (name) AS (
  SELECT ? UNION SELECT task.taskId FROM task INDEXED BY taskOfParent JOIN family ON task.parent = family.name)`;

const openOf = (compared: '<' | '>') =>
  `SELECT id FROM task INDEXED BY taskOfChart WHERE isSettled = 0 AND chart ${compared} ?`;

/** A table expression before `SELECT`, and what follows `FROM`. */
interface Source {
  readonly before: Sql;
  readonly from: string;
}

const indexed = (name: string): Source => ({ before: [''], from: `task INDEXED BY ${name}` });

/** Returns the smallest index with all matches of a filter. The planner of SQLite does not know their sizes. */
const sourceFor = (which: Which, order: TaskOrder): Source => {
  if (which.taskId !== undefined) return { before: [''], from: 'task' };
  if (which.within !== undefined)
    return {
      before: [family, bytesOfName(which.within)],
      from: 'family CROSS JOIN task ON task.taskId = family.name',
    };
  if (which.parent !== undefined) return indexed('taskOfParent');
  if (which.threadId !== undefined) return indexed('taskOfThread');
  if (which.isIdle === true) return indexed('taskIdle');
  if (which.isOwed === true) return indexed('taskOwed');
  if (which.otherChart !== undefined && which.isSettled === false) {
    const others = `WITH other (id) AS (${openOf('<')} UNION ALL ${openOf('>')})`;
    return {
      before: [others, which.otherChart, which.otherChart],
      from: 'other CROSS JOIN task ON task.id = other.id',
    };
  }
  if (which.isNested === true && which.isSettled === false) return indexed('taskNested');
  if (which.isAsking === true) return indexed(order === 'urgent' ? 'taskUrgent' : 'taskAsking');
  if (which.isSettled === undefined) return { before: [''], from: 'task' };
  return indexed(which.isSettled ? 'taskSettled' : 'taskUnsettled');
};

const orders: Readonly<Record<TaskOrder, string>> = {
  began: 'task.id',
  newest: 'task.id DESC',
  urgent: 'task.rank, task.id',
};

/** Returns the number of the row of a task; `undefined` for an unknown one. */
export const rowOf = (connection: Connection, taskId: string): number | undefined => {
  const [row] = connection.rows('SELECT id FROM task WHERE taskId = ?', bytesOfName(taskId));
  return (row as { readonly id: number } | undefined)?.id; // the column of the statement
};

/**
 * Returns the conditions of the parts after the cursor, in order. Among many tasks of one rank, only an equation finds
 * the place of the cursor by its index.
 */
const partsAfter = (
  connection: Connection,
  { order = 'began', after }: TaskQuery,
): readonly (readonly Sql[])[] => {
  if (after === undefined) return [[]];
  const row = rowOf(connection, after.taskId);
  if (row === undefined) throw unknownCursor(after.taskId);
  const later: Sql = ['task.id > ?', row];
  switch (order) {
    case 'began':
      return [[later]];
    case 'newest':
      return [[['task.id < ?', row]]];
    case 'urgent':
      return [[['task.rank = ?', after.rank], later], [['task.rank > ?', after.rank]]];
  }
};

/** Returns the statements of a query: the next one is needed if the one before fills no page. */
export const statementsOf = (connection: Connection, query: TaskQuery): readonly Sql[] => {
  const { order = 'began', limit } = query;
  const {
    before: [before, ...given],
    from,
  } = sourceFor(query, order);
  return partsAfter(connection, query).map((part): Sql => {
    const conditions = [...conditionsOf(query), ...part];
    const where = conditions.map(([condition]) => condition).join(' AND ');
    const page = limit === undefined ? '' : 'LIMIT ?';
    return [
      `${before} SELECT ${entryColumns}, ${asText('last.summary', 'summary')}, ${lastPack} FROM ${from} ${lastRow}
      ${where && `WHERE ${where}`} ORDER BY ${orders[order]} ${page}`,
      ...given,
      ...conditions.flatMap(([, ...values]) => values),
      ...(limit === undefined ? [] : [limit]),
    ];
  });
};

const readAll = (connection: Connection, query: TaskQuery): readonly TaskIndexEntry[] => {
  const { limit = Infinity } = query;
  const entries: TaskIndexEntry[] = [];
  for (const [sql, ...values] of statementsOf(connection, query)) {
    const rows = connection.cells(sql, ...values) as readonly IndexRow[];
    for (const row of rows.slice(0, limit - entries.length)) entries.push(entryIn(connection, row));
    if (entries.length >= limit) break;
  }
  return entries;
};

export const taskIndexOf = (connection: Connection, query: TaskQuery): readonly TaskIndexEntry[] =>
  query.after === undefined
    ? readAll(connection, query)
    : connection.transaction('DEFERRED', () => readAll(connection, query));

export const countsOf = (connection: Connection): TaskCounts => {
  const [row] = connection.rows(
    'SELECT tasks, settled, asking, questions FROM tally',
  ) as readonly TaskCounts[];
  return row ?? { tasks: 0, settled: 0, asking: 0, questions: 0 };
};
