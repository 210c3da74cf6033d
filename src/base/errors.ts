import type { ReasonCode } from '../../schema/index.ts';
import { oneLine } from './text/foreign-text.ts';

/** A problem in a document: its location and what is accepted. */
export interface Issue {
  /** JSON Pointer (RFC 6901) into the document; the empty string is the document itself. */
  readonly path: string;
  readonly message: string;
}

/** The details of each error: identifiers and codes, never a payload or a token. */
export interface ErrorDetails {
  /** A document that does not fit its schema. */
  document_invalid: { readonly document: string; readonly issues: readonly Issue[] };
  /** Input that is too large, too deep, not JSON, or JSON that two parsers would read differently. */
  input_unreadable: { readonly document: string; readonly path: string; readonly reason: string };
  /**
   * A foreign server that exceeds its budget; nothing that it sent was used. `limit` is the budget's option; `sent`
   * is `null` if the amount was not measured.
   */
  budget_exceeded: {
    readonly party: string;
    readonly limit: string;
    readonly allowed: number;
    readonly sent: number | null;
  };
  /** A value of the host's code that is not JSON, such as a Date, a Map or `undefined`; `value` names it. */
  value_not_json: { readonly value: string; readonly path: string; readonly reason: string };
  /** A fact that the chart does not accept in its current state; only the refusal was recorded. `accepts` are those that you may send now. */
  fact_refused: {
    readonly taskId: string;
    readonly fact: string;
    readonly state: string;
    readonly accepts: readonly string[];
  };
  /** A fact that only the orchestrator may submit, or an internal event of XState. */
  fact_not_yours: { readonly fact: string; readonly accepts: readonly string[] };
  /** Feedback that does not answer its question; the question stays open. */
  feedback_refused: {
    readonly taskId: string;
    readonly question: string;
    readonly reason: string;
    /** Why an approval was rejected. */
    readonly code: ReasonCode | null;
    readonly accepts: readonly string[];
  };
  /** Feedback that cannot be applied to its target; `path` is a JSON Pointer into the feedback. */
  feedback_inapplicable: { readonly path: string; readonly reason: string };
  /** A person who may not answer this question. */
  identity_refused: { readonly taskId: string; readonly question: string; readonly identity: string };
  /** An address in a remote agent's card, or of a redirect, that the host did not permit; nothing was sent there. */
  address_refused: { readonly agent: string; readonly origin: string; readonly accepts: readonly string[] };
  /**
   * A reply of a remote agent that belongs to another conversation; it is not used. `field` is the mismatching
   * field.
   */
  reply_refused: { readonly agent: string; readonly field: 'taskId' | 'contextId' };
  /** A message that no task here waits for. */
  message_refused: { readonly messageId: string; readonly reason: string };
  /** A request that names a thread of another owner, or one that was pruned; it did not begin. */
  thread_refused: { readonly threadId: string; readonly owner: string };
  /** An unknown identifier. */
  not_found: { readonly kind: string; readonly id: string; readonly known: readonly string[] };
  /** An unusable definition: an unknown name or key, a value of the wrong kind, or two tools of one name. */
  definition_invalid: { readonly definition: string; readonly issues: readonly Issue[] };
  /** A task that changed while a step was being recorded. */
  store_conflict: { readonly taskId: string; readonly expected: number; readonly actual: number };
  /** A store that failed: the record was not written, unless its answer was lost. */
  store_failed: { readonly taskId: string; readonly seq: number };
  /** A store that another orchestrator owns, or has taken over; only one performs its duties at a time. */
  store_owned: { readonly store: string };
  /** A step of a task that this process no longer holds; nothing was written. `fence` is that of its former hold. */
  task_fenced: { readonly taskId: string; readonly fence: number };
  /** A turn of an agent, in a task that another process performs. */
  task_held: { readonly taskId: string };
  /** A store that cannot be opened, read or written: missing, read-only, full, corrupted, or of another layout. */
  store_unusable: { readonly store: string; readonly reason: string };
  /** A stored task that differs from its record: its ledger, snapshot or documents were changed. */
  task_corrupted: { readonly taskId: string; readonly seq: number; readonly reason: string };
  /**
   * A task under another version of the chart that could not be carried over. `obstacle` is the first record that
   * this version does not accept, and why; `null` if no attempt was made.
   */
  chart_unknown: {
    readonly taskId: string;
    readonly version: string;
    readonly known: readonly string[];
    readonly obstacle: { readonly seq: number; readonly code: string; readonly message: string } | null;
  };
  /** A key that was already used for a different submission or answer. */
  key_reused: { readonly key: string; readonly taskId: string };
  /** A task that was removed for good after it had settled: its size, the hash of its last record, and when (milliseconds since 1970). */
  task_pruned: {
    readonly taskId: string;
    readonly head: string;
    readonly size: number;
    readonly prunedAt: number;
  };
  /** A task that still needs its documents; erase them after it has settled. */
  task_unsettled: { readonly taskId: string; readonly state: string };
  /** A chunk that is out of order or may not be streamed; `expected` is the next index, if any. */
  chunk_refused: {
    readonly taskId: string | null;
    readonly index: number | null;
    readonly expected: number | null;
    readonly reason: string;
  };
  /** A chart that has more states than the limit of its exploration; a value in its context grows. */
  chart_unbounded: { readonly machine: string; readonly limit: number; readonly state: string };
  /** A chart whose states cannot be compared: its context holds something other than plain data at this path. */
  chart_unreadable: { readonly machine: string; readonly path: string; readonly reason: string };
  /** A chart whose guard or action threw; `events` is the shortest path there, including the last event. */
  chart_broken: { readonly machine: string; readonly events: readonly string[]; readonly state: string };
  /** A path that the chart does not accept: it refuses this event after the previous ones. */
  chart_refuses: {
    readonly machine: string;
    readonly event: string;
    readonly state: string;
    readonly at: number;
  };
  /**
   * A callback that threw, returned an unusable value, or is not called because it ended its process too often. `code` is
   * the task's reason code; `null` if the task continues without it.
   */
  callback_failed: { readonly taskId: string; readonly callback: string; readonly code: ReasonCode | null };
  /** A task that did not begin: a quota over many tasks is full. */
  quota_exceeded: { readonly used: number; readonly most: number };
  /** A call after `close`. */
  closed: { readonly operation: string };
}

