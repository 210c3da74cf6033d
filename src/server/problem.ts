import * as z from 'zod';
import { ReasonCode } from '../../schema/index.ts';
import { isCharterError, type CharterError, type ErrorCode } from '../errors.ts';

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
  document_invalid: [422, 'It does not fit its schema.'],
  input_unreadable: [400, 'It cannot be read as JSON that every reader reads the same.'],
  feedback_refused: [422, 'It does not answer the question, which stays open.'],
  feedback_inapplicable: [422, 'It cannot be applied to what it is about.'],
  identity_refused: [403, 'This caller may not do that.'],
  message_refused: [409, 'No task waits for this message.'],
  fact_refused: [409, 'The run does not take this now.'],
  key_reused: [422, 'This key was sent before, with something else.'],
  not_found: [404, 'There is no such thing for this caller.'],
  closed: [503, 'The orchestrator is closed.'],
} as const satisfies Partial<Record<ErrorCode, readonly [number, string]>>;

/** Errors of a request that precede its content. */
const mistakes = {
  unauthenticated: [401, 'The host does not know whose request this is.'],
  header_doubled: [400, 'A header that counts once stands there twice.'],
  host_refused: [403, 'This host is not served.'],
  origin_refused: [403, 'A page of another origin may not ask that.'],
  method_refused: [405, 'This place does not take this method.'],
  body_too_large: [413, 'It has too many bytes.'],
  media_refused: [415, 'It is not JSON, or is encoded.'],
  interrupts_open: [422, 'Not every interrupt is answered.'],
  read_only: [403, 'No one is named who could do that.'],
  broken: [500, 'The host was told what broke.'],
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
  return problem('broken', 'This could not be answered.');
};

/** Answers that this caller can see nothing of this name. */
export const missing = (what: string): Response => problem('not_found', `There is no such ${what}.`);
