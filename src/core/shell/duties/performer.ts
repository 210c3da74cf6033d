import type { Duty } from '../../../../machines/index.ts';
import { isCharterError } from '../../../base/errors.ts';
import type { Actor, CallDocument } from '../../../base/ports/ledger.ts';
import type { Tool } from '../../../base/ports/tool.ts';
import type { ByHand } from '../by-hand.ts';
import type { CarryOver } from '../carrying.ts';
import type { Children } from '../children.ts';
import type { Environment } from '../environment.ts';
import type { LiveTask, Stating } from '../live-task.ts';
import type { Mediate } from '../read-arguments.ts';
import type { Change } from '../surface.ts';
import type { Span } from '../tracing.ts';
import type { WorkSignal } from '../work-signal.ts';

/** The ports of all performers: the shared environment, and the tasks that are calls of others. */
export interface Ports extends Environment {
  readonly children: Children;
  readonly byHand: ByHand;
  readonly mediate: Mediate;
  readonly carryOver: CarryOver;
  /** What loaded tasks meet that is not as they recorded it, and what waiting tasks will, for `recover`. */
  readonly changes: {
    readonly note: (task: LiveTask) => void;
    readonly take: () => Promise<readonly Change[]>;
  };
}

/** What a performer works with. */
export interface Work {
  readonly task: LiveTask;
  readonly environment: Ports;
  /** Aborts when the work is no longer due. */
  readonly signal: WorkSignal;
}

/** Performs one duty, and states what came of it. */
export type Performer<Kind extends Duty['kind']> = (
  work: Work,
  duty: Extract<Duty, { kind: Kind }>,
) => Stating;

/** Does work in a slot: it begins once one is free. */
export async function* inSlot<Result>({ environment, signal }: Work, does: Stating<Result>): Stating<Result> {
  const release = await environment.slots.take(signal);
  try {
    return yield* does;
  } finally {
    release();
  }
}

/** Returns a system as an actor. */
export const systemOf = (id: string): Actor => ({ kind: 'system', id });

/** Returns who performs a call and its rollback, as an actor: its tool, or the agent that called it. */
export const performerOf = (
  { view }: Pick<LiveTask, 'view'>,
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
export interface CallRun extends Work {
  readonly tool: Tool;
  readonly call: CallDocument;
  readonly of: { readonly request: string; readonly attempt: number; readonly call: string };
  /** Present while the call is being made. */
  readonly span?: Span;
}
