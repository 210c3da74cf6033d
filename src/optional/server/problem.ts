import * as z from 'zod';
import { ReasonCode } from '../../../schema/index.ts';
import { isCharterError, type CharterError, type ErrorCode } from '../../base/errors.ts';

/** Why a request was refused or failed (RFC 9457). It quotes nothing of the request. */
export const Problem = z.object({
  /** `urn:agentcharter:problem:` and the code. */
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  /** Why an approval is invalid. */
  reason: ReasonCode.optional(),
  /** The issues of a document, each with a JSON Pointer. */
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  /** The interrupts that were not answered, or whose answer was refused. */
  interrupts: z.array(z.object({ id: z.string(), code: z.string(), detail: z.string() })).optional(),
});
export type Problem = z.infer<typeof Problem>;

/** The status and title of each error that a request can cause. Every other error is internal. */
const refusals = {
  document_invalid: [422, 'The document does not match its schema.'],
  input_unreadable: [400, 'The request cannot be read.'],
  feedback_refused: [422, 'The answer was refused.'],
  feedback_inapplicable: [422, 'The feedback cannot be applied to its target.'],
  identity_refused: [403, 'This caller is not allowed to do this.'],
  message_refused: [409, 'No task waits for this message.'],
  thread_refused: [403, 'The thread belongs to another owner.'],
  fact_refused: [409, 'The run does not accept this in its current state.'],
  key_reused: [422, 'This idempotency key was used for another request.'],
  not_found: [404, 'Not found, or not visible to this caller.'],
  closed: [503, 'The orchestrator is closed.'],
} as const satisfies Partial<Record<ErrorCode, readonly [number, string]>>;

/** Errors of a request that precede its content. */
const mistakes = {
  unauthenticated: [401, 'The caller is not authenticated.'],
  header_doubled: [400, 'A header that must occur once occurs twice.'],
  host_refused: [403, 'This host name is not allowed.'],
  origin_refused: [403, 'Requests from this origin are not allowed.'],
  method_refused: [405, 'This path does not support this method.'],
  body_too_large: [413, 'The body is too large.'],
  media_refused: [415, 'The body is not JSON, or it is encoded.'],
  interrupts_open: [422, 'Not every interrupt is answered.'],
  read_only: [403, 'This console is read-only.'],
  broken: [500, 'Internal error.'],
} as const;

const meanings = { ...refusals, ...mistakes };
export type ProblemCode = keyof typeof meanings;

type More = Pick<Problem, 'reason' | 'errors' | 'interrupts'>;

/** Answers with a JSON document. */
export const json = (
  value: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

/** Answers with plain text. */
export const text = (status: number, body: string): Response =>
  new Response(body, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });

/** Returns the HTTP status of a problem. */
export const statusOf = (code: ProblemCode): number => meanings[code][0];

/** Answers with a problem. */
export const problem = (
  code: ProblemCode,
  detail: string,
  more: More = {},
  headers: Readonly<Record<string, string>> = {},
): Response => {
  const [status, title] = meanings[code];
  const type = `urn:agentcharter:problem:${code}`;
  const body = { type, title, status, detail, code, ...more } satisfies Problem;
  return json(body, { status, headers: { 'content-type': 'application/problem+json', ...headers } });
};

/** Returns whether the caller caused an error. */
export const isRefusal = (error: unknown): error is CharterError<keyof typeof refusals> =>
  isCharterError(error) && Object.hasOwn(refusals, error.code);

const moreOf = (error: CharterError): More => {
  if (isCharterError(error, 'feedback_refused'))
    return error.details.code === null ? {} : { reason: error.details.code };
  if (isCharterError(error, 'document_invalid'))
    return { errors: error.details.issues.map(({ path, message }) => ({ pointer: path, detail: message })) };
  return {};
};

/** Answers with an error of the caller. Hides the details of other errors, and passes them to `onError`. */
export const problemOf = (error: unknown, onError: (error: unknown) => void): Response => {
  if (isCharterError(error, 'feedback_refused'))
    return problem(error.code, error.details.reason, moreOf(error));
  if (isRefusal(error)) return problem(error.code, error.message, moreOf(error));
  onError(error);
  return problem('broken', 'An internal error occurred. The host has its details.');
};

/** Answers that nothing of this kind is visible to this caller. */
export const missing = (what: string): Response => problem('not_found', `There is no such ${what}.`);
