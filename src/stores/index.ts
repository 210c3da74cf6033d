export { joinBlobs } from '../base/canonical/blobs.ts';
export type { BlobReference } from '../base/canonical/blobs.ts';
export { aesCodec } from './codec.ts';
export type { BlobOptions, BlobStore } from '../base/ports/blobs.ts';
export type { Codec } from '../base/ports/codec.ts';
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
} from '../base/ports/store.ts';
export type { Backlog, StalledTask, StoreFigures, Workload } from '../base/ports/workload.ts';
