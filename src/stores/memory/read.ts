import type { TaskIndexEntry, TaskQuery, Store, StoredTask, Which } from '../../base/ports/store.ts';
import { unknownCursor } from '../shared.ts';
import { SortedList } from './sorted-list.ts';
import {
  byOrder,
  byRank,
  isIdle,
  type IndexedState,
  type Place,
  type Tables,
  type TaskRow,
} from './tables.ts';

export const loadTask = ({ tasks }: Tables, taskId: string): StoredTask | undefined => {
  const task = tasks.get(taskId);
  if (task === undefined) return undefined;
  return {
    indexEntry: task.indexEntry,
    snapshot: task.snapshot,
    records: [...task.records],
    emissions: task.emissions.flatMap(({ emission }) => emission ?? []),
    deadlines: task.deadlines,
    intents: task.intents,
  };
};

const isMatch = (indexEntry: TaskIndexEntry, which: Which): boolean =>
  (which.taskId ?? indexEntry.taskId) === indexEntry.taskId &&
  (which.threadId ?? indexEntry.threadId) === indexEntry.threadId &&
  (which.parent ?? indexEntry.parent) === indexEntry.parent &&
  (which.isNested ?? indexEntry.parent !== null) === (indexEntry.parent !== null) &&
  (which.isSettled ?? indexEntry.isSettled) === indexEntry.isSettled &&
  (which.isOwed ?? indexEntry.isOwed) === indexEntry.isOwed &&
  (which.isAsking ?? indexEntry.asking > 0) === indexEntry.asking > 0 &&
  (which.isIdle ?? isIdle(indexEntry)) === isIdle(indexEntry) &&
  which.otherChart !== indexEntry.chart;

const all = <Row>(list: SortedList<Row>): Iterable<Row> => list.walk(() => true);

const none = new SortedList<TaskRow>(byOrder);

const sorted = (
  rows: Iterable<TaskRow>,
  compare: (one: TaskRow, other: TaskRow) => number,
): SortedList<TaskRow> => {
  const list = new SortedList(compare);
  for (const row of rows) list.add(row);
  return list;
};

/** Returns a task, its calls, and the calls of those. */
const familyOf = ({ tasks, groups }: Tables, root: string): SortedList<TaskRow> => {
  const names = new Set([root]);
  for (const name of names)
    // visits the names that are added meanwhile
    for (const { indexEntry } of all(groups.parent.get(name) ?? none)) names.add(indexEntry.taskId);
  return sorted(
    [...names].flatMap((name) => tasks.get(name) ?? []),
    byOrder,
  );
};

const ofOtherCharts = ({ groups }: Tables, chart: string): SortedList<TaskRow> => {
  const others = [...groups.chart].flatMap(([version, list]) => (version === chart ? [] : [...all(list)]));
  return sorted(others, byOrder);
};

/** Returns the smallest index with all matches of a filter. */
const indexFor = (tables: Tables, which: Which): SortedList<TaskRow> => {
  const { groups } = tables;
  const inState = (state: IndexedState) => groups.state.get(state) ?? none;
  if (which.taskId !== undefined)
    return sorted(
      [tables.tasks.get(which.taskId)].flatMap((row) => row ?? []),
      byOrder,
    );
  if (which.within !== undefined) return familyOf(tables, which.within);
  if (which.parent !== undefined) return groups.parent.get(which.parent) ?? none;
  if (which.threadId !== undefined) return groups.thread.get(which.threadId) ?? none;
  if (which.isIdle === true) return inState('idle');
  if (which.isOwed === true) return inState('owed');
  if (which.otherChart !== undefined && which.isSettled === false)
    return ofOtherCharts(tables, which.otherChart);
  if (which.isNested === true && which.isSettled === false) return inState('nested');
  if (which.isAsking === true) return inState('asking');
  if (which.isSettled === undefined) return tables.all;
  return inState(which.isSettled ? 'settled' : 'open');
};

/** Returns whether a task comes after the cursor in its order, or from it on if the order is reversed. */
const afterCursor = (
  { tasks }: Tables,
  { order = 'began', after }: TaskQuery,
): ((row: TaskRow) => boolean) => {
  if (after === undefined) return () => order !== 'newest';
  const place = tasks.get(after.taskId)?.order;
  if (place === undefined) throw unknownCursor(after.taskId);
  switch (order) {
    case 'began':
      return (row) => row.order > place;
    case 'newest':
      return (row) => row.order >= place;
    case 'urgent':
      return ({ indexEntry: { rank }, order: at }) => (rank === after.rank ? at > place : rank > after.rank);
  }
};

const namesNoFamily = ({ taskId, within, parent, threadId }: Which): boolean =>
  [taskId, within, parent, threadId].every((name) => name === undefined);

export const taskIndexOf = (tables: Tables, query: TaskQuery): readonly TaskIndexEntry[] => {
  const { order = 'began', limit = Infinity } = query;
  const isUrgent = order === 'urgent';
  const isAllAsking = isUrgent && query.isAsking === true && namesNoFamily(query);
  const index = isAllAsking ? tables.urgent : indexFor(tables, query);
  const list = isUrgent && !isAllAsking ? sorted(all(index), byRank) : index;
  const entries: TaskIndexEntry[] = [];
  for (const { indexEntry } of list.walk(afterCursor(tables, query), order === 'newest' ? 'down' : 'up')) {
    if (!isMatch(indexEntry, query)) continue;
    entries.push(indexEntry);
    if (entries.length >= limit) break;
  }
  return entries;
};

export const placeOf = ({ keys, messages }: Tables, by: Parameters<Store['find']>[0]): Place | undefined => {
  const found = 'key' in by ? keys.get(by.key) : messages.get(by.message)?.[0];
  return found && { taskId: found.taskId, seq: found.seq };
};

export const dueBy = ({ running }: Tables, until: number): Awaited<ReturnType<Store['due']>> => {
  const due = new Set<string>(); // in the order of the first deadlines
  for (const { at, task } of all(running)) {
    if (at > until) return { taskIds: [...due], next: at };
    due.add(task.indexEntry.taskId);
  }
  return { taskIds: [...due], next: null };
};
