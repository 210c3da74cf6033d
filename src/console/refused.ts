import { isCharterError, type CharterError, type ErrorCode } from '../errors.ts';
import { json, type Reply } from './reply.ts';
import type { Refusal } from './wire.ts';

/** The status of each refusal that a page can provoke; every other error is the console's own trouble. */
const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  document_invalid: 422,
  input_unreadable: 422,
  feedback_refused: 422,
  feedback_inapplicable: 422,
  identity_refused: 403,
  key_reused: 409,
  not_found: 404,
  closed: 503,
};

const refusalOf = (error: CharterError): Refusal => {
  const { code, message } = error;
  if (isCharterError(error, 'feedback_refused')) {
    const { reason, code: why } = error.details;
    return { code, message: reason, reason: why };
  }
  if (isCharterError(error, 'document_invalid')) return { code, message, issues: error.details.issues };
  return { code, message };
};

/** An error as an answer, and whether it is the caller's; of any other nothing is told but that it happened. */
export const refused = (error: unknown): { readonly reply: Reply; readonly isTheirs: boolean } => {
  const status = isCharterError(error) ? statuses[error.code] : undefined;
  if (isCharterError(error) && status !== undefined)
    return { reply: json(refusalOf(error), status), isTheirs: true };
  const told: Refusal = {
    code: 'broken',
    message: 'The console could not read this: its host was told why.',
  };
  return { reply: json(told, 500), isTheirs: false };
};

/** Nothing of this name. */
export const missing = (what: string): Reply =>
  json({ code: 'not_found', message: `There is no such ${what} any more.` } satisfies Refusal, 404);
