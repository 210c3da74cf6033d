import type { ErrorCode, ErrorDetails } from '../../../src/errors.ts';
import { code, codes, page, table } from './markdown.ts';

/** Each code in one line, and what it tells a program; a new code or detail does not compile until it stands here. */
const meanings: {
  readonly [Code in ErrorCode]: readonly [
    meaning: string,
    details: Readonly<Record<keyof ErrorDetails[Code], true>>,
  ];
} = {
  document_invalid: ['A document does not fit its schema.', { document: true, issues: true }],
  input_unreadable: [
    'Bytes are too large, too deep, not JSON, or JSON that two readers would read differently.',
    { document: true, path: true, reason: true },
  ],
  budget_exceeded: [
    'A foreign server costs more than its budget: nothing of what it sent was used. `limit` is the option of the budget.',
    { party: true, limit: true, allowed: true, sent: true },
  ],
  value_not_json: [
    'A schema, a tool or other code of yours returned a value that is not JSON; `path` says where, the message what to return instead.',
    { value: true, path: true, reason: true },
  ],
  fact_refused: [
    'The chart does not take this fact in its present state; nothing was recorded.',
    { taskId: true, fact: true, state: true, accepts: true },
  ],
  fact_not_yours: [
    'Only the orchestrator itself may state this fact, or it is an event of XState itself.',
    { fact: true, accepts: true },
  ],
  feedback_refused: [
    'The feedback does not answer the question that it names; the question stays open.',
    { taskId: true, question: true, reason: true, code: true, accepts: true },
  ],
  feedback_inapplicable: [
    'The feedback cannot be applied to its target; `path` is a JSON Pointer into the feedback.',
    { path: true, reason: true },
  ],
  identity_refused: [
    'This person or system may not answer this question.',
    { taskId: true, question: true, identity: true },
  ],
  address_refused: [
    'A remote agent leads to an address that the host did not name.',
    { agent: true, origin: true, accepts: true },
  ],
  reply_refused: [
    'A remote agent answered with what is of another conversation: it is not used.',
    { agent: true, field: true },
  ],
  message_refused: ['No task here waits for this message.', { messageId: true, reason: true }],
  not_found: ['The identifier names nothing here.', { kind: true, id: true, known: true }],
  definition_invalid: [
    'A definition cannot work: an unknown name or key, a value of the wrong kind, two tools of one name.',
    { definition: true, issues: true },
  ],
  store_conflict: [
    'The task moved while a step was being recorded; read it again.',
    { taskId: true, expected: true, actual: true },
  ],
  store_failed: [
    'The store broke, and its error is the cause: the record was not taken, so that nothing has happened.',
    { taskId: true, seq: true },
  ],
  store_owned: [
    'Another orchestrator looks after the tasks of this store; one at a time performs what they owe.',
    { store: true },
  ],
  store_unusable: [
    'The store cannot be opened, read or written: no such file, read-only, full, corrupted, or of another layout.',
    { store: true, reason: true },
  ],
  task_corrupted: [
    'The stored task is not what was recorded: its ledger, its snapshot or its documents were changed, and it does not go on.',
    { taskId: true, seq: true, reason: true },
  ],
  chart_unknown: [
    'The task is under another version of the chart, and was not carried over to this one. It can be read, ended and begun anew.',
    { taskId: true, version: true, known: true, obstacle: true },
  ],
  key_reused: [
    'The key was sent before with something else: it stands for one submission or one answer.',
    { key: true, taskId: true },
  ],
  approval_spent: [
    'Another action has used the approval up: the effect was not begun.',
    { taskId: true, jtis: true },
  ],
  task_unsettled: [
    'The task still needs its documents; they can be erased once it is settled.',
    { taskId: true, state: true },
  ],
  chunk_refused: [
    'The chunk is not the next of its stream, or may not be streamed; `expected` is the index that is taken, if any.',
    { taskId: true, index: true, expected: true, reason: true },
  ],
  chart_unbounded: [
    'An explored chart has more states than its limit: something in its context grows.',
    { machine: true, limit: true, state: true },
  ],
  chart_unreadable: [
    'The states of an explored chart cannot be told apart: its context holds what is not plain data.',
    { machine: true, path: true, reason: true },
  ],
  chart_broken: [
    'A guard or an action of an explored chart threw; the events are a shortest way there.',
    { machine: true, events: true, state: true },
  ],
  chart_refuses: [
    'An event that was to come first is refused by the chart that is to be explored.',
    { machine: true, event: true, state: true, at: true },
  ],
  callback_failed: [
    'A function that you supplied threw, or returned what cannot be used; `cause` is the original error. Emitted as an `error` event.',
    { taskId: true, callback: true, code: true },
  ],
  closed: ['The orchestrator was closed before this call.', { operation: true }],
};

export const errorCodes = Object.keys(meanings) as ErrorCode[];

export const errorsPage = (): string =>
  page(
    'Errors',
    'Look up an error by its `code`. The library throws one class, `CharterError`, for a mistake of the caller or a broken dependency. A refusal by a rule is a [reason code](reason-codes.md), a failed tool a [fact](facts.md).',
    table(
      ['code', 'meaning', 'details'],
      errorCodes.map((name) => [code(name), meanings[name][0], codes(Object.keys(meanings[name][1]))]),
    ),
  );
