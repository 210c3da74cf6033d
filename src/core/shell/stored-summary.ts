import type { TaskIndexEntry } from '../../base/ports/store.ts';
import type { StoredSummary } from '../kernel/summary.ts';
import { corrupted } from './task-errors.ts';

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
    // reported below
  }
  if (isStoredSummary(stored)) return stored;
  throw corrupted(taskId, size - 1, 'its stored summary cannot be read');
};

/** Reads the summaries of tasks. Passes unreadable ones to `failed`, and returns the others. */
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
