import type { TaskIndexEntry } from '../../base/ports/store.ts';
import { mostCounted, type Backlog, type StalledTask, type StoreFigures } from '../../base/ports/workload.ts';
import { taskIndexOf } from './read.ts';
import type { TaskRow, Tables } from './tables.ts';

const backlogOf = (times: readonly number[]): Backlog => ({
  tasks: times.length,
  since: times.length === 0 ? null : times.reduce((one, other) => Math.min(one, other)),
});

const atOf = ({ at }: TaskIndexEntry): number => at;

/** Returns the first deadline of each task that has one at or before `until`, earliest first. */
const overdueIn = (tables: Tables, until: number): ReadonlyMap<TaskRow, number> => {
  const overdue = new Map<TaskRow, number>();
  for (const { at, task } of tables.running.walk(() => true)) {
    if (at > until || overdue.size >= mostCounted) break;
    if (!overdue.has(task)) overdue.set(task, at);
  }
  return overdue;
};

export const figuresOf = (tables: Tables, now: number): StoreFigures => ({
  owed: backlogOf(taskIndexOf(tables, { isOwed: true, limit: mostCounted }).map(atOf)),
  held: 0,
  heldElsewhere: 0,
  asking: backlogOf(taskIndexOf(tables, { isAsking: true, limit: mostCounted }).map(atOf)),
  overdue: backlogOf([...overdueIn(tables, now).values()]),
});

export const stalledOf = (tables: Tables, before: number, limit: number): readonly StalledTask[] => {
  const owed = taskIndexOf(tables, { isOwed: true, limit: mostCounted })
    .filter(({ at }) => at <= before)
    .map((indexEntry) => ({ indexEntry, since: indexEntry.at }));
  const due = [...overdueIn(tables, before)].flatMap(([{ indexEntry }, since]) =>
    indexEntry.isOwed ? [] : [{ indexEntry, since }],
  );
  return [...owed, ...due]
    .slice(0, limit)
    .map((found) => ({ ...found, needs: null, attempts: 0, isHeld: false }));
};
