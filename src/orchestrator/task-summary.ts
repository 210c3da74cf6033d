import { outcomeOf, stateName, type Duty } from '../../machines/index.ts';
import type { LedgerEntry } from '../ports/ledger.ts';
import { CharterError } from '../errors.ts';
import type { Standing } from '../ports/store.ts';
import type { Tool } from '../ports/tool.ts';
import { unreportedChildren } from './begun.ts';
import type { TaskDocuments } from './task-documents.ts';
import type { Emit } from './events.ts';
import { isOurs } from './intents.ts';
import type { TaskSnapshot } from './record.ts';
import type { InboxEntry, TaskSummary } from './summary.ts';

/** The part of a task that is stored to be read without loading the task. */
export interface StoredSummary {
  readonly summary: TaskSummary;
  readonly open: readonly InboxEntry[];
}

const isStoredSummary = (value: unknown): value is StoredSummary =>
  typeof value === 'object' &&
  value !== null &&
  'summary' in value &&
  typeof value.summary === 'object' &&
  'open' in value &&
  Array.isArray(value.open);

/** Reads the summary that `taskIndexEntryOf` wrote. Throws `task_corrupted`. */
export const readStoredSummary = ({ taskId, size, summary }: Standing): StoredSummary => {
  let stored: unknown;
  try {
    stored = JSON.parse(summary);
  } catch {
    // it is none, and said so below
  }
  if (isStoredSummary(stored)) return stored;
  const reason = 'how it stands cannot be read';
  const message = `task ${taskId} is not what was recorded: ${reason}`;
  throw new CharterError('task_corrupted', message, { taskId, seq: size - 1, reason });
};

/** Reads the summaries of tasks. Emits `error` for one that cannot be read, and returns the others. */
export const readStoredSummaries = (entries: readonly Standing[], emit: Emit): readonly StoredSummary[] =>
  entries.flatMap((entry) => {
    try {
      return [readStoredSummary(entry)];
    } catch (error) {
      emit('error', { taskId: entry.taskId, error });
      return [];
    }
  });

/** The task that another is a call of. */
export const parentOf = ({ request: { parent } }: TaskDocuments): string | null =>
  parent?.path.at(-1) ?? null;

/** The tasks that a task is nested in, the outermost first, and itself. */
export const pathOf = (
  taskId: string,
  { request: { parent } }: Pick<TaskDocuments, 'request'>,
): readonly string[] => [...(parent?.path ?? []), taskId];

/** Returns the summary of a task. */
export const summaryOf = (
  taskId: string,
  snapshot: TaskSnapshot,
  { request: { threadId, taskClass } }: TaskDocuments,
): TaskSummary => ({
  taskId,
  threadId,
  taskClass,
  state: stateName(snapshot.value),
  outcome: outcomeOf(snapshot.context),
  reasons: snapshot.context.reasons,
  isSettled: snapshot.hasTag('settled'),
});

interface StateAfter {
  readonly snapshot: TaskSnapshot;
  readonly documents: TaskDocuments;
  readonly duties: readonly Duty[];
  readonly open: readonly InboxEntry[];
}

/** Returns the entry that the store's index of tasks gets after a record. */
export const taskIndexEntryOf = (
  { taskId, seq, timestamp }: LedgerEntry,
  { snapshot, documents, duties, open }: StateAfter,
  tools: ReadonlyMap<string, Tool>,
): Omit<Standing, 'head'> => {
  const stored: StoredSummary = { summary: summaryOf(taskId, snapshot, documents), open };
  const { context } = snapshot;
  return {
    taskId,
    threadId: documents.request.threadId,
    parent: parentOf(documents),
    size: seq + 1,
    at: Date.parse(timestamp),
    isSettled: stored.summary.isSettled,
    isOwed:
      documents.compensating.length > 0 ||
      unreportedChildren(documents.begun, { tools }).length > 0 ||
      duties.some((duty) => isOurs(duty, context, documents, { tools })),
    asking: open.length,
    summary: JSON.stringify(stored),
  };
};
