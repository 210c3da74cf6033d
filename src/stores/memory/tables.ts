import type { Deadline, TaskIndexEntry } from '../../ports/store.ts';

/** The location of a record: its task and number. */
export interface Place {
  readonly taskId: string;
  readonly seq: number;
}

/** An emitted document as text, with its digest and message id. */
export interface EmittedText {
  readonly digest: string;
  readonly message: string | null;
  readonly text: string;
}

/** A task; documents are kept as text, so that written data cannot be changed. */
export interface TaskRow {
  /** The number of tasks that began before it. */
  readonly order: number;
  indexEntry: TaskIndexEntry;
  snapshot: string;
  records: string[];
  emissions: EmittedText[];
  deadlines: readonly Deadline[];
  intents: string;
}

/** All tables of a database in memory. */
export interface Tables {
  readonly tasks: Map<string, TaskRow>;
  /** The tasks that have deadlines. */
  readonly running: Map<string, TaskRow>;
  readonly keys: Map<string, Place>;
  /** The records that emitted each message, oldest first, with the document's digest. */
  readonly messages: Map<string, readonly (Place & { readonly digest: string })[]>;
  /** The use of each approval, by its name (`jti`): the action, and the number of the last record. */
  readonly spent: Map<string, { readonly action: string; readonly seq: number }>;
}

export const emptyTables = (): Tables => ({
  tasks: new Map(),
  running: new Map(),
  keys: new Map(),
  messages: new Map(),
  spent: new Map(),
});
