/**
 * The types that the declarations of `agentcharter` mention and that no other entry exports. Import them to write
 * down a type that TypeScript infers, such as the listing of a tool in a turn of the model.
 */
export type { DeepReadonly } from '../machines/task-class.ts';
export type {
  EvidenceCheck,
  EvidenceClauseDefinition,
  EvidenceRequirementDefinition,
  RequirementsDefinition,
  SameSubject,
} from './base/define/evidence.ts';
export type {
  ActionOf,
  ActionOfEach,
  InputOf,
  OutputOf,
  ProposalOf,
  TaskClasses,
  TaskClassId,
  ToolName,
  ToolNameIn,
  Tools,
  UnknownToolName,
  WithKnownTools,
} from './base/define/inferred.ts';
export type { Deadlines, FollowupOffer } from './base/define/task-class.ts';
export type {
  NotReconcilable,
  Reconcilable,
  ToolBasics,
  ToolPromises,
  WithoutRollback,
  WithRollback,
} from './base/define/tool.ts';
export type { Feedback } from './base/feedback/feedback.ts';
export type { ChildLimits } from './core/shell/children.ts';
export type { Listener } from './core/shell/events.ts';
export type { GuestOptions } from './core/shell/options.ts';
export type { AdoptionOutput } from './core/kernel/outputs.ts';
export type { Redact, RedactedKind } from './core/shell/redact.ts';
export type { SubmittedIdentity } from './core/shell/submission.ts';
export type { DeliveredTask, EndedTask, TaskId, UndeliveredTask } from './core/kernel/summary.ts';
export type {
  Change,
  Closing,
  InboxPageQuery,
  Keyed,
  PageQuery,
  Readiness,
  Refusal,
  TaskFilter,
  TaskPageQuery,
} from './core/shell/surface.ts';
export type { AgentIdentity } from './base/ports/agent-identity.ts';
export type {
  AdoptedDocument,
  ChartState,
  EndDocument,
  ParentCall,
  RecoveryDocument,
  MappingDocument,
  ShownDocument,
  UpgradeDocument,
} from './base/ports/ledger.ts';
export type { AskedToRespond } from './base/ports/may-respond.ts';
export type {
  AnswerListing,
  AnswerOnRecord,
  CallListing,
  Review,
  TokenUsage,
  ToolListing,
  TurnOptions,
} from './base/ports/model.ts';
export type { Attest, PolicyAction } from './base/ports/policy.ts';
export type {
  AsRecorded,
  Payload,
  StandardIssue,
  StandardResult,
  StandardSchema,
} from './base/ports/schema.ts';
export type { EventOrigin, LogCode, LogEntry } from './core/shell/events.ts';
export type {
  ByReason,
  Operator,
  Pruned,
  PruneOptions,
  Rested,
  StuckQuery,
  StuckTask,
} from './core/shell/operator-surface.ts';
export type { By } from './core/shell/by.ts';
export type { Quota, QuotaScope } from './base/define/quota.ts';
export type { RollbackDeclaration } from './base/define/rollback.ts';
export type {
  Claim,
  Obstacle,
  Pausable,
  Pause,
  Regulated,
  Regulation,
  Release,
  Subject,
} from './base/ports/regulation.ts';
export type { PrunedTask, Retention } from './base/ports/retention.ts';
export type { Age, Load, Stats, Totals } from './base/ports/stats.ts';
export type {
  Acting,
  ChildRequest,
  ChildTask,
  Doubt,
  NeedsHuman,
  NotYet,
  Outcomes,
  RollbackDescription,
  ToolMessage,
  ToolOutcome,
} from './base/ports/tool.ts';
