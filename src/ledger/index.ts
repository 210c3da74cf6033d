export { signCheckpoint } from './checkpoint.ts';
export type { Checkpoint, CheckpointToSign, Head } from './checkpoint.ts';
export { findingMeaning, replayMeaning } from './findings.ts';
export type { Finding, FindingCode, ReplayCode } from './findings.ts';
export { fromJsonLines, toJsonLines } from './json-lines.ts';
export { replay } from './replay.ts';
export type { Replay } from './replay.ts';
export { verifyLedger } from './verify.ts';
export type { Verification, VerifyOptions } from './verify.ts';
