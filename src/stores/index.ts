export type { Committed, Deadline, Intent, Standing, Step, StoredTask, Which } from '../ports/store.ts';
