import { mostCounted, type Backlog, type StalledTask, type StoreFigures } from '../../base/ports/workload.ts';
import type { Connection } from './connection.ts';
import { nameOfBytes } from './names.ts';
import { taskIndexOf } from './task-index.ts';

const backlogOf = (connection: Connection, column: string, from: string, ...values: number[]): Backlog => {
  const [row] = connection.rows(
    `SELECT count(*) AS tasks, min(at) AS since FROM (SELECT ${column} AS at FROM task ${from} LIMIT ${mostCounted})`,
    ...values,
  ) as readonly Backlog[];
  return row ?? { tasks: 0, since: null };
};

export const figuresOf = (connection: Connection, now: number): StoreFigures => ({
  owed: backlogOf(connection, 'at', 'INDEXED BY taskOwed WHERE isOwed = 1 ORDER BY id'),
  held: 0,
  heldElsewhere: 0,
  asking: backlogOf(connection, 'at', 'INDEXED BY taskAsking WHERE isAsking = 1 ORDER BY id'),
  overdue: backlogOf(connection, 'due', 'WHERE due <= ? ORDER BY due', now),
});

interface DueRow {
  readonly taskId: ArrayBuffer;
  readonly due: number;
}

export const stalledOf = (connection: Connection, before: number, limit: number): readonly StalledTask[] => {
  const owed = taskIndexOf(connection, { isOwed: true, limit: mostCounted })
    .filter(({ at }) => at <= before)
    .map((indexEntry) => ({ indexEntry, since: indexEntry.at }));
  const rows = connection.cells(
    `SELECT taskId, due FROM task WHERE due <= ? AND isOwed = 0 ORDER BY due, id LIMIT ${mostCounted}`,
    before,
  ) as readonly DueRow[];
  const due = rows
    .slice(0, Math.max(0, limit - owed.length))
    .flatMap(({ taskId, due: since }) =>
      taskIndexOf(connection, { taskId: nameOfBytes(taskId) }).map((indexEntry) => ({ indexEntry, since })),
    );
  return [...owed, ...due]
    .slice(0, limit)
    .map((found) => ({ ...found, needs: null, attempts: 0, isHeld: false }));
};
