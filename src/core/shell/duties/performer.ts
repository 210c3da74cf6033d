import type { Duty } from '../../../../machines/index.ts';
import { isCharterError } from '../../../base/errors.ts';
import type { Actor, CallDocument } from '../../../base/ports/ledger.ts';
import type { Tool } from '../../../base/ports/tool.ts';
import type { ByHand } from '../by-hand.ts';
import type { CarryOver } from '../carrying.ts';
import type { Children } from '../children.ts';
import type { Environment } from '../environment.ts';
import type { Mediate } from '../read-arguments.ts';
import type { Change } from '../surface.ts';
import type { Task } from '../task.ts';
import type { Span } from '../tracing.ts';
import type { WorkSignal } from '../work-signal.ts';

/** The ports of all performers: the shared environment, and the tasks that are calls of others. */
export interface PerformerPorts extends Environment {
  readonly children: Children;
  readonly byHand: ByHand;
  readonly mediate: Mediate;
  readonly carryOver: CarryOver;
  /** What loaded tasks meet that is not as they recorded it, and what waiting tasks will, for `recover`. */
  readonly changes: { readonly note: (task: Task) => void; readonly take: () => Promise<readonly Change[]> };
}

/** The ports of a rollback. */
export type RollbackPorts = Pick<
  PerformerPorts,
  | 'tools'
  | 'slots'
  | 'clock'
  | 'emit'
  | 'redact'
  | 'children'
  | 'byHand'
  | 'holds'
  | 'meter'
  | 'quotas'
  | 'pauses'
  | 'callers'
>;

/** The ports of a call: its clearance, its outcome, and the rollback of a write that lands late. */
export type RunPorts = RollbackPorts &
  Pick<PerformerPorts, 'policy' | 'attest' | 'approvals' | 'mayRespond' | 'ids' | 'skew' | 'store' | 'blobs'>;

/** Performs one duty and submits the result. The signal aborts when the duty is no longer due. */
export type Performer<Kind extends Duty['kind'], Ports> = (
  task: Task,
  duty: Extract<Duty, { kind: Kind }>,
  environment: Ports,
  signal: WorkSignal,
) => Promise<void>;

/** Returns a system as an actor. */
export const systemOf = (id: string): Actor => ({ kind: 'system', id });

/** Returns who performs a call and its rollback, as an actor: its tool, or the agent that called it. */
export const performerOf = (
  { view }: Task,
  call: CallDocument | undefined,
  tool = call?.tool ?? 'agentcharter',
): Actor => (call?.performs === undefined ? systemOf(tool) : view.agent);

/**
 * Returns whether a duty was aborted because its orchestrator closes, or lost its task: it is due again after a restart,
 * or for another process.
 */
export const isClosing = ({ reason }: WorkSignal): boolean => isEnding(reason);

/** Returns whether work failed because its orchestrator closes, or lost its task. */
export const isEnding = (reason: unknown): boolean =>
  isCharterError(reason, 'closed') || isCharterError(reason, 'task_fenced');

/** A call in flight. */
export interface Run {
  readonly task: Task;
  readonly environment: RunPorts;
  readonly tool: Tool;
  readonly call: CallDocument;
  readonly of: { readonly request: string; readonly attempt: number; readonly call: string };
  readonly signal: WorkSignal;
  /** Present while the call is being made. */
  readonly span?: Span;
}
