import type { EvidenceType, RiskTier, RollbackAction, UpContext, UpFeedback } from '../../../schema/index.ts';
import type { AgentIdentity } from './agent-identity.ts';
import type { Flows, Labels } from './origin.ts';
import type { StandardSchema } from './schema.ts';
import type { TraceContext } from './telemetry.ts';

/** A tool that cannot finish yet. It is called again, under the same key, when the dependency is met. */
export interface NotYet {
  readonly dependency: string;
  /** The agent whose messages can meet this dependency. A name alone is an agent of the run's own owner. */
  readonly agent?: string | AgentIdentity | undefined;
  readonly explanation: string;
}

/** A tool that needs a person's answer first. It is called again, under the same key, with the answer. */
export interface NeedsHuman {
  readonly explanation: string;
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
}

/** The special results of a tool. Only `notDone` and `needsHuman` promise that nothing happened. */
export interface Outcomes {
  readonly notYet: (wait: NotYet) => ToolOutcome;
  readonly needsHuman: (need: NeedsHuman) => ToolOutcome;
  /** Evidence about this call from another party. It counts only if it matches the call (UAICP 5.1). */
  readonly evidence: (evidence: unknown) => ToolOutcome;
  /** The call failed, and certainly had no effect. */
  readonly notDone: (explanation: string) => ToolOutcome;
}

