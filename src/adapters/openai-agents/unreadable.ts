import type { ModelResponse, RunState, RunToolApprovalItem } from '@openai/agents';
import { isObject } from '../../boundary/is-object.ts';
import { frozenCopy } from '../../canonical/freeze.ts';
import { isCharterError } from '../../errors.ts';
import type { AnyAgent } from './agents.ts';

const parsed = (text = ''): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Returns why arguments cannot be parsed, for example their depth; `null` if they can. */
const whyUnread = (text: string): string | null => {
  try {
    frozenCopy(parsed(text) ?? null, 'arguments');
    return null;
  } catch (error) {
    if (isCharterError(error, 'input_unreadable')) return error.message;
    throw error;
  }
};

/**
 * Returns the calls of a model, with a reason in place of unreadable arguments, because the SDK throws on
 * some of them.
 *
 * A reason is not an object, so the call is rejected.
 */
export const readableCalls = (output: ModelResponse['output']): ModelResponse['output'] =>
  output.map((item) => {
    const why = item.type === 'function_call' ? whyUnread(item.arguments) : null;
    return why === null ? item : { ...item, arguments: JSON.stringify(why) };
  });

const rejectionOf = (text: string | undefined): string => {
  const why = parsed(text);
  return typeof why === 'string' && why.includes('is not read') ? why : 'Its arguments are no JSON object.';
};

/**
 * Rejects calls whose arguments are not an object. The SDK would ask for their approval without calling the
 * tool's check.
 */
export const rejectUnreadable = (
  state: RunState<unknown, AnyAgent>,
  interruptions: readonly RunToolApprovalItem[],
): boolean => {
  const broken = interruptions.filter((item) => !isObject(parsed(item.arguments)));
  for (const item of broken) state.reject(item, { message: rejectionOf(item.arguments) });
  return broken.length > 0;
};
