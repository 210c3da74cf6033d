export { operationalStateOf } from '../machines/index.ts';
export { deadlines, defineTaskClass } from './define/task-class.ts';
export type { Acceptance, DefinedTaskClass, TaskClassDefinition } from './define/task-class.ts';
export { defineTaskTool } from './define/task-tool.ts';
export type { TaskToolDefinition } from './define/task-tool.ts';
export { defineTool } from './define/tool.ts';
export type { ToolDefinition } from './define/tool.ts';
export { defineVerifier } from './define/verifier.ts';
export { CharterError, isCharterError } from './errors.ts';
export type { ErrorCode, ErrorDetails, Issue } from './errors.ts';
export type { OrchestratorEvents } from './orchestrator/events.ts';
export type { OrchestratorOptions } from './orchestrator/options.ts';
export { createOrchestrator } from './orchestrator/orchestrator.ts';
export type {
  AdoptionOutput,
  CallsOutput,
  CorrectionOutput,
  DraftOutput,
  PlanOutput,
} from './orchestrator/outputs.ts';
export type { Progress } from './orchestrator/progress.ts';
export type { Submission } from './orchestrator/submission.ts';
export type { InboxEntry, Settled, TaskSummary } from './orchestrator/summary.ts';
export type { Orchestrator, Page, Recovery } from './orchestrator/surface.ts';
export type { Approvals } from './ports/approvals.ts';
export type { Clock } from './ports/clock.ts';
export type { Emission } from './ports/emission.ts';
export type { Ids } from './ports/ids.ts';
export type { MayRespond } from './ports/may-respond.ts';
export type { Model, Turn } from './ports/model.ts';
export type { OpenQuestion } from './ports/open-question.ts';
export type { Policy } from './ports/policy.ts';
export type { Store } from './ports/store.ts';
export type { Telemetry } from './ports/telemetry.ts';
export type { CallContext, Found, LookupContext, Rollback, Tool } from './ports/tool.ts';
export type { Findings, VerificationSubject, Verifier } from './ports/verifier.ts';
// Adds no name. TypeScript can write `import("agentcharter/types")` only in a program that contains that file.
// oxlint-disable-next-line unicorn/require-module-specifiers -- it names no type on purpose
export type {} from './types.ts';
