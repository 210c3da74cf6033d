import type { EvidenceType, RiskTier, RollbackAction, UpFeedback } from '../../schema/index.ts';
import type { StandardSchema } from './schema.ts';
import type { TraceContext } from './telemetry.ts';

/** A tool that cannot finish yet: it will be called again, under the same key, once the dependency is met. */
export interface NotYet {
  readonly dependency: string;
  /** The agent whose messages speak for this dependency. */
  readonly agent?: string | undefined;
  readonly explanation: string;
}

/** A tool that wants a person first: it will be called again, under the same key, with the answer. */
export interface NeedsHuman {
  readonly explanation: string;
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
}

/** What a tool may return beside its result. Only `notDone` and `needsHuman` promise that nothing happened. */
export interface Outcomes {
  readonly notYet: (wait: NotYet) => ToolOutcome;
  readonly needsHuman: (need: NeedsHuman) => ToolOutcome;
  /** An evidence object that another party made of this call: it counts only if it holds against the call (UAICP 5.1). */
  readonly evidence: (evidence: unknown) => ToolOutcome;
  /** The call failed for certain: nothing happened in the world. */
  readonly notDone: (explanation: string) => ToolOutcome;
}

/** Made by `Outcomes` alone, so that no result can be taken for one. */
export class ToolOutcome {
  readonly kind: 'notYet' | 'needsHuman' | 'notDone' | 'evidence';
  readonly explanation: string;
  readonly dependency: string;
  readonly agent: string | undefined;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly evidence: unknown;

  /** @internal */
  constructor(kind: ToolOutcome['kind'], wait: NeedsHuman & Partial<NotYet> & { evidence?: unknown }) {
    this.kind = kind;
    this.explanation = wait.explanation;
    this.dependency = wait.dependency ?? '';
    this.agent = wait.agent;
    this.payload = wait.payload ?? {};
    this.evidence = wait.evidence;
  }
}

/** What a tool is called with beside its arguments; `traceparent` is to travel on with what it asks of others. */
export interface CallContext extends Outcomes, TraceContext {
  /** Idempotency key: the action's digest, the same over retries and restarts, another for other arguments. */
  readonly key: string;
  /** Identifies this call within its request. */
  readonly call: string;
  /** 0 for the first attempt of the run. */
  readonly attempt: number;
  readonly requestId: string;
  readonly traceId: string;
  readonly signal: AbortSignal;
  /** What the person answered whom this call asked for. */
  readonly answer: UpFeedback | null;
  /** The payload of the message that asked for it, as the person saw it; `null` where nobody was asked, or it was erased. */
  readonly asked: Readonly<Record<string, unknown>> | null;
  /** What the dependency brought that this call waited for. */
  readonly met: unknown;
}

/**
 * What it means that an effect began and its outcome is not known: after a crash, or because its tool threw.
 *
 * `idempotent`: it is made again under the same key, which makes twice once, for as long as its tool remembers keys: longer
 * than any task may wait. `reconcilable`: it is looked up by its key.
 * `unsafe`: it is never made again; a person is asked, with what is known.
 */
export type Doubt = 'idempotent' | 'reconcilable' | 'unsafe';

/** What a look-up by an idempotency key found; `result` is what the effect would have returned. */
export type Found =
  | { readonly found: 'done'; readonly result?: unknown }
  /** It has not happened, and what was sent before cannot make it happen any more; what may still be on its way is `unknown`. */
  | { readonly found: 'absent' }
  | { readonly found: 'unknown' };

/** What inverts one call: what is done, to what, and with what. All three say something (UAICP 5.3). */
export interface RollbackDescription extends RollbackAction {
  readonly type: string;
  readonly target: string;
  readonly payload: NonNullable<RollbackAction['payload']>;
}

/** How a write is inverted: declared before it happens, run if the run fails after it (UAICP 5.3). */
export interface Rollback<Arguments = unknown> {
  /**
   * Describes the action that inverts a call with this input. A write whose description throws, or lacks `type`, `target` or
   * `payload`, is not cleared: `ROLLBACK_REQUIRED`.
   */
  readonly describe: (input: Arguments) => RollbackDescription;
  readonly run: (
    action: RollbackAction,
    context: Pick<CallContext, 'key' | 'signal' | 'requestId' | keyof TraceContext>,
  ) => Promise<unknown>;
  /** `unsafe` where left out: a rollback of unknown outcome is reported, and not run again. */
  readonly doubt?: Doubt;
  /** Wanted of what is `reconcilable`. */
  readonly lookup?: (key: string, context: LookupContext) => Promise<Found>;
}

/** What a look-up is given beside the key. */
export interface LookupContext {
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** What a task is asked for that is a call of another. */
export interface ChildRequest {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly explanation?: string;
}

/** A call that is itself a task, of a class that its orchestrator knows (UAICP 4.3). */
export interface ChildTask {
  readonly taskClass: string;
  /** Called with what the schema of `input` has read. */
  readonly request: (input: unknown) => ChildRequest;
  /** `ledger`: what it wrote is rolled back write by write, through its own ledger; else `Tool.rollback` is run. */
  readonly undo?: 'ledger';
}

/** A deterministic function with a declared risk tier; what it returns becomes evidence (UAICP 2, 5.3). */
export interface Tool {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly tier: RiskTier;
  readonly input: StandardSchema;
  readonly evidenceType: EvidenceType;
  /** Milliseconds; the task class's own where left out. */
  readonly deadline: number | null;
  /** Called with what the schema of `input` has read. */
  readonly call: (input: unknown, context: CallContext) => Promise<unknown>;
  readonly rollback: Rollback | null;
  readonly doubt: Doubt;
  readonly lookup: ((key: string, context: LookupContext) => Promise<Found>) | null;
  /** In place of `call`. */
  readonly child?: ChildTask;
}
