import type { ReasonCode } from '../schema/index.ts';
import { oneLine } from './boundary/foreign-text.ts';
import { deepFreeze } from './canonical/deep-freeze.ts';

/** One thing that is wrong with a document: where it is, and what would have been accepted. */
export interface Issue {
  /** JSON Pointer (RFC 6901) into the document; the empty string is the document itself. */
  readonly path: string;
  readonly message: string;
}

/** What each error says beyond its message: identifiers and codes, never a payload or a token. */
export interface ErrorDetails {
  /** A document that does not fit its schema. */
  document_invalid: { readonly document: string; readonly issues: readonly Issue[] };
  /** Bytes that are not read at all: too large, too deep, not JSON, or JSON that two readers would read differently. */
  input_unreadable: { readonly document: string; readonly path: string; readonly reason: string };
  /**
   * A foreign server that costs more than its budget: nothing of what it sent was used. `limit` is the option of the budget,
   * `sent` is `null` if nobody measured how much came.
   */
  budget_exceeded: {
    readonly party: string;
    readonly limit: string;
    readonly allowed: number;
    readonly sent: number | null;
  };
  /** What a schema, or other code of the host's, gave in place of JSON: a Date, a Map, `undefined`; `value` says which. */
  value_not_json: { readonly value: string; readonly path: string; readonly reason: string };
  /** A fact that the chart does not take in its present state; nothing was recorded. */
  fact_refused: {
    readonly taskId: string;
    readonly fact: string;
    readonly state: string;
    readonly accepts: readonly string[];
  };
  /** A fact that only the orchestrator itself may state, or an event of XState's own. */
  fact_not_yours: { readonly fact: string; readonly accepts: readonly string[] };
  /** Feedback that does not answer the question that it names; the question stays open. */
  feedback_refused: {
    readonly taskId: string;
    readonly question: string;
    readonly reason: string;
    /** Why an approval does not count. */
    readonly code: ReasonCode | null;
    readonly accepts: readonly string[];
  };
  /** Feedback that cannot be applied to its target; `path` is a JSON Pointer into the feedback. */
  feedback_inapplicable: { readonly path: string; readonly reason: string };
  /** Somebody who may not answer this question. */
  identity_refused: { readonly taskId: string; readonly question: string; readonly identity: string };
  /** An address that the card of a remote agent or a redirect leads to, and that the host did not name: nothing was sent there. */
  address_refused: { readonly agent: string; readonly origin: string; readonly accepts: readonly string[] };
  /** What a remote agent answered, and that is not of the conversation of the call: it is not used. `field` is what names another. */
  reply_refused: { readonly agent: string; readonly field: 'taskId' | 'contextId' };
  /** A message that no task here waits for. */
  message_refused: { readonly messageId: string; readonly reason: string };
  /** An identifier that names nothing here. */
  not_found: { readonly kind: string; readonly id: string; readonly known: readonly string[] };
  /** A definition that cannot work: an unknown name or key, a value of the wrong kind, two tools of one name. */
  definition_invalid: { readonly definition: string; readonly issues: readonly Issue[] };
  /** A task that moved while a step was being recorded. */
  store_conflict: { readonly taskId: string; readonly expected: number; readonly actual: number };
  /** A store that broke: the record was not taken, so that nothing has happened. */
  store_failed: { readonly taskId: string; readonly seq: number };
  /** A store whose tasks another orchestrator looks after, or took over: one at a time performs what they owe. */
  store_owned: { readonly store: string };
  /** A store that cannot be opened, read or written: no such file, read-only, full, corrupted, of another layout. */
  store_unusable: { readonly store: string; readonly reason: string };
  /** A stored task that is not what was recorded: its ledger, its snapshot or its documents were changed. */
  task_corrupted: { readonly taskId: string; readonly seq: number; readonly reason: string };
  /**
   * A task under another version of the chart that was not carried over to this one. `obstacle` is the first record that
   * this version does not accept, and why; `null` if the task was not tried.
   */
  chart_unknown: {
    readonly taskId: string;
    readonly version: string;
    readonly known: readonly string[];
    readonly obstacle: { readonly seq: number; readonly code: string; readonly message: string } | null;
  };
  /** A key that was sent before, with something else: a key stands for one submission or one answer. */
  key_reused: { readonly key: string; readonly taskId: string };
  /** An approval that another action has used up: the effect was not begun. */
  approval_spent: { readonly taskId: string; readonly jtis: readonly string[] };
  /** A task that still needs its documents: they can be erased once it is settled. */
  task_unsettled: { readonly taskId: string; readonly state: string };
  /** A chunk that is not the next of its stream, or may not be streamed; `expected` is the index that is taken, if any. */
  chunk_refused: {
    readonly taskId: string | null;
    readonly index: number | null;
    readonly expected: number | null;
    readonly reason: string;
  };
  /** A chart that has more states than the limit of its exploration: something in its context grows. */
  chart_unbounded: { readonly machine: string; readonly limit: number; readonly state: string };
  /** A chart whose states cannot be told apart: its context holds what is not plain data, at this path. */
  chart_unreadable: { readonly machine: string; readonly path: string; readonly reason: string };
  /** A chart whose guard or action threw; `events` are the shortest way there, the last one included. */
  chart_broken: { readonly machine: string; readonly events: readonly string[]; readonly state: string };
  /** A way that is no way: the chart refuses this event where the ones before it led. */
  chart_refuses: {
    readonly machine: string;
    readonly event: string;
    readonly state: string;
    readonly at: number;
  };
  /** A function of yours that threw, or returned what cannot be used. `code` is the reason that the task gets for it, `null` if the task goes on without it. */
  callback_failed: { readonly taskId: string; readonly callback: string; readonly code: ReasonCode | null };
  /** A call after `close`. */
  closed: { readonly operation: string };
}

