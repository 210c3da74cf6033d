export { joinBlobs } from '../canonical/blobs.ts';
export type { BlobReference } from '../canonical/blobs.ts';
export { aesCodec } from './codec.ts';
export type { BlobOptions, BlobStore } from '../ports/blobs.ts';
export type { Codec } from '../ports/codec.ts';
export type {
  Capabilities,
  Committed,
  Deadline,
  Hold,
  Intent,
  NameKind,
  Needs,
  OnlyTask,
  TaskCounts,
  TaskIndexEntry,
  TaskOrder,
  TaskQuery,
  Step,
  StoredName,
  StoredStep,
  StoredTask,
  TaskCopy,
  Transfer,
  Which,
} from '../ports/store.ts';
export type { Backlog, StalledTask, StoreFigures, Workload } from '../ports/workload.ts';
