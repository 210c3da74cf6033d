import type { MessageEnvelope, ReasonCode } from '../../schema/index.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { CharterError, causeOf } from '../errors.ts';
import type { Emission } from '../ports/emission.ts';
import type { LedgerRecord } from '../ports/ledger.ts';
import { redactedText, type Redact } from './redact.ts';
import type { InboxEntry } from './summary.ts';

/** What an orchestrator tells those who listen: chunks as they come, all else after it is recorded. */
export interface OrchestratorEvents {
  readonly document: Emission & { readonly taskId: string };
  readonly record: LedgerRecord;
  /** A question, or an optional refinement, that a person may answer by feedback on its message. */
  readonly question: InboxEntry;
  /** A part of a draft that a model streams, or the end of its stream: shown, not recorded (UAICP 4.2). */
  readonly chunk: { readonly taskId: string; readonly envelope: MessageEnvelope };
  readonly settled: { readonly taskId: string };
  /**
   * Something broke outside any call of yours: a store, a listener, or a function that you supplied. A function that failed is a
   * `CharterError` of code `callback_failed` whose `cause` is the original error.
   */
  readonly error: { readonly taskId: string; readonly error: unknown };
}

/** Tells those who listen. */
export type Emit = <Name extends keyof OrchestratorEvents>(
  name: Name,
  event: OrchestratorEvents[Name],
) => void;

/** What it returns is awaited and dropped; what it throws or rejects with is told as an `error`. */
export type Listener<Event> = (event: Event) => unknown;

/**
 * Tells listeners in the order in which they came; one that throws is told of, and disturbs nobody else. All are handed
 * the same frozen event; what was thrown may be the host's, and is not frozen.
 */
export const createEvents = () => {
  const listeners = new Map<keyof OrchestratorEvents, Set<Listener<never>>>();
  const of = <Name extends keyof OrchestratorEvents>(name: Name) => {
    const set = listeners.get(name) ?? new Set();
    listeners.set(name, set);
    return set as Set<Listener<OrchestratorEvents[Name]>>; // one set a name, filled by `on` alone
  };
  const emit: Emit = (name, event) => {
    if (name === 'error') Object.freeze(event);
    else deepFreeze(event);
    for (const listener of of(name)) {
      const notify = async (): Promise<unknown> => listener(event);
      notify().catch((error: unknown) => {
        if (name !== 'error') emit('error', { taskId: '', error });
      });
    }
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
 * Emits an `error` event for a function of the host that threw, or returned what cannot be used, with the error as `cause`.
 *
 * `callback` names the function as its author does, such as `policy.decide`; `code` is the reason that the task gets.
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
