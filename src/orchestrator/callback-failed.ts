import type { ReasonCode } from '../../schema/index.ts';
import { causeOf, CharterError } from '../errors.ts';
import type { Environment } from './environment.ts';
import { redactedText } from './redact.ts';

/**
 * Emits an `error` event for a function of the host that threw, or returned what cannot be used, with the error as `cause`.
 *
 * `callback` names the function as its author does, such as `policy.decide`; `code` is the reason that the task gets.
 */
export const emitCallbackFailed = (
  { emit, redact }: Environment,
  { taskId }: { readonly taskId: string },
  callback: string,
  code: ReasonCode | null,
  cause: unknown,
): void => {
  const message = `${callback} failed: ${redactedText(redact, causeOf(cause))}`;
  const error = new CharterError('callback_failed', message, { taskId, callback, code }, { cause });
  emit('error', { taskId, error });
};
