import type { Emission } from '../../ports/emission.ts';
import type { LedgerRecord } from '../../ports/ledger.ts';
import type { Committed, Deadline, TaskIndexEntry, Step } from '../../ports/store.ts';
import { asText, type Bound, type Connection } from './connection.ts';
import { deadlinesIn } from './read.ts';
import { isLasting } from './trouble.ts';

/** The result of writing a step, and the id of its record if it was written. */
export interface Written {
  readonly answer: Committed;
  readonly record: number | null;
}

interface DocumentText {
  readonly name: string;
  readonly digest: string;
  readonly text: string;
}

interface EmissionText extends DocumentText {
  readonly messageId: string | null;
}

/** A step as text; serialization errors are thrown here, before any write. */
export interface StepText {
  readonly record: string;
  readonly documents: readonly DocumentText[];
  readonly emissions: readonly EmissionText[];
  readonly intents: string;
}

const documentTexts = ({ brought, documents }: LedgerRecord): readonly DocumentText[] => {
  const digests = new Map(Object.entries(documents));
  return Object.entries(brought).map(([name, document]) => ({
    name,
    digest: digests.get(name) ?? '',
    text: JSON.stringify(document),
  }));
};

const messageOf = ({ name, document }: Emission): string | null =>
  name === 'UpFormatMessage' || name === 'ReceivedMessage' ? document.messageId : null;

export const textsOf = ({ record, emissions, intents }: Step): StepText => {
  const { brought: _brought, ...core } = record;
  return {
    record: JSON.stringify(core),
    documents: documentTexts(record),
    emissions: emissions.map((emission, index) => ({
      name: emission.name,
      digest: record.emitted[index] ?? '',
      messageId: messageOf(emission),
      text: JSON.stringify(emission.document),
    })),
    intents: JSON.stringify(intents),
  };
};

const isUsed = (connection: Connection, key: string | null): boolean =>
  key !== null && connection.rows('SELECT 1 FROM record WHERE "key" = ?', key).length > 0;

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

const entryValues = (indexEntry: TaskIndexEntry): readonly Bound[] => [
  indexEntry.threadId,
  indexEntry.parent,
  indexEntry.size,
  indexEntry.head,
  indexEntry.at,
  indexEntry.isSettled ? 1 : 0,
  indexEntry.isOwed ? 1 : 0,
  indexEntry.asking,
  indexEntry.awaits,
  indexEntry.rank,
  indexEntry.chart,
  indexEntry.summary,
];

