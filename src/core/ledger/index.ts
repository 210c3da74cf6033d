export type { ApprovalJwk, ApprovalKeySet, KeySet, Subjects } from '../../gates/approvals/keys.ts';
export type { LargeValues } from './blobs.ts';
export { signCheckpoint } from './checkpoint.ts';
export type { Checkpoint, CheckpointToSign, Head } from './checkpoint.ts';
export { findingMeaning, replayMeaning, verdictMeaning } from './findings.ts';
export type { Contradiction, Finding, FindingCode, LedgerVerdict, ReplayCode, Stated } from './findings.ts';
export { createFlowReport } from './flow-report.ts';
export type { FlowReport, FlowUse, FlowUses, FlowVerdict } from './flow-report.ts';
export { fromJsonLines, toJsonLines } from './json-lines.ts';
export { replay } from './replay.ts';
export type { Replay, ReplayOptions } from './replay.ts';
export { verifyLedger } from './verify.ts';
export type { Verification, NoCheckpoint, SignedCheckpoint, VerifyOptions } from './verify.ts';
export type {
  Actor,
  ApprovalDocument,
  RecordPayload,
  CallDocument,
  LedgerEntry,
  LedgerRecord,
  OutputDocument,
  Person,
  RequestDocument,
  StreamDocument,
} from '../../base/ports/ledger.ts';
