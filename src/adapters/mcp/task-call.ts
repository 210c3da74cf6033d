import { unreadFeedback } from '../../base/feedback/feedback.ts';
import { JsonObject, type UpFormatMessage } from '../../../schema/index.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { digest } from '../../base/canonical/digest.ts';
import { isCharterError, type ErrorCode } from '../../base/errors.ts';
import { labelBy } from '../../core/shell/labelled-request.ts';
import type { Submission } from '../../core/shell/submission.ts';
import type { InboxEntry } from '../../core/kernel/summary.ts';
import type { Orchestrator } from '../../core/shell/surface.ts';
import { messageForClient } from '../../guard/agent-reads.ts';
import type { ChildRequest } from '../../base/ports/tool.ts';
import { metaIn, type Caller } from './context.ts';
import { filledIn } from './form.ts';
import type { Halt } from './halt.ts';

/** Options of a call that runs a task. */
export interface TaskCallOptions<Input> {
  readonly name: string;
  readonly taskClass: string;
  /** Returns the request of the task. By default, the arguments are the payload. */
  readonly request?: (input: Input) => ChildRequest;
  /** Returns the authenticated identity of the task. */
  readonly identity: (caller: Caller) => Submission['identity'];
  /**
   * Returns whether the arguments of this client are trusted: a model writes them. Only `true` trusts them. By default they
   * are untrusted.
   */
  readonly trusts?: (caller: Caller) => boolean;
  /** Returns the authenticated person at the client. Without one, the client shows no forms. */
  readonly by?: (caller: Caller) => string | null;
  /** Where else people can answer, such as a console URL. It is part of the `paused` result. */
  readonly answerAt?: string;
}

/** The result of an answer: a note if it was rejected, and whether the client can be asked again. */
export interface AnswerResult {
  readonly note: string;
  readonly mayAskOn: boolean;
}

/** A result of `tools/call` (MCP `CallToolResult`). */
export interface Replied {
  readonly [name: string]: unknown;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
  readonly _meta: Readonly<Record<string, unknown>>;
}

/** Errors after which the person can try again. */
const retryableErrors: readonly ErrorCode[] = [
  'document_invalid',
  'input_unreadable',
  'feedback_refused',
  'key_reused',
];

/** Errors that the client sees in full. Of others it sees only that one occurred. */
const visibleErrors: readonly ErrorCode[] = [...retryableErrors, 'identity_refused', 'not_found', 'closed'];

/** Returns an error for the client: the SDK sends its message. */
export const clientError = (error: unknown): Error =>
  isCharterError(error) && visibleErrors.includes(error.code)
    ? error
    : new Error('An internal error occurred.', { cause: error });

/** Returns the digest of caller, tool and arguments, so that no other caller can continue the call. */
export const sealOf = <Input>(
  { name, identity, by }: TaskCallOptions<Input>,
  input: Input,
  caller: Caller,
): string => digest({ name, identity: identity(caller), by: by?.(caller) ?? null, input });

/** Begins the task of a call, or returns the one with the same key. */
export const begin = async <Input>(
  orchestrator: Orchestrator,
  options: TaskCallOptions<Input>,
  input: Input,
  { caller, meta }: { readonly caller: Caller; readonly meta: unknown },
): Promise<string> => {
  const { key, places } = metaIn(meta);
  const { payload, explanation = '' } = options.request?.(input) ?? {
    payload: parseDocument('arguments', JsonObject, input),
  };
  const identity = options.identity(caller);
  const { name, by } = options;
  const of = { name, identity, by: by?.(caller) ?? null, key };
  const own = key === undefined ? {} : { key: `mcp ${digest(of)}` };
  const label = labelBy(options.trusts?.(caller) === true);
  const { taskClass } = options;
  const submission = { taskClass, payload, explanation, identity, ...label, linkedTraces: places };
  return (await orchestrator.submit(submission, own)).taskId;
};

/** Submits the answer of a form as feedback. A repeated answer counts once. */
export const submitAnswer = async (
  orchestrator: Orchestrator,
  by: string,
  response: unknown,
  messageId: string,
): Promise<AnswerResult> => {
  try {
    const filled = filledIn(response, messageId);
    if (filled === null) return { note: 'No one answered in this client.', mayAskOn: false };
    const { feedback, approval } = filled;
    await orchestrator.respond(unreadFeedback(feedback), {
      by,
      key: 'mcp',
      ...(approval !== undefined && { approval }),
    });
    return { note: '', mayAskOn: true };
  } catch (error) {
    if (!isCharterError(error)) throw error;
    if (error.code !== 'identity_refused' && !retryableErrors.includes(error.code)) throw error;
    return {
      note: `This answer was not accepted: ${error.message}.`,
      mayAskOn: error.code !== 'identity_refused',
    };
  }
};

/** The part of a result that is for programs: the task, its state, and the whole message (UpFormat 4). */
const metaOf = (taskId: string, state: string, message: UpFormatMessage | undefined): Replied['_meta'] => ({
  'agentcharter/task': taskId,
  'agentcharter/state': state,
  'agentcharter/message': message,
});

const reply = (
  _meta: Replied['_meta'],
  outcome: Omit<Replied, '_meta' | 'content'>,
  text: string,
): Replied => ({ content: [{ type: 'text', text }], ...outcome, _meta });

/** Returns the result of a call that waits for a person elsewhere. */
export const paused = async (
  orchestrator: Orchestrator,
  taskId: string,
  entry: InboxEntry,
  { note, answerAt = 'its inbox' }: { readonly note: string; readonly answerAt: string | undefined },
): Promise<Replied> => {
  const message = await messageForClient(orchestrator, taskId, entry);
  const instruction = 'Call again under the same key once it is answered.';
  const text = `Task ${taskId} waits for a person, who answers at ${answerAt}: ${message.explanation} ${instruction} ${note}`;
  return reply(metaOf(taskId, 'needsHumanDecision', message), { isError: true }, text.trim());
};

/** Returns what a task delivered, or its reasons. */
export const ended = (taskId: string, halt: Exclude<Halt, { is: 'asks' }>, note: string): Replied => {
  if (halt.is === 'offered') {
    const { payload, message } = halt;
    const meta = metaOf(taskId, 'followup', message);
    return reply(meta, { structuredContent: payload }, JSON.stringify(payload));
  }
  const { outcome, message } = halt.settled;
  const { state, payload, explanation } = message;
  const text = `${explanation} ${note}`.trim();
  const meta = metaOf(taskId, state, message);
  if (outcome === 'success') return reply(meta, { structuredContent: payload }, text);
  return reply(meta, { structuredContent: payload, isError: true }, text);
};