const insertTask = (
  connection: Connection,
  { taskId, indexEntry, snapshot }: Step,
  intents: string,
): number => {
  if (snapshot === null) throw new TypeError('the first step of a task has a snapshot');
  return connection.insert(
    `INSERT INTO task (taskId, threadId, parent, size, head, at, isSettled, isOwed, asking, awaits, rank, chart,
    summary, intents, snapshot) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    taskId,
    ...entryValues(indexEntry),
    intents,
    snapshot,
  );
};

const updateTask = (connection: Connection, task: number, step: Step, intents: string): number => {
  connection.run(
    `UPDATE task SET threadId = ?, parent = ?, size = ?, head = ?, at = ?, isSettled = ?, isOwed = ?, asking = ?,
    awaits = ?, rank = ?, chart = ?, summary = ?, intents = ?, snapshot = coalesce(?, snapshot) WHERE id = ?`,
    ...entryValues(step.indexEntry),
    intents,
    step.snapshot,
    task,
  );
  return task;
};

const insertRecord = (connection: Connection, task: number, step: Step, texts: StepText): number => {
  const record = connection.insert(
    'INSERT INTO record (task, seq, "key", text) VALUES (?, ?, ?, ?)',
    task,
    step.record.seq,
    step.key,
    texts.record,
  );
  for (const { name, digest, text } of texts.documents) {
    const sql = 'INSERT INTO document (record, name, digest, text) VALUES (?, ?, ?, ?)';
    connection.run(sql, record, name, digest, text);
  }
  for (const { name, digest, messageId, text } of texts.emissions) {
    const sql = 'INSERT INTO emission (record, name, digest, messageId, text) VALUES (?, ?, ?, ?, ?)';
    connection.run(sql, record, name, digest, messageId, text);
  }
  return record;
};

/** Writes deadlines only if they changed, which most steps do not. */
const replaceDeadlines = (connection: Connection, task: number, deadlines: readonly Deadline[]): void => {
  const stored = deadlinesIn(connection, task);
  const isSame = ({ of, id, at }: Deadline, index: number): boolean =>
    stored[index]?.of === of && stored[index].id === id && stored[index].at === at;
  if (stored.length === deadlines.length && deadlines.every(isSame)) return;
  connection.run('DELETE FROM deadline WHERE task = ?', task);
  for (const [position, { of, id, at }] of deadlines.entries()) {
    const sql = 'INSERT INTO deadline (task, position, "of", id, at) VALUES (?, ?, ?, ?, ?)';
    connection.run(sql, task, position, of, id, at);
  }
};

interface Stored {
  readonly task: number;
  readonly size: number;
}

const storedOf = (connection: Connection, taskId: string): Stored | undefined => {
  const sql = `SELECT id AS task, (SELECT coalesce(max(seq) + 1, 0) FROM record WHERE task = task.id) AS size
    FROM task WHERE taskId = ?`;
  return (connection.rows(sql, taskId) as readonly Stored[])[0];
};

/** Rolls back a refused step. */
class Refused extends Error {}

const write = (connection: Connection, step: Step, texts: StepText): Written => {
  if (isUsed(connection, step.key)) return { answer: 'duplicate', record: null };
  const stored = storedOf(connection, step.taskId);
  if (step.record.seq !== (stored?.size ?? 0)) return { answer: 'conflict', record: null };
  if (!spend(connection, step)) throw new Refused();
  const task =
    stored === undefined
      ? insertTask(connection, step, texts.intents)
      : updateTask(connection, stored.task, step, texts.intents);
  const record = insertRecord(connection, task, step, texts);
  replaceDeadlines(connection, task, step.deadlines);
  return { answer: 'ok', record };
};

/** Throws if this store may not write; called in the transaction of each write. */
type Check = (connection: Connection) => void;

interface Prepared {
  readonly step: Step;
  readonly texts: StepText;
}

const spent: Written = { answer: 'spent', record: null };

/** What became of a step: the answer, or why it was not written although the others were. */
export type Outcome = Written | { readonly error: unknown };

/** Writes one of several steps, or nothing of it. Throws if the others cannot be written either. */
const writeAmong = (connection: Connection, { step, texts }: Prepared): Outcome => {
  try {
    return connection.savepoint(() => write(connection, step, texts));
  } catch (error) {
    if (error instanceof Refused) return spent;
    if (isLasting(error) || !connection.isInTransaction()) throw error;
    return { error };
  }
};

const writeAlone = (connection: Connection, check: Check, { step, texts }: Prepared): Written => {
  try {
    return connection.transaction('IMMEDIATE', () => {
      check(connection);
      return write(connection, step, texts);
    });
  } catch (error) {
    if (error instanceof Refused) return spent;
    throw error;
  }
};

/**
 * Writes steps in one transaction, each as a whole or not at all, and returns what became of each. If it throws,
 * nothing was written.
 */
export const commitSteps = <One extends Prepared>(
  connection: Connection,
  check: Check,
  steps: readonly One[],
): readonly (readonly [One, Outcome])[] => {
  const [first, second] = steps;
  if (first !== undefined && second === undefined) return [[first, writeAlone(connection, check, first)]];
  return connection.transaction('IMMEDIATE', () => {
    check(connection);
    return steps.map((one) => [one, writeAmong(connection, one)] as const);
  });
};

const eraseFrom = (connection: Connection, table: 'document' | 'emission', taskId: string, digest: string) =>
  connection.run(
    `DELETE FROM ${table} WHERE digest = ? AND record IN
    (SELECT record.id FROM record JOIN task ON task.id = record.task WHERE task.taskId = ?)`,
    digest,
    taskId,
  );

/** Writes the step of an erasure and removes the documents of this digest from its task, in one transaction. */
export const eraseDocuments = (connection: Connection, check: Check, step: Step, digest: string): Written => {
  const texts = textsOf(step);
  return connection.transaction('IMMEDIATE', () => {
    check(connection);
    const answered = write(connection, { ...step, consumedApprovals: [] }, texts);
    if (answered.answer !== 'ok') return answered;
    eraseFrom(connection, 'document', step.taskId, digest);
    eraseFrom(connection, 'emission', step.taskId, digest);
    return answered;
  });
};
