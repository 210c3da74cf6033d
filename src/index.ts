export { operationalStateOf } from '../machines/index.ts';
export type { EvidenceRequirement, StructuredOutput } from '../machines/index.ts';
export { deadlines, defineTaskClass } from './define/task-class.ts';
export type {
  Acceptance,
  Deadlines,
  DefinedTaskClass,
  FollowupOffer,
  TaskClassDefinition,
} from './define/task-class.ts';
export { defineTaskTool } from './define/task-tool.ts';
export type { TaskToolDefinition } from './define/task-tool.ts';
export type { ToolHints } from './define/hints.ts';
export type { OmittedTools, OnOmitted } from './define/omitted.ts';
export { defineTool } from './define/tool.ts';
export type { ToolDefinition } from './define/tool.ts';
export { defineVerifier } from './define/verifier.ts';
export { CharterError, isCharterError } from './errors.ts';
export type { ErrorCode, ErrorDetails, Issue } from './errors.ts';
export type { OrchestratorEvents } from './orchestrator/events.ts';
export type { AskedToRespond, MayRespond } from './ports/may-respond.ts';
export type { OrchestratorOptions } from './orchestrator/options.ts';
export type { Redact, RedactedKind } from './orchestrator/redact.ts';
export { createOrchestrator } from './orchestrator/orchestrator.ts';
export type { InboxEntry, Settled, TaskSummary } from './orchestrator/summary.ts';
export type { Progress } from './orchestrator/progress.ts';
export type { By, Keyed, Orchestrator, Recovery, Refusal } from './orchestrator/surface.ts';
export type { CallsOutput, CorrectionOutput, DraftOutput, PlanOutput } from './orchestrator/outputs.ts';
export type { OpenQuestion } from './ports/open-question.ts';
export type { Submission } from './orchestrator/submission.ts';
export type { ApprovalClaims, ApprovalRefusal, Approvals, Grant } from './ports/approvals.ts';
export type { Clock } from './ports/clock.ts';
export type { Emission } from './ports/emission.ts';
export type { Ids } from './ports/ids.ts';
export type {
  Actor,
  Brought,
  ApprovalDocument,
  CallDocument,
  LedgerEntry,
  LedgerRecord,
  OutputDocument,
  Person,
  RequestDocument,
  StreamDocument,
} from './ports/ledger.ts';
export type {
  AnswerListing,
  AnswerOnRecord,
  CallListing,
  Chunk,
  Model,
  StreamChunk,
  ToolListing,
  Turn,
  TurnOptions,
} from './ports/model.ts';
export type { AttestationTier, Policy, PolicyDecision, PolicyRequest } from './ports/policy.ts';
export type { StandardResult, StandardSchema } from './ports/schema.ts';
export type { Committed, Deadline, Intent, Standing, Step, Store, StoredTask, Which } from './ports/store.ts';
export type {
  Moment,
  QuestionMoment,
  StepTaken,
  TaskBegun,
  TaskTelemetry,
  Telemetry,
  Thrown,
  TraceContext,
  Work,
  WorkEnd,
  WorkOutcome,
  WorkTelemetry,
} from './ports/telemetry.ts';
export type {
  ChildRequest,
  CallContext,
  Doubt,
  Found,
  LookupContext,
  NeedsHuman,
  NotYet,
  Outcomes,
  Rollback,
  RollbackDescription,
  Tool,
} from './ports/tool.ts';
export type { Findings, VerificationSubject, Verifier } from './ports/verifier.ts';
