import type { Committed, Step, TaskCopy, StoredStep } from '../../base/ports/store.ts';
import { asText, type Bound, type Connection } from './connection.ts';
import { bytesOfName } from './names.ts';
import { firstOf, messageOf } from '../shared.ts';
import { eraseFrom } from './erase.ts';
import { findTask } from './read.ts';
import { insertClaims, obstacleTo, regulate } from './regulation.ts';
import { rowOf } from './task-index.ts';
import { isLasting } from './trouble.ts';

/** The result of a write, and the ids of the rows of steps that it wrote. */
export interface Written {
  readonly answer: Committed;
  readonly records: readonly number[];
}

/** A step as text; serialization errors are thrown here, before any write. */
export interface StepText {
  readonly body: string;
  readonly intents: string;
  readonly deadlines: string;
}

export const textsOf = ({ record, emissions, intents, deadlines }: Step): StepText => ({
  body: JSON.stringify({ record, emissions } satisfies StoredStep),
  intents: JSON.stringify(intents),
  deadlines: JSON.stringify(deadlines),
});

const isUsed = (connection: Connection, key: string | null): boolean =>
  key !== null && connection.rows('SELECT 1 FROM stepKey WHERE "key" = ?', bytesOfName(key)).length > 0;

/** Uses up approvals. Returns false if one was used for another action, or at this record or a later one. */
const spend = (connection: Connection, { consumedApprovals, record: { seq } }: Step): boolean => {
  const here = new Set<string>();
  return consumedApprovals.every(({ jti, action }) => {
    const [used] = connection.rows(
      `SELECT ${asText('action')}, seq FROM approval WHERE jti = ?`,
      jti,
    ) as readonly {
      readonly action: string;
      readonly seq: number;
    }[];
    if (used !== undefined && (used.action !== action || (used.seq >= seq && !here.has(jti)))) return false;
    here.add(jti);
    connection.run(
      'INSERT INTO approval (jti, action, seq) VALUES (?, ?, ?) ON CONFLICT (jti) DO UPDATE SET seq = excluded.seq',
      jti,
      action,
      seq,
    );
    return true;
  });
};

const columns = 'threadId, parent, size, at, isSettled, isOwed, asking, awaits, rank, chart, due';
const names = columns.split(', ');

const holes = [...names, 'taskId'].map(() => '?').join(', ');
const assignments = names.map((name) => `${name} = ?`).join(', ');
const insertTask = `INSERT INTO task (${columns}, taskId) VALUES (${holes})
  ON CONFLICT (taskId) DO NOTHING`;
const updateTask = `UPDATE task SET ${assignments}
  WHERE taskId = ? AND (SELECT max(seq) FROM record WHERE task = task.id) = ?`;

const valuesOf = ({ indexEntry, deadlines }: Pick<Step, 'indexEntry' | 'deadlines'>): readonly Bound[] => [
  bytesOfName(indexEntry.threadId),
  indexEntry.parent === null ? null : bytesOfName(indexEntry.parent),
  indexEntry.size,
  indexEntry.at,
  indexEntry.isSettled ? 1 : 0,
  indexEntry.isOwed ? 1 : 0,
  indexEntry.asking,
  indexEntry.awaits,
  indexEntry.rank,
  indexEntry.chart,
  firstOf(deadlines),
  bytesOfName(indexEntry.taskId),
];

/** Writes the row of a task. Returns false if the step is not the next one. */
const writeTask = (connection: Connection, step: Step): boolean => {
  const [{ seq }, values] = [step.record, valuesOf(step)];
  const changed =
    seq === 0 ? connection.run(insertTask, ...values) : connection.run(updateTask, ...values, seq - 1);
  return changed > 0;
};

const task = '(SELECT id FROM task WHERE taskId = ?)';

const writeNames = (connection: Connection, step: Step, record: number): void => {
  const { key, emissions } = step;
  const place = [bytesOfName(step.taskId), step.record.seq];
  if (key !== null)
    connection.run(
      `INSERT INTO stepKey ("key", task, seq) VALUES (?, ${task}, ?)`,
      bytesOfName(key),
      ...place,
    );
  for (const emission of emissions) {
    const message = messageOf(emission);
    if (message === null) continue;
    const sql = `INSERT OR IGNORE INTO message (id, record, task, seq) VALUES (?, ?, ${task}, ?)`;
    connection.run(sql, bytesOfName(message), record, ...place);
  }
};

/** Rolls back a refused step. */
class Refused extends Error {
  readonly written: Written;

  constructor(answer: Committed) {
    super(answer);
    this.written = { answer, records: [] };
  }
}

const isHeld = (connection: Connection, { taskId, regulated }: Step): boolean =>
  regulated !== null && obstacleTo(connection, rowOf(connection, taskId) ?? null, regulated) !== null;

