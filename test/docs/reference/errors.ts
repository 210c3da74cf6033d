import type { ErrorCode, ErrorDetails } from '../../../src/base/errors.ts';
import { code, codes, list, page } from './markdown.ts';

/** The cause and the remedy of each code, and what it tells a program; a new code or detail does not compile until it stands here. */
const errors: {
  readonly [Code in ErrorCode]: readonly [
    cause: string,
    remedy: string,
    details: Readonly<Record<keyof ErrorDetails[Code], true>>,
  ];
} = {
  document_invalid: [
    'A value does not fit its schema; the message names the field. Emitted as an `error` event for an output that the model could not correct.',
    'Correct the named field.',
    { document: true, issues: true },
  ],
  input_unreadable: [
    'Bytes are too large, nested too deeply, not JSON, ambiguous JSON, or their seal is wrong.',
    'Send what the message names as accepted.',
    { document: true, path: true, reason: true },
  ],
  budget_exceeded: [
    'A foreign server sent more than its budget allows. Nothing of it was used.',
    'Raise the option in `limit`, or ask for less.',
    { party: true, limit: true, allowed: true, sent: true },
  ],
  value_not_json: [
    'Your code returned a value that is not JSON; `path` says where.',
    'Return what the message names.',
    { value: true, path: true, reason: true },
  ],
  fact_refused: [
    'The state machine does not accept this fact in its current state. Only the refusal was recorded.',
    'Read `progress`, and send a fact of `accepts`.',
    { taskId: true, fact: true, state: true, accepts: true },
  ],
  fact_not_yours: [
    'Only the orchestrator may send this fact.',
    'Send a fact of `accepts`.',
    { fact: true, accepts: true },
  ],
  feedback_refused: [
    'The feedback does not answer its question. The question stays open, or was answered before.',
    'Send a type of `accepts`, for the message of an open question.',
    { taskId: true, question: true, reason: true, code: true, accepts: true },
  ],
  feedback_inapplicable: [
    'An edit or a ranking does not apply to its target; `path` points into the feedback.',
    'Read the target again, and correct the edit.',
    { path: true, reason: true },
  ],
  identity_refused: [
    'This person or system may not answer this question.',
    'Let someone else answer, or change `mayRespond` or the task class.',
    { taskId: true, question: true, identity: true },
  ],
  address_refused: [
    'A remote agent uses an origin that you did not allow.',
    'Add the origin if you trust it.',
    { agent: true, origin: true, accepts: true },
  ],
  reply_refused: [
    'A remote agent answered for another conversation. The reply is ignored.',
    'Tell the operator of the agent.',
    { agent: true, field: true },
  ],
  message_refused: [
    'No task of the thread hears this sender, or the `messageId` is taken.',
    'Check thread, agent and owner; use a new `messageId`.',
    { messageId: true, reason: true },
  ],
  thread_refused: [
    'The thread belongs to another owner.',
    'Omit `threadId` to begin a new thread.',
    { threadId: true, owner: true },
  ],
  task_pruned: [
    'The task settled, and was removed for good.',
    'Read its archive; its last hash is `head`. Use a new key for new work.',
    { taskId: true, head: true, size: true, prunedAt: true },
  ],
  quota_exceeded: [
    'A quota over many tasks is full: so many may be open, and are.',
    'Submit again, with the same key, when others have ended; or raise the quota in all processes.',
    { used: true, most: true },
  ],
  not_found: [
    'The identifier is unknown here.',
    'Use one of `known`, or open the right store.',
    { kind: true, id: true, known: true },
  ],
  definition_invalid: [
    'A definition or an option has an unknown name or key, or a value of the wrong kind.',
    'Correct what each of `issues` names.',
    { definition: true, issues: true },
  ],
  store_conflict: [
    'The task moved on while a step was recorded.',
    'Read it again, then repeat.',
    { taskId: true, expected: true, actual: true },
  ],
  store_failed: [
    'The store failed; its error is the `cause`. Nothing was recorded, unless the answer of the store was lost.',
    'Repair the store, then repeat; with a `key`, it happens once.',
    { taskId: true, seq: true },
  ],
  store_owned: [
    'Another orchestrator owns this store.',
    "Close it, or open the store with `role: 'guest'`.",
    { store: true },
  ],
  task_fenced: [
    'Another process took over this task, after the lease of this one had passed. Nothing was written.',
    'Do nothing more for the task here. If it happens often, raise the lease, or give the process more time.',
    { taskId: true, fence: true },
  ],
  task_held: [
    'Another process performs this task, for a run that this one resumed. Nothing happened.',
    'Go on with the run there, or resume it here when it has paused: [several machines](../embed/cluster.md).',
    { taskId: true },
  ],
  store_unusable: [
    'The store cannot be opened, read or written: `reason` says why.',
    'Follow the message: a path, rights, disk space, or a newer library.',
    { store: true, reason: true },
  ],
  task_corrupted: [
    'The stored task differs from what was recorded. It does not continue.',
    'Run `agentcharter ledger verify`, and restore a backup.',
    { taskId: true, seq: true, reason: true },
  ],
  chart_unknown: [
    'The task runs under another version of the state machine, and was not carried over.',
    'Read it, cancel it, or begin it again: [upgrading](../upgrading.md).',
    { taskId: true, version: true, known: true, obstacle: true },
  ],
  key_reused: [
    'The key was sent before with other content.',
    'Use a new key for another submission or answer.',
    { key: true, taskId: true },
  ],
  task_unsettled: [
    'The documents of an open task cannot be erased.',
    'Wait until it is settled, or cancel it.',
    { taskId: true, state: true },
  ],
  chunk_refused: [
    'The chunk is not the next of its stream, or may not be streamed.',
    'Send the chunk of index `expected`, or none.',
    { taskId: true, index: true, expected: true, reason: true },
  ],
  chart_unbounded: [
    'An explored chart has more states than `limit`: its context grows.',
    'Bound the context, or raise `limit`.',
    { machine: true, limit: true, state: true },
  ],
  chart_unreadable: [
    'The context of an explored chart is not plain data, so its states cannot be compared.',
    'Keep plain data in the context.',
    { machine: true, path: true, reason: true },
  ],
  chart_broken: [
    'A guard or an action of an explored chart threw; `events` is a shortest run to it.',
    'Replay `events`, and correct it.',
    { machine: true, events: true, state: true },
  ],
  chart_refuses: [
    'An explored chart refuses an event that was to come first.',
    'Give events that it accepts.',
    { machine: true, event: true, state: true, at: true },
  ],
  callback_failed: [
    'A function of yours threw or returned an unusable value. Emitted as an `error` event; the original error is the `cause`.',
    'Read `cause` and its stack; `callback` names the function.',
    { taskId: true, callback: true, code: true },
  ],
  closed: ['The orchestrator was closed before this call.', 'Create a new one.', { operation: true }],
};

export const errorCodes = Object.keys(errors) as ErrorCode[];

export const errorsPage = (): string =>
  page(
    'Errors',
    'Look up an error by its `code`: the names in its `details`, the cause, and _what to do_. The library throws one class, `CharterError`, for a mistake of the caller or a broken dependency. A refusal by a rule has a [reason code](reason-codes.md); a failed tool is a [fact](facts.md). If Node.js throws `ERR_MODULE_NOT_FOUND` for a package that `agentcharter` imports, install it: the page of each [way in](../start.md) says which.',
    list(
      errorCodes.map((name) => {
        const [cause, remedy, details] = errors[name];
        return [`${code(name)} (${codes(Object.keys(details))})`, `${cause} _${remedy}_`];
      }),
    ),
  );
