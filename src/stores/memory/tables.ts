import type { Emission } from '../../base/ports/emission.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import type { Claim, Pause } from '../../base/ports/regulation.ts';
import type { PrunedTask } from '../../base/ports/retention.ts';
import type { Deadline, Intent, TaskCounts, TaskIndexEntry } from '../../base/ports/store.ts';
import { SortedList } from './sorted-list.ts';

/** The location of a record: its task and number. */
export interface Place {
  readonly taskId: string;
  readonly seq: number;
}

/** An emitted document, with its record, digest and message id; `null` if it was erased. */
export interface Emitted {
  readonly seq: number;
  readonly digest: string;
  readonly message: string | null;
  readonly emission: Emission | null;
}

/** A task; records and documents are frozen, so that written data cannot be changed. */
export interface TaskRow {
  /** The number of tasks that began before it. */
  readonly order: number;
  indexEntry: TaskIndexEntry;
  snapshot: string;
  records: LedgerRecord[];
  emissions: Emitted[];
  deadlines: readonly Deadline[];
  /** The times of its deadlines in the index of all; each time once. */
  running: readonly DeadlineRow[];
  intents: readonly Intent[];
}

/** A running deadline of a task. */
export interface DeadlineRow {
  readonly at: number;
  readonly task: TaskRow;
}

/** An index of tasks: for each value, its tasks in the order in which they began. */
export type TaskGroups = Map<string, SortedList<TaskRow>>;

/** What a task counts against a quota. */
export type Counted = Omit<Claim, 'most'>;

/** All tables of a database in memory. */
export interface Tables {
  readonly tasks: Map<string, TaskRow>;
  /** All tasks, in the order in which they began. */
  readonly all: SortedList<TaskRow>;
  /** The tasks of each thread, parent and state, and the open tasks of each chart. */
  readonly groups: Readonly<Record<Grouping, TaskGroups>>;
  /** The tasks with questions, by rank. */
  readonly urgent: SortedList<TaskRow>;
  /** All deadlines, earliest first. */
  readonly running: SortedList<DeadlineRow>;
  counts: TaskCounts;
  readonly keys: Map<string, Place>;
  /** The records that emitted each message, oldest first, with the document's digest. */
  readonly messages: Map<string, readonly (Place & { readonly digest: string })[]>;
  /** The use of each approval, by its name (`jti`): the action, and the number of the last record. */
  readonly spent: Map<string, { readonly action: string; readonly seq: number }>;
  /** What each task counts, and how much is used of each quota in each window. */
  readonly claims: Map<string, readonly Counted[]>;
  readonly used: Map<string, number>;
  /** All pauses, oldest first. */
  readonly pauses: Pause[];
  readonly pruned: Map<string, PrunedTask>;
  /** The number of tasks that began, pruned ones too. */
  begun: number;
}

export type Grouping = 'thread' | 'parent' | 'state' | 'chart';

/** The states that have an index. */
export type IndexedState = 'settled' | 'open' | 'owed' | 'asking' | 'idle' | 'nested';

export const byOrder = (one: TaskRow, other: TaskRow): number => one.order - other.order;

export const byRank = (one: TaskRow, other: TaskRow): number => {
  const [rank, otherRank] = [one.indexEntry.rank, other.indexEntry.rank];
  if (rank === otherRank) return byOrder(one, other);
  return rank < otherRank ? -1 : 1;
};

const byTime = (one: DeadlineRow, other: DeadlineRow): number => {
  if (one.at === other.at) return byOrder(one.task, other.task);
  return one.at < other.at ? -1 : 1;
};

export const emptyTables = (): Tables => ({
  tasks: new Map(),
  all: new SortedList(byOrder),
  groups: { thread: new Map(), parent: new Map(), state: new Map(), chart: new Map() },
  urgent: new SortedList(byRank),
  running: new SortedList(byTime),
  counts: { tasks: 0, settled: 0, asking: 0, questions: 0 },
  keys: new Map(),
  messages: new Map(),
  spent: new Map(),
  claims: new Map(),
  used: new Map(),
  pauses: [],
  pruned: new Map(),
  begun: 0,
});

