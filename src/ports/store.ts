import type { LedgerRecord } from './ledger.ts';
import type { Emission } from './emission.ts';

/** One step of a task: a record, the snapshot that it led to, and the documents that it gave cause to emit. */
export interface Step {
  readonly taskId: string;
  /** `null` for a record that changed no state. */
  readonly snapshot: string | null;
  readonly record: LedgerRecord;
  readonly emissions: readonly Emission[];
}

/**
 * Where tasks are kept. `commit` writes a whole step or nothing, also where it throws, and answers `conflict` unless
 * the record's number follows the last one of its task.
 */
export interface Store {
  readonly commit: (step: Step) => Promise<'ok' | 'conflict'>;
  readonly tasks: () => Promise<readonly string[]>;
  readonly snapshot: (taskId: string) => Promise<string | undefined>;
  readonly records: (taskId: string) => Promise<readonly LedgerRecord[]>;
  readonly emissions: (taskId: string) => Promise<readonly Emission[]>;
  readonly close: () => Promise<void>;
}