const insertRecord = `INSERT INTO record (task, seq, body, head, summary, intents, deadlines, snapshot)
  VALUES (${task}, ?, ?, ?, ?, ?, ?, ?)`;

/** Writes a task that is not there yet, without its names, within a transaction; returns the ids of its rows of steps. */
export const insertCopy = (connection: Connection, copy: TaskCopy): readonly number[] => {
  const { indexEntry, steps, snapshot } = copy;
  const { text } = connection.coding;
  const task = connection.insert(insertTask, ...valuesOf(copy));
  insertClaims(connection, task, copy.claims);
  return steps.map(({ record, emissions }, index) => {
    const isLast = index === steps.length - 1;
    const beside = isLast
      ? [
          bytesOfName(indexEntry.head),
          text(indexEntry.summary),
          text(JSON.stringify(copy.intents)),
          text(JSON.stringify(copy.deadlines)),
          text(snapshot),
        ]
      : [null, null, null, null, null];
    const body = text(JSON.stringify({ record, emissions } satisfies StoredStep));
    return connection.insert(insertRecord, bytesOfName(indexEntry.taskId), record.seq, body, ...beside);
  });
};

/** Writes the row of a step; returns its id. */
const writeRecord = (connection: Connection, step: Step, texts: StepText): number => {
  const { taskId, record, indexEntry, snapshot } = step;
  const { text } = connection.coding;
  const values = [
    text(texts.body),
    bytesOfName(indexEntry.head),
    text(indexEntry.summary),
    text(texts.intents),
    text(texts.deadlines),
    snapshot === null ? null : text(snapshot),
  ];
  return connection.insert(insertRecord, bytesOfName(taskId), record.seq, ...values);
};

/** Writes a step within a transaction. Throws `Refused` if it is held or an approval is spent. */
export const writeStep = (connection: Connection, step: Step, texts: StepText): Written => {
  if (isUsed(connection, step.key)) return { answer: 'duplicate', records: [] };
  if (!writeTask(connection, step)) return { answer: 'conflict', records: [] };
  if (isHeld(connection, step)) throw new Refused('held');
  if (!spend(connection, step)) throw new Refused('spent');
  if (step.record.seq === 0 && step.snapshot === null)
    throw new TypeError('the first step of a task has a snapshot');
  const record = writeRecord(connection, step, texts);
  writeNames(connection, step, record);
  regulate(connection, step.taskId, step.regulated, step.indexEntry.isSettled);
  return { answer: 'ok', records: [record] };
};

/** Throws if this store may not write; called in the transaction of each write. */
type Check = (connection: Connection) => void;

/** A write that waits for a transaction: a step, or packs. */
export interface Prepared {
  readonly write: (connection: Connection) => Written;
}

/** The answer to a step of an earlier hold. */
export const fenced: Written = { answer: 'fenced', records: [] };

/** What became of a write: the answer, or why it was not made although the others were. */
export type Outcome = Written | { readonly error: unknown };

/** Makes one of several writes, or nothing of it. Throws if the others cannot be made either. */
const writeAmong = (connection: Connection, { write }: Prepared): Outcome => {
  try {
    return connection.savepoint(() => write(connection));
  } catch (error) {
    if (error instanceof Refused) return error.written;
    if (isLasting(error) || !connection.isInTransaction()) throw error;
    return { error };
  }
};

/** Makes a write by itself, in its own transaction. */
export const writeAlone = (connection: Connection, check: Check, { write }: Prepared): Written => {
  try {
    return connection.transaction('IMMEDIATE', () => {
      check(connection);
      return write(connection);
    });
  } catch (error) {
    if (error instanceof Refused) return error.written;
    throw error;
  }
};

/**
 * Makes writes within a transaction, each as a whole or not at all, and returns what became of each. If it throws,
 * nothing may be committed.
 */
export const writeAll = <One extends Prepared>(
  connection: Connection,
  check: Check,
  writes: readonly One[],
): readonly (readonly [One, Outcome])[] => {
  check(connection);
  return writes.map((one) => [one, writeAmong(connection, one)] as const);
};

/** Writes the step of an erasure and removes the documents of this digest from its task, in one transaction. */
export const eraseDocuments = (connection: Connection, check: Check, step: Step, digest: string): Written => {
  const texts = textsOf(step);
  return connection.transaction('IMMEDIATE', () => {
    check(connection);
    const before = findTask(connection, step.taskId);
    const kept = { ...step, snapshot: step.snapshot ?? before?.snapshot ?? null, consumedApprovals: [] };
    const answered = writeStep(connection, kept, texts);
    for (const record of answered.records) eraseFrom(connection, step.taskId, digest, record);
    return answered;
  });
};
