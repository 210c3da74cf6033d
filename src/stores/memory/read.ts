import type { Emission } from '../../ports/emission.ts';
import type { LedgerRecord } from '../../ports/ledger.ts';
import type { Intent, TaskIndexEntry, Store, StoredTask, Which } from '../../ports/store.ts';
import type { Place, Tables, TaskRow } from './tables.ts';

const recordIn = (text: string): LedgerRecord => JSON.parse(text) as LedgerRecord; // commitStep wrote it
const emissionIn = (text: string): Emission => JSON.parse(text) as Emission; // commitStep wrote it
const intentsIn = (text: string): readonly Intent[] => JSON.parse(text) as readonly Intent[]; // commitStep wrote it

export const loadTask = ({ tasks }: Tables, taskId: string): StoredTask | undefined => {
  const task = tasks.get(taskId);
  if (task === undefined) return undefined;
  return {
    indexEntry: task.indexEntry,
    snapshot: task.snapshot,
    records: task.records.map(recordIn),
    emissions: task.emissions.map(({ text }) => emissionIn(text)),
    deadlines: structuredClone(task.deadlines),
    intents: intentsIn(task.intents),
  };
};

const isMatch = (indexEntry: TaskIndexEntry, which: Which): boolean =>
  (which.taskId ?? indexEntry.taskId) === indexEntry.taskId &&
  (which.threadId ?? indexEntry.threadId) === indexEntry.threadId &&
  (which.parent ?? indexEntry.parent) === indexEntry.parent &&
  (which.isNested ?? indexEntry.parent !== null) === (indexEntry.parent !== null) &&
  (which.isSettled ?? indexEntry.isSettled) === indexEntry.isSettled &&
  (which.isOwed ?? indexEntry.isOwed) === indexEntry.isOwed &&
  (which.isAsking ?? indexEntry.asking > 0) === indexEntry.asking > 0;

export const taskIndexOf = ({ tasks }: Tables, which: Which): readonly TaskIndexEntry[] => {
  const one = which.taskId === undefined ? undefined : tasks.get(which.taskId);
  const among = which.taskId === undefined ? [...tasks.values()] : one === undefined ? [] : [one];
  return among.map(({ indexEntry }) => indexEntry).filter((indexEntry) => isMatch(indexEntry, which));
};

export const placeOf = ({ keys, messages }: Tables, by: Parameters<Store['find']>[0]): Place | undefined => {
  const found = 'key' in by ? keys.get(by.key) : messages.get(by.message)?.[0];
  return found && { taskId: found.taskId, seq: found.seq };
};

/** `Math.min(...times)` would exceed the argument limit. */
const least = (times: readonly number[]): number =>
  times.reduce((one, other) => Math.min(one, other), Infinity);

const first = ({ deadlines }: TaskRow): number => least(deadlines.map(({ at }) => at));

export const dueBy = ({ running }: Tables, until: number): Awaited<ReturnType<Store['due']>> => {
  const tasks = [...running.values()];
  const later = tasks.flatMap(({ deadlines }) => deadlines.map(({ at }) => at)).filter((at) => at > until);
  return {
    taskIds: tasks
      .filter((task) => first(task) <= until)
      .toSorted((one, other) => first(one) - first(other) || one.order - other.order)
      .map(({ indexEntry }) => indexEntry.taskId),
    next: later.length === 0 ? null : least(later),
  };
};
