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

/** Why arguments are not read, such as that they are nested too deep; `null` where they are. */
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
 * What a model calls, with a reason in place of arguments that cannot be read: the SDK itself breaks on some of them.
 *
 * A reason is no object, so that the call is rejected with it.
 */
export const readableCalls = (output: ModelResponse['output']): ModelResponse['output'] =>
  output.map((item) => {
    const why = item.type === 'function_call' ? whyUnread(item.arguments) : null;
    return why === null ? item : { ...item, arguments: JSON.stringify(why) };
  });

const saidOf = (text: string | undefined): string => {
  const why = parsed(text);
  return typeof why === 'string' && why.includes('is not read') ? why : 'Its arguments are no JSON object.';
};

/** Rejects calls whose arguments are no object: the SDK asks for their approval without asking their tool. */
export const rejectUnreadable = (
  state: RunState<unknown, AnyAgent>,
  interruptions: readonly RunToolApprovalItem[],
): boolean => {
  const broken = interruptions.filter((item) => !isObject(parsed(item.arguments)));
  for (const item of broken) state.reject(item, { message: saidOf(item.arguments) });
  return broken.length > 0;
};
