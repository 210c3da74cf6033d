import type { MessageEnvelope, ReasonCode } from '../../../schema/index.ts';
import { warnOfError } from '../../base/boundary/warn-of-error.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { CharterError, causeOf, isCharterError, type ErrorCode } from '../../base/errors.ts';
import type { Emission } from '../../base/ports/emission.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import type { InboxEntry, TaskSummary } from '../kernel/summary.ts';
import { redactedText, type Redact } from './redact.ts';

/** Which process recorded the cause of an event. */
export interface EventOrigin {
  /**
   * Present if another process of a store with leases did: several processes emit such an event, and that one notifies
   * people.
   */
  readonly isForeign?: true;
}

/** A line for the log of a service. */
export interface LogEntry {
  /** `error`: someone must act. `warn`: someone must act if it happens often. `info`: normal. */
  readonly level: 'info' | 'warn' | 'error';
  /** What happened: a code of an error, `thrown` for one of the host, or one of the others. */
  readonly code: ErrorCode | 'thrown' | LogCode;
  /** Empty for what is about no task. */
  readonly taskId: string;
  readonly message: string;
}

/** What is logged beside errors. */
export type LogCode =
  | ('task_taken' | 'task_lost' | 'task_retried' | 'task_skipped')
  | ('lease_late' | 'draining' | 'closed')
  | ('held_back' | 'paused' | 'resumed');

/**
 * The events of an orchestrator. Chunks are emitted as they arrive, all others after they are recorded.
 *
 * Of tasks that other processes perform, a process emits the events of those that it began, performed or read.
 */
export interface OrchestratorEvents {
  readonly document: Emission & { readonly taskId: string };
  readonly record: LedgerRecord;
  /** A question, or an optional refinement, that a person can answer with feedback on its message. */
  readonly question: InboxEntry & { readonly taskClass: string } & EventOrigin;
  /** A part of a draft that a model streams, or the end of its stream; not recorded (UAICP 4.2). */
  readonly chunk: { readonly taskId: string; readonly envelope: MessageEnvelope };
  readonly settled: TaskSummary & EventOrigin;
  /** Another process changed a task of the store. */
  readonly changed: { readonly taskId: string };
  /**
   * Another process took over a task that this one held, whose lease had passed: its work here is aborted. If it happens
   * often, raise the lease, or give the process more time.
   */
  readonly lost: { readonly taskId: string };
  /**
   * An error outside your calls, but for that of a task that was `lost`: of a store, a listener or a callback. For a callback it is a `CharterError` of code
   * `callback_failed` with the original error as `cause`. A Node.js warning (`AGENTCHARTER_ERROR`) names the first one
   * that no one listens for.
   */
  readonly error: { readonly taskId: string; readonly error: unknown };
  /** A line for the log of a service: what a node takes and loses, and each `error`. */
  readonly log: LogEntry;
}

/** Emits an event. */
export type Emit = <Name extends keyof OrchestratorEvents>(
  name: Name,
  event: OrchestratorEvents[Name],
) => void;

/** An event listener. Its result is ignored; its error or rejection is emitted as `error`. */
export type Listener<Event> = (event: Event) => unknown;

/** Warns of an error that no one listens for. */
const warnOf = ({ taskId, error }: OrchestratorEvents['error']): void => {
  const remedy = "listen with orchestrator.on('error', ...), because no other is shown";
  warnOfError(taskId === '' ? 'the orchestrator' : `task ${taskId}`, remedy, error);
};

/** Returns the line of an event for the log; `null` for none. */
const logOf = (event: OrchestratorEvents[keyof OrchestratorEvents]): LogEntry | null => {
  if (!('error' in event)) return null;
  const { taskId, error } = event;
  const [code, message] = isCharterError(error)
    ? [error.code, error.message]
    : (['thrown', causeOf(error)] as const);
  // another node goes on with such a task
  return { level: code === 'task_fenced' ? 'info' : 'error', code, taskId, message };
};

/**
 * Creates an event emitter. It calls listeners in the order of registration; one that throws does not affect the
 * others. All receive the same frozen event; a thrown error may be the host's and is not frozen.
 */
export const createEvents = () => {
  const listeners = new Map<keyof OrchestratorEvents, Set<Listener<never>>>();
  const of = <Name extends keyof OrchestratorEvents>(name: Name) => {
    const set = listeners.get(name) ?? new Set();
    listeners.set(name, set);
    return set as Set<Listener<OrchestratorEvents[Name]>>; // one set for each name, filled by `on` only
  };
  let hasWarned = false;
  const tell: Emit = (name, event) => {
    const set = listeners.get(name);
    if (set === undefined || set.size === 0) {
      if (!('error' in event) || hasWarned) return;
      hasWarned = true;
      return warnOf(event);
    }
    if (name === 'error') Object.freeze(event);
    else deepFreeze(event);
    for (const listener of of(name)) {
      const notify = async (): Promise<unknown> => listener(event);
      notify().catch((error: unknown) => {
        if (name === 'error') return;
        (name === 'log' ? tell : emit)('error', { taskId: '', error }); // a line about a log that fails would fail too
      });
    }
  };
  const emit: Emit = (name, event) => {
    const line = logOf(event);
    if (line !== null) tell('log', line);
    if (line?.code !== 'task_fenced') tell(name, event); // of a task that is lost, `lost` says it
  };
  const on = <Name extends keyof OrchestratorEvents>(
    name: Name,
    listener: Listener<OrchestratorEvents[Name]>,
  ): (() => void) => {
    of(name).add(listener);
    return () => void of(name).delete(listener);
  };
  return { emit, on };
};

/**
 * Emits an `error` event for a callback that threw or returned an unusable value, with the error as `cause`.
 *
 * `callback` is the public name of the function, such as `policy.decide`; `code` is the task's reason code.
 */
export const emitCallbackFailed = (
  { emit, redact }: { readonly emit: Emit; readonly redact: Redact },
  { taskId }: { readonly taskId: string },
  callback: string,
  code: ReasonCode | null,
  cause: unknown,
): void => {
  const message = `${callback} failed: ${redactedText(redact, causeOf(cause))}`;
  const error = new CharterError('callback_failed', message, { taskId, callback, code }, { cause });
  emit('error', { taskId, error });
};