/** The code of an error; see `ErrorDetails` for each. */
export type ErrorCode = keyof ErrorDetails;

/** Freezes details deeply, but for what is no plain data: they may share arrays with the engine. */
const frozen = <Value>(value: Value): Value => {
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
};

const brand = Symbol.for('agentcharter.CharterError');

/**
 * The error class of this library. It reports a caller's mistake or a broken dependency, never a refusal by a rule.
 */
export class CharterError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'CharterError';
  readonly [brand] = true;
  readonly code: Code;
  readonly details: ErrorDetails[Code];

  constructor(code: Code, message: string, details: ErrorDetails[Code], options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = frozen(details);
  }
}

/**
 * Returns whether a caught value is a `CharterError`, optionally of one code; also across duplicate copies of this
 * library.
 */
export const isCharterError = <Code extends ErrorCode = ErrorCode>(
  value: unknown,
  code?: Code,
): value is CharterError<Code> =>
  typeof value === 'object' &&
  value !== null &&
  brand in value &&
  'code' in value &&
  (code === undefined || value.code === code);

/** Every code. A foreign object with the same brand could have another. */
const codes: Readonly<Record<ErrorCode, true>> = {
  document_invalid: true,
  input_unreadable: true,
  value_not_json: true,
  fact_refused: true,
  fact_not_yours: true,
  feedback_refused: true,
  feedback_inapplicable: true,
  identity_refused: true,
  message_refused: true,
  thread_refused: true,
  not_found: true,
  definition_invalid: true,
  store_conflict: true,
  store_failed: true,
  store_owned: true,
  task_fenced: true,
  task_held: true,
  store_unusable: true,
  task_corrupted: true,
  chart_unknown: true,
  key_reused: true,
  task_unsettled: true,
  task_pruned: true,
  chunk_refused: true,
  chart_unbounded: true,
  chart_unreadable: true,
  chart_broken: true,
  chart_refuses: true,
  callback_failed: true,
  address_refused: true,
  budget_exceeded: true,
  reply_refused: true,
  quota_exceeded: true,
  closed: true,
};

/** Returns the code of a `CharterError`; `thrown` for any other error, so that its text is not repeated. */
export const thrownCode = (error: unknown): ErrorCode | 'thrown' => {
  try {
    if (isCharterError(error)) {
      const { code } = error; // read once
      if (Object.hasOwn(codes, code)) return code;
    }
  } catch {
    // an unreadable error is not one of ours
  }
  return 'thrown';
};

const messageIn = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
    ? value.message
    : undefined;

const nameAndMessage = (error: unknown): string => {
  try {
    if (error instanceof Error) return `${error.name}: ${error.message}`;
    if (typeof error === 'string' && error !== '') return error;
    const isHolder = typeof error === 'object' && error !== null && 'error' in error; // as SDKs nest it
    const message = messageIn(error) ?? (isHolder ? messageIn(error.error) : undefined);
    if (message !== undefined) return message;
  } catch {
    // an unreadable error says nothing
  }
  return 'it threw a value that is not an Error';
};

/** Returns the name and message of an error on one line, without its stack. Invisible characters are escaped. */
export const causeOf = (error: unknown): string =>
  oneLine(
    nameAndMessage(error)
      .slice(0, 500)
      .replaceAll(/\s+/gu, ' ')
      .replaceAll(/\p{Surrogate}/gu, '\ufffd'),
  );
