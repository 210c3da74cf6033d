export { createGuard } from './guard.ts';
export type { Guard, GuardOptions } from './guard.ts';
export type { GuardedAgent, GuardedAgents } from './agent-runner.ts';
export { defineCallerTool } from '../base/define/caller-tool.ts';
export type { CallerToolDefinition } from '../base/define/caller-tool.ts';
export { guardTool } from './guard-tool.ts';
export type { ForeignTool, ToolContract, BindingContract } from './guard-tool.ts';
export type {
  CallOutcome,
  Clearance,
  Cleared,
  ClearedCall,
  Conclusion,
  Delivered,
  Done,
  Ended,
  Paused,
  Refused,
  Repairing,
} from './outcome.ts';
export type { ExplainedReason, ExplainedViolation } from '../core/kernel/failure-words.ts';
export type { CallerOutcome, CallerRollback } from '../base/ports/caller.ts';
export type { CallOptions, Draft, Patience, Run } from './run.ts';
export type { OmittedTools, OnOmitted } from '../base/define/omitted.ts';