/** A special result of a tool. Only `Outcomes` creates it, so that no plain result can be mistaken for one. */
export class ToolOutcome {
  readonly kind: 'notYet' | 'needsHuman' | 'notDone' | 'evidence';
  readonly explanation: string;
  readonly dependency: string;
  readonly agent: string | AgentIdentity | undefined;
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

/** A message that a tool sends while it works (UpFormat 2). It informs: it asks nothing and ends nothing. */
export interface ToolMessage {
  readonly state: 'submitted' | 'waiting' | 'completed' | 'failed';
  readonly payload: Readonly<Record<string, unknown>>;
  readonly explanation: string;
  readonly upContext?: UpContext | undefined;
}

/** The hold under which a process performs a task, for resources that can refuse a process that lost it. */
export interface Acting {
  /**
   * The fencing token. Each process that performs the task later has a larger one: a resource that remembers the largest
   * can refuse the others. `null` if the task is not held, as a child that is undone for its parent.
   */
  readonly fence: number | null;
  /**
   * Returns whether this process still holds the task. Ask in the last line before a request: a process that was slow may
   * have lost the task to another one meanwhile.
   */
  readonly mayAct: () => boolean;
}

/** The context of a tool call. Pass `traceparent` on to the services that the tool calls. */
export interface CallContext extends Outcomes, TraceContext, Acting {
  /**
   * Idempotency key: the action's digest. It stays the same over retries and restarts, and differs for other
   * arguments.
   */
  readonly key: string;
  /** Identifies this call within its request. */
  readonly call: string;
  /** 0 for the first attempt of the run. */
  readonly attempt: number;
  readonly requestId: string;
  readonly traceId: string;
  /**
   * Aborts when the result is no longer waited for: the deadline of the call has passed, or the orchestrator closes or has lost
   * the task; for a tool that `stops` also when the task is cancelled, for any other when that is urgent. The effect is looked up,
   * asked about or undone afterwards.
   */
  readonly signal: AbortSignal;
  /** The person's answer to this call's question. */
  readonly answer: UpFeedback | null;
  /** The payload of that question, as the person saw it; `null` if there was none, or it was erased. */
  readonly asked: Readonly<Record<string, unknown>> | null;
  /** The result of the dependency that this call waited for. */
  readonly met: unknown;
  /**
   * Sends a message to the thread, under the tool's name; at most 100 in a call. The nth message of a repeated call is
   * sent once. Throws `document_invalid`.
   */
  readonly send: (message: ToolMessage) => Promise<void>;
}

/**
 * What to do with an effect of unknown outcome, after a crash or an error of its tool.
 *
 * `idempotent`: it is retried under the same key. The tool must remember keys for longer than any task can wait.
 * `reconcilable`: it is looked up by its key. `unsafe`: it is never retried; a person is asked.
 */
export type Doubt = 'idempotent' | 'reconcilable' | 'unsafe';

/** The result of a look-up by an idempotency key; `result` is the return value of the effect. */
export type Found =
  | { readonly found: 'done'; readonly result?: unknown }
  /**
   * The effect has not happened, or was undone, and cannot happen any more. If a request may still be in flight, return `unknown`.
   */
  | { readonly found: 'absent' }
  | { readonly found: 'unknown' };

/** The inverse of one call: an operation, its target and its payload. All three are required (UAICP 5.3). */
export interface RollbackDescription extends RollbackAction {
  readonly type: string;
  readonly target: string;
  readonly payload: NonNullable<RollbackAction['payload']>;
}

/**
 * The inverse of a write. It is described before the write, and run if the run fails later (UAICP 5.3). A person is asked to undo what is
 * described as of type `manual`; `run` is not called then.
 */
export interface Rollback<Arguments = unknown> {
  /**
   * Describes the inverse of a call with this input. If it throws, or returns no `type`, `target` or `payload`, the
   * write is not cleared: `ROLLBACK_REQUIRED`.
   */
  readonly describe: (input: Arguments) => RollbackDescription;
  readonly run: (
    action: RollbackAction,
    context: Pick<CallContext, 'key' | 'signal' | 'requestId' | keyof TraceContext | keyof Acting>,
  ) => Promise<unknown>;
  /** `unsafe` by default: a rollback of unknown outcome is reported and not retried. */
  readonly doubt?: Doubt;
  /** Required for a `reconcilable` rollback. */
  readonly lookup?: (key: string, context: LookupContext) => Promise<Found>;
}

/** The context of a look-up. */
export interface LookupContext extends Acting {
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** The request for a child task. */
export interface ChildRequest {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly explanation?: string;
}

/** A call that is itself a task, of a class that the orchestrator knows (UAICP 4.3). */
export interface ChildTask {
  readonly taskClass: string;
  /** Receives the input after the `input` schema. */
  readonly request: (input: unknown) => ChildRequest;
  /**
   * `ledger`: the child's writes are rolled back one by one, through its own ledger. Otherwise `Tool.rollback` runs.
   */
  readonly undo?: 'ledger';
}

/** A deterministic function with a declared risk tier. Its result becomes evidence (UAICP 2, 5.3). */
export interface Tool<Name extends string = string, Input = unknown, Arguments = unknown> {
  readonly name: Name;
  readonly version: string;
  readonly description: string;
  readonly tier: RiskTier;
  /** The schema of the arguments: what a call is given, and what the tool, its policy and people get. */
  readonly input: StandardSchema<Arguments, Input>;
  /** The schema of the result. */
  readonly output?: StandardSchema;
  /** Says what a call does, in a sentence of at most 200 characters. Receives the input after the `input` schema. */
  readonly summary?: (input: unknown) => string;
  readonly evidenceType: EvidenceType;
  /** Milliseconds; `null` for the task class's default. */
  readonly deadline: number | null;
  /** Receives the input after the `input` schema. */
  readonly call: (input: unknown, context: CallContext) => Promise<unknown>;
  readonly rollback: Rollback | null;
  readonly doubt: Doubt;
  readonly lookup: ((key: string, context: LookupContext) => Promise<Found>) | null;
  /** Replaces `call`. */
  readonly child?: ChildTask;
  /** The labels of the result; `arguments` for those of the arguments together. By default it is untrusted. */
  readonly labels?: Labels | 'arguments';
  /** What the arguments may come from. By default anything. */
  readonly flows?: Flows;
  /** Each call under a `ref` of its own is made. By default an identical write is made once in a request. */
  readonly repeats?: true;
  /** How much a call does of what quotas add up, by the name of the amount, in whole units. Receives the input after the `input` schema. */
  readonly amounts?: Readonly<Record<string, (input: unknown) => number>>;
  /** Its calls are performed by their callers, where the tool lives; `call` is never called. */
  readonly performs?: 'caller';
  /** A call heeds its `signal`, which then aborts as soon as its task is cancelled. */
  readonly stops?: true;
  /** The result is evidence that the model is not shown. */
  readonly isHidden?: true;
  /** The names that it had in earlier releases, under which open tasks find it. */
  readonly formerly?: readonly string[];
  /** Others wrote its name, its description or its schema: a model that is shown them was shown something untrusted. */
  readonly isForeign?: true;
}
