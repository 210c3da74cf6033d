import type { TaskIndexEntry } from '../../ports/store.ts';
import { mostCounted, type Backlog, type StalledTask, type StoreFigures } from '../../ports/workload.ts';
import { taskIndexOf } from './read.ts';
import type { Tables } from './tables.ts';

const backlogOf = (times: readonly number[]): Backlog => ({
  tasks: times.length,
  since: times.length === 0 ? null : times.reduce((one, other) => Math.min(one, other)),
});

const atOf = ({ at }: TaskIndexEntry): number => at;

export const figuresOf = (tables: Tables, now: number): StoreFigures => {
  const overdue = new Map<object, number>(); // of each task, the first deadline
  for (const { at, task } of tables.running.walk(() => true)) {
    if (at > now || overdue.size >= mostCounted) break;
    if (!overdue.has(task)) overdue.set(task, at);
  }
  return {
    owed: backlogOf(taskIndexOf(tables, { isOwed: true, limit: mostCounted }).map(atOf)),
    held: 0,
    heldElsewhere: 0,
    asking: backlogOf(taskIndexOf(tables, { isAsking: true, limit: mostCounted }).map(atOf)),
    overdue: backlogOf([...overdue.values()]),
  };
};

export const stalledOf = (tables: Tables, before: number, limit: number): readonly StalledTask[] =>
  taskIndexOf(tables, { isOwed: true, limit: mostCounted })
    .filter(({ at }) => at <= before)
    .slice(0, limit)
    .map((indexEntry) => ({ indexEntry, needs: null, attempts: 0, isHeld: false }));