/** What went wrong, as a name for programs; `ErrorDetails` says of each what it means. */
export type ErrorCode = keyof ErrorDetails;

const brand = Symbol.for('agentcharter.CharterError');

/** The one error that this library throws: a caller's mistake or a broken dependency, never a rule that says no. */
export class CharterError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'CharterError';
  readonly [brand] = true;
  readonly code: Code;
  readonly details: ErrorDetails[Code];

  constructor(code: Code, message: string, details: ErrorDetails[Code], options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = deepFreeze(details);
  }
}

/** Whether a caught value is a `CharterError`, optionally of one code; true across duplicate copies of this library. */
export const isCharterError = <Code extends ErrorCode = ErrorCode>(
  value: unknown,
  code?: Code,
): value is CharterError<Code> =>
  typeof value === 'object' &&
  value !== null &&
  brand in value &&
  'code' in value &&
  (code === undefined || value.code === code);

/** Every code: what only says that it is an error of ours may have any other. */
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
  not_found: true,
  definition_invalid: true,
  store_conflict: true,
  store_failed: true,
  store_owned: true,
  store_unusable: true,
  task_corrupted: true,
  chart_unknown: true,
  key_reused: true,
  approval_spent: true,
  task_unsettled: true,
  chunk_refused: true,
  chart_unbounded: true,
  chart_unreadable: true,
  chart_broken: true,
  chart_refuses: true,
  callback_failed: true,
  address_refused: true,
  budget_exceeded: true,
  reply_refused: true,
  closed: true,
};

/** The code of an error of ours; `thrown` for everything else, so that nothing of what it says is repeated. */
export const thrownCode = (error: unknown): ErrorCode | 'thrown' => {
  try {
    if (isCharterError(error)) {
      const { code } = error; // read once
      if (Object.hasOwn(codes, code)) return code;
    }
  } catch {
    // an error that cannot be read is none of ours
  }
  return 'thrown';
};

const nameAndMessage = (error: unknown): string => {
  try {
    if (error instanceof Error) return `${error.name}: ${error.message}`;
  } catch {
    // an error that cannot be read is none
  }
  return 'it threw what is not an error';
};

/** What is said of a dependency that threw: its name and message, on one line, without its stack; every character shows. */
export const causeOf = (error: unknown): string =>
  oneLine(
    nameAndMessage(error)
      .slice(0, 500)
      .replaceAll(/\s+/gu, ' ')
      .replaceAll(/\p{Surrogate}/gu, '\ufffd'),
  );
