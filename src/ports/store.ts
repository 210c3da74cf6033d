import type { LedgerRecord } from './ledger.ts';
import type { Emission } from './emission.ts';

/** One step of a task: a record, the snapshot that it led to, and the documents that it gave cause to emit. */
export interface Step {
  readonly taskId: string;
  /** `null` for a record that changed no state. */
  readonly snapshot: string | null;
  readonly record: LedgerRecord;
  readonly emissions: readonly Emission[];
  /** Names of approvals (`jti`) that this step uses up: no other action, of any task, may ever use them. */
  readonly spends: readonly { readonly jti: string; readonly action: string }[];
}

/**
 * Where tasks are kept. `commit` writes a whole step or nothing, also where it throws, and answers `conflict` unless
 * the record's number follows the last one of its task, and `spent` where an approval was used for another action.
 */
export interface Store {
  readonly commit: (step: Step) => Promise<'ok' | 'conflict' | 'spent'>;
  readonly tasks: () => Promise<readonly string[]>;
  readonly snapshot: (taskId: string) => Promise<string | undefined>;
  readonly records: (taskId: string) => Promise<readonly LedgerRecord[]>;
  readonly emissions: (taskId: string) => Promise<readonly Emission[]>;
  /** Takes every document of this digest out of a task's records and emissions, and appends the record that says so. */
  readonly erase: (step: Step, digest: string) => Promise<'ok' | 'conflict'>;
  readonly close: () => Promise<void>;
}
