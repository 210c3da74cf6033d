import { deepFreeze, isDeeplyFrozen } from '../../base/canonical/deep-freeze.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import type { Committed, Deadline, Step, StoredStep, TaskCopy } from '../../base/ports/store.ts';
import { messageOf } from '../shared.ts';
import { obstacleTo, regulate } from './regulation.ts';
import { reindex, type Emitted, type Place, type Tables, type TaskRow } from './tables.ts';

/** Returns a frozen value: the given one if it is frozen, or else a copy, so that its owner cannot change it. */
const kept = <Value extends object>(value: Value): Value =>
  isDeeplyFrozen(value) ? value : deepFreeze(JSON.parse(JSON.stringify(value)) as Value); // the same data

/** Returns frozen rows of plain texts and numbers. */
const keptRows = <Row extends object>(rows: readonly Row[]): readonly Row[] =>
  Object.isFrozen(rows) && rows.every((row) => Object.isFrozen(row))
    ? rows
    : Object.freeze(rows.map((row) => Object.freeze({ ...row })));

/** Returns the rows of a step's emissions. */
export const emittedBy = ({ emissions, record }: StoredStep): readonly Emitted[] =>
  kept(emissions).map((emission, index) => ({
    seq: record.seq,
    digest: record.emitted[index] ?? '',
    message: emission && messageOf(emission),
    emission,
  }));

/**
 * Returns the approvals of a step by name; `null` if one was used for another action, or at this record or a later
 * one.
 */
const spentBy = (
  { consumedApprovals, record: { seq } }: Step,
  spent: Tables['spent'],
): Tables['spent'] | null => {
  const used: Tables['spent'] = new Map();
  for (const { jti, action } of consumedApprovals) {
    const before = spent.get(jti);
    if ((used.get(jti) ?? before ?? { action }).action !== action) return null;
    if (before !== undefined && before.seq >= seq) return null;
    used.set(jti, { action, seq });
  }
  return used;
};

const taskRow = (tables: Tables, { taskId, snapshot, indexEntry }: Step): TaskRow => {
  const task = tables.tasks.get(taskId);
  if (task !== undefined) return task;
  if (snapshot === null) throw new TypeError('the first step of a task has a snapshot');
  const order = tables.begun;
  const nothing = { records: [], emissions: [], deadlines: [], running: [], intents: [] };
  return { order, indexEntry, snapshot, ...nothing };
};

const replaceDeadlines = ({ running }: Tables, task: TaskRow, deadlines: readonly Deadline[]): void => {
  task.deadlines = deadlines;
  const times = new Set(deadlines.map(({ at }) => at));
  if (times.size === task.running.length && task.running.every(({ at }) => times.has(at))) return;
  for (const row of task.running) running.delete(row);
  task.running = [...times].map((at) => ({ at, task }));
  for (const row of task.running) running.add(row);
};

const name = (tables: Tables, { key }: Step, emissions: readonly Emitted[], place: Place): void => {
  if (key !== null) tables.keys.set(key, place);
  for (const { message, digest } of emissions) {
    if (message === null) continue;
    tables.messages.set(message, [...(tables.messages.get(message) ?? []), { ...place, digest }]);
  }
};

/** Writes a task that is not there yet, without its names. */
export const insertTask = (
  tables: Tables,
  { indexEntry, snapshot, ...rows }: Pick<TaskCopy, 'indexEntry' | 'snapshot' | 'deadlines' | 'intents'>,
  records: readonly LedgerRecord[],
  emissions: readonly Emitted[],
): void => {
  const { taskId } = indexEntry;
  const [deadlines, intents] = [keptRows(rows.deadlines), keptRows(rows.intents)];
  const order = tables.begun;
  const task: TaskRow = {
    order,
    indexEntry,
    snapshot,
    records: records.map(kept),
    emissions: [...emissions],
    deadlines: [],
    running: [],
    intents,
  };
  tables.tasks.set(taskId, task);
  reindex(tables, task, null, Object.freeze({ ...indexEntry }));
  replaceDeadlines(tables, task, deadlines);
};

/** Writes a step or nothing: every error is thrown before the first write. */
export const commitStep = (tables: Tables, step: Step): Committed => {
  const { taskId, key, record } = step;
  if (key !== null && tables.keys.has(key)) return 'duplicate';
  if (record.seq !== (tables.tasks.get(taskId)?.records.length ?? 0)) return 'conflict';
  if (step.regulated !== null && obstacleTo(tables, taskId, step.regulated) !== null) return 'held';
  const used = spentBy(step, tables.spent);
  if (used === null) return 'spent';
  const before = tables.tasks.get(taskId)?.indexEntry ?? null;
  const [task, written, emissions] = [taskRow(tables, step), kept(record), emittedBy(step)];
  const [deadlines, intents] = [keptRows(step.deadlines), keptRows(step.intents)];
  tables.tasks.set(taskId, task);
  reindex(tables, task, before, Object.freeze({ ...step.indexEntry }));
  task.snapshot = step.snapshot ?? task.snapshot;
  task.records.push(written);
  task.emissions.push(...emissions);
  task.intents = intents;
  replaceDeadlines(tables, task, deadlines);
  name(tables, step, emissions, { taskId, seq: record.seq });
  for (const [jti, action] of used) tables.spent.set(jti, action);
  regulate(tables, taskId, step.regulated, step.indexEntry.isSettled);
  return 'ok';
};

const recordWithout = (record: LedgerRecord, digest: string): LedgerRecord => {
  const digests = new Map(Object.entries(record.documents));
  const rest = Object.entries(record.brought).filter(([name]) => digests.get(name) !== digest);
  return deepFreeze({ ...record, brought: Object.fromEntries(rest) });
};

const removeMessage = ({ messages }: Tables, taskId: string, message: string, digest: string): void => {
  const places = messages.get(message) ?? [];
  const rest = places.filter((place) => place.taskId !== taskId || place.digest !== digest);
  if (rest.length === 0) messages.delete(message);
  else messages.set(message, rest);
};

/** Writes the step of an erasure, and removes the documents of this digest from its task. */
export const eraseDocuments = (tables: Tables, step: Step, digest: string): 'ok' | 'conflict' => {
  if (commitStep(tables, { ...step, consumedApprovals: [] }) !== 'ok') return 'conflict';
  const task = taskRow(tables, step);
  task.records = task.records.map((record) => recordWithout(record, digest));
  for (const { message, digest: emitted } of task.emissions) {
    if (message !== null && emitted === digest) removeMessage(tables, step.taskId, message, digest);
  }
  task.emissions = task.emissions.map((emitted) =>
    emitted.digest === digest ? { ...emitted, message: null, emission: null } : emitted,
  );
  return 'ok';
};
