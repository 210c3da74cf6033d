export type { Committed, Deadline, Intent, TaskIndexEntry, Step, StoredTask, Which } from '../ports/store.ts';
