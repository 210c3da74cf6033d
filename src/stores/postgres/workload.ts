import { attemptLimits } from '../../base/ports/attempts.ts';
import { mostCounted, type StalledTask, type StoreFigures } from '../../base/ports/workload.ts';
import type { Coding } from '../codec.ts';
import type { Statement } from './driver.ts';
import { bytesOfName } from './names.ts';
import { entriesIn, entryColumns, type IndexRow } from './task-index.ts';

const isHeld = '(holder IS NOT NULL AND lapses > clock_timestamp())';

/** The holds that lapsed in a row: the last one is among them if it was not let go. */
const attempts = `attempts + (holder IS NOT NULL AND lapses <= clock_timestamp())::integer`;

const first = (schema: string, columns: string, which: string, order = 'id'): string =>
  `(SELECT ${columns} FROM "${schema}".task WHERE ${which} ORDER BY ${order} LIMIT ${mostCounted})`;

/** Returns the statement of the figures; `node` is this connection. */
export const figuresStatement = (schema: string, now: number, node: string): Statement => ({
  text: `SELECT owed.*, asking.*, overdue.* FROM
    (SELECT count(*)::int AS owed, min(at) AS owed_since,
      count(*) FILTER (WHERE is_held AND holder = $1::uuid)::int AS held,
      count(*) FILTER (WHERE is_held AND holder <> $1::uuid)::int AS held_elsewhere
      FROM ${first(schema, `at, holder, ${isHeld} AS is_held`, 'is_owed')} AS task) AS owed,
    (SELECT count(*)::int AS asking, min(at) AS asking_since FROM ${first(schema, 'at', 'asking > 0')} AS task) AS asking,
    (SELECT count(*)::int AS overdue, min(due) AS overdue_since
      FROM ${first(schema, 'due', 'due <= $2', 'due')} AS task) AS overdue`,
  values: [node, now],
});

type FigureRow = Readonly<
  Record<'owed' | 'held' | 'held_elsewhere' | 'asking' | 'overdue', number> &
    Record<'owed_since' | 'asking_since' | 'overdue_since', number | null>
>;

export const figuresIn = (rows: readonly object[]): StoreFigures => {
  const [row] = rows as readonly [FigureRow]; // of aggregates, there is one row
  return {
    owed: { tasks: row.owed, since: row.owed_since },
    held: row.held,
    heldElsewhere: row.held_elsewhere,
    asking: { tasks: row.asking, since: row.asking_since },
    overdue: { tasks: row.overdue, since: row.overdue_since },
  };
};

interface StalledRow extends IndexRow {
  readonly task_class: string | null;
  readonly tools: readonly string[] | null;
  readonly is_turn: boolean;
  readonly ended: number;
  readonly since: number;
  readonly is_held: boolean;
}

const stalledColumns = (since: string): string =>
  `id, is_owed, ${entryColumns.filter((column) => column !== 'is_owed').join(', ')}, task_class, tools, is_turn, ${attempts} AS ended, ${isHeld} AS is_held, ${since} AS since`;

/** Returns the statement of the stalled tasks. */
export const stalledStatement = (schema: string, before: number, limit: number): Statement => ({
  text: `SELECT ${entryColumns.join(', ')}, task_class, tools, is_turn, ended, is_held, since
    FROM (SELECT * FROM ${first(schema, stalledColumns('at'), 'is_owed')} AS owed
      UNION ALL SELECT * FROM ${first(schema, stalledColumns('due'), 'NOT is_owed AND due <= $1', 'due')} AS due) AS task
    WHERE ended >= ${attemptLimits.backOff} OR NOT is_held AND since <= $1 ORDER BY NOT is_owed, CASE WHEN is_owed THEN id END, since, id LIMIT $2`,
  values: [before, limit],
});

export const stalledIn = (rows: readonly object[], coding: Coding): readonly StalledTask[] =>
  (rows as readonly StalledRow[]).flatMap((row) => {
    const { task_class: taskClass, tools, is_turn: isTurn, ended, is_held: held, since } = row;
    const needs = taskClass === null || tools === null ? null : { taskClass, tools, isTurn };
    return entriesIn([row], coding).map((indexEntry) => ({
      indexEntry,
      since,
      needs,
      attempts: ended,
      isHeld: held,
    }));
  });

/** Returns the statement that sets the attempts of a task that no one holds. A hold that lapsed is remembered, as when it is taken. */
export const setAttemptsStatement = (schema: string, taskId: string, count: number): Statement => ({
  text: `UPDATE "${schema}".task SET attempts = $2, holder = NULL, lapses = NULL,
      lapsed_fence = CASE WHEN holder IS NULL THEN lapsed_fence ELSE fence END,
      lapsed_at = CASE WHEN holder IS NULL THEN lapsed_at ELSE lapses END
    WHERE task_id = $1 AND NOT ${isHeld} RETURNING 1 AS done`,
  values: [bytesOfName(taskId), count],
});