/** Returns whether an open task waits for no one. */
export const isIdle = ({ isSettled, isOwed, asking, awaits }: TaskIndexEntry): boolean =>
  !isSettled && !isOwed && asking === 0 && awaits === 0;

const groupsOf = (entry: TaskIndexEntry): readonly (readonly [Grouping, string])[] => {
  const { threadId, parent, isSettled, isOwed, asking, chart } = entry;
  const states: readonly (readonly [IndexedState, boolean])[] = [
    ['settled', isSettled],
    ['open', !isSettled],
    ['owed', isOwed],
    ['asking', asking > 0],
    ['idle', isIdle(entry)],
    ['nested', !isSettled && parent !== null],
  ];
  return [
    ['thread', threadId],
    ...(parent === null ? [] : [['parent', parent] as const]),
    ...(isSettled ? [] : [['chart', chart] as const]),
    ...states.flatMap(([state, holds]) => (holds ? [['state', state] as const] : [])),
  ];
};

/** Returns the pairs that the other list does not have. */
const without = (
  groups: readonly (readonly [Grouping, string])[],
  others: readonly (readonly [Grouping, string])[],
): readonly (readonly [Grouping, string])[] =>
  groups.filter(([kind, name]) => !others.some(([other, its]) => other === kind && its === name));

const leave = (groups: TaskGroups, name: string, task: TaskRow): void => {
  const list = groups.get(name);
  list?.delete(task);
  if (list?.isEmpty === true) groups.delete(name);
};

const join = (groups: TaskGroups, name: string, task: TaskRow): void => {
  const list = groups.get(name) ?? new SortedList(byOrder);
  groups.set(name, list);
  list.add(task);
};

const counted = (
  { tasks, settled, asking, questions }: TaskCounts,
  entry: TaskIndexEntry,
  by: 1 | -1,
): TaskCounts => ({
  tasks: tasks + by,
  settled: settled + (entry.isSettled ? by : 0),
  asking: asking + (entry.asking > 0 ? by : 0),
  questions: questions + by * entry.asking,
});

/** What finds and counts a task. */
const finders = ['threadId', 'parent', 'isSettled', 'isOwed', 'asking', 'awaits', 'rank', 'chart'] as const;

/** Puts a task into the indexes that it belongs to; `before` is its earlier entry, `null` before its first one. */
export const reindex = (
  tables: Tables,
  task: TaskRow,
  before: TaskIndexEntry | null,
  after: TaskIndexEntry,
) => {
  const { groups, urgent } = tables;
  if (before !== null && finders.every((name) => before[name] === after[name])) {
    task.indexEntry = after;
    return;
  }
  const [old, current] = [before === null ? [] : groupsOf(before), groupsOf(after)];
  const wasUrgent = before !== null && before.asking > 0;
  const staysUrgent = wasUrgent && after.asking > 0 && before.rank === after.rank;
  for (const [kind, name] of without(old, current)) leave(groups[kind], name, task);
  if (wasUrgent && !staysUrgent) urgent.delete(task); // while it still has its old rank
  task.indexEntry = after;
  for (const [kind, name] of without(current, old)) join(groups[kind], name, task);
  if (after.asking > 0 && !staysUrgent) urgent.add(task);
  if (before === null) {
    tables.all.add(task);
    tables.begun += 1;
  }
  const rest = before === null ? tables.counts : counted(tables.counts, before, -1);
  tables.counts = counted(rest, after, 1);
};

/** Removes a settled task; its names stay. */
export const removeTask = (tables: Tables, task: TaskRow): void => {
  const { indexEntry: entry } = task;
  for (const [kind, name] of groupsOf(entry)) leave(tables.groups[kind], name, task);
  for (const row of task.running) tables.running.delete(row);
  tables.all.delete(task);
  tables.tasks.delete(entry.taskId);
  tables.counts = counted(tables.counts, entry, -1);
};
