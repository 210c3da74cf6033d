export type {
  Committed,
  Deadline,
  Intent,
  TaskCounts,
  TaskIndexEntry,
  TaskOrder,
  TaskQuery,
  Step,
  StoredTask,
  Which,
} from '../ports/store.ts';
