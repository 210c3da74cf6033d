import { chartVersion, type Violation } from '../../machines/index.ts';
import type { Outcome, UpFormatMessage } from '../../schema/index.ts';
import { CharterError } from '../errors.ts';
import type { OpenQuestion } from '../ports/open-question.ts';
import type { TaskIndexEntry } from '../ports/store.ts';

/** How a task stands. */
export interface TaskSummary {
  readonly taskId: string;
  readonly threadId: string;
  readonly taskClass: string;
  readonly state: string;
  readonly outcome: Outcome;
  readonly reasons: readonly Violation[];
  readonly isSettled: boolean;
}

/** How a task ended: its last message says what was delivered, or why it was not. */
export interface Settled extends TaskSummary {
  /** The message that delivered, or that says why nothing was delivered. */
  readonly message: UpFormatMessage;
  /** What became of the optional refinement; `null` where none was offered. */
  readonly followup: { readonly how: string; readonly value: unknown } | null;
}

/** A question that waits for a person. */
export interface InboxEntry {
  readonly taskId: string;
  /** The tasks that this one is nested in, the outermost first, and itself (UAICP 4.3). */
  readonly path: readonly string[];
  readonly question: OpenQuestion;
  readonly message: UpFormatMessage;
  /** What comments on it said last of how grave and how urgent it is (UpFormat Table 2); sorted by `byPriority`. */
  readonly severity?: string | number;
  readonly priority?: string | number;
}

/** The part of a task that is stored to be read without loading the task. */
export interface StoredSummary {
  readonly summary: TaskSummary;
  readonly open: readonly InboxEntry[];
  /** The version of the chart that wrote it; version 1 did not say so. */
  readonly chart?: string;
}

const isStoredSummary = (value: unknown): value is StoredSummary =>
  typeof value === 'object' &&
  value !== null &&
  'summary' in value &&
  typeof value.summary === 'object' &&
  'open' in value &&
  Array.isArray(value.open);

/** Reads the summary that `storedProjectionOf` wrote. Throws `task_corrupted`. */
export const readStoredSummary = ({ taskId, size, summary }: TaskIndexEntry): StoredSummary => {
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

/** Whether this version of the chart wrote how a task stands; no if that cannot be read. */
export const isOfThisChart = (entry: TaskIndexEntry): boolean => {
  try {
    return readStoredSummary(entry).chart === chartVersion;
  } catch {
    return false; // loading it says what is wrong
  }
};

/** Reads the summaries of tasks. Tells `failed` of one that cannot be read, and returns the others. */
export const readStoredSummaries = (
  entries: readonly TaskIndexEntry[],
  failed: (event: { readonly taskId: string; readonly error: unknown }) => void,
): readonly StoredSummary[] =>
  entries.flatMap((entry) => {
    try {
      return [readStoredSummary(entry)];
    } catch (error) {
      failed({ taskId: entry.taskId, error });
      return [];
    }
  });
