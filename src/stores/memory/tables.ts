import type { Deadline, TaskIndexEntry } from '../../ports/store.ts';

/** A record of a task: which, and the number it has there. */
export interface Place {
  readonly taskId: string;
  readonly seq: number;
}

/** A document that was emitted, as text, and what finds it. */
export interface EmittedText {
  readonly digest: string;
  readonly message: string | null;
  readonly text: string;
}

/** A task; documents are kept as text, so that nobody changes what was written. */
export interface TaskRow {
  /** How many tasks began before it. */
  readonly order: number;
  indexEntry: TaskIndexEntry;
  snapshot: string;
  records: string[];
  emissions: EmittedText[];
  deadlines: readonly Deadline[];
  intents: string;
}

/** All that a database in memory holds. */
export interface Tables {
  readonly tasks: Map<string, TaskRow>;
  /** Those of the tasks that have deadlines. */
  readonly running: Map<string, TaskRow>;
  readonly keys: Map<string, Place>;
  /** Where each message was said, and the digest of the document: the first first. */
  readonly messages: Map<string, readonly (Place & { readonly digest: string })[]>;
  /** What each approval was used for, by its name (`jti`): the action, and the number of the last record. */
  readonly spent: Map<string, { readonly action: string; readonly seq: number }>;
}

export const emptyTables = (): Tables => ({
  tasks: new Map(),
  running: new Map(),
  keys: new Map(),
  messages: new Map(),
  spent: new Map(),
});
