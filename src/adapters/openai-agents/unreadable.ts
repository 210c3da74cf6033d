import type { ModelResponse, RunState, RunToolApprovalItem } from '@openai/agents';
import { isObject } from '../../base/boundary/is-object.ts';
import { frozenWords } from '../../base/canonical/well-formed.ts';
import { causeOf, isCharterError } from '../../base/errors.ts';
import type { AnyAgent } from './agents.ts';

type Output = ModelResponse['output'][number];

/** Returns the arguments of a call. Some providers send nothing, or an empty text, for none. */
const argumentsIn = (text = ''): string => (text.trim() === '' ? '{}' : text);

/** Returns why arguments are not read, such as their depth; `null` if they are. */
const whyUnread = (text: string): string | null => {
  try {
    return isObject(frozenWords(JSON.parse(text), 'arguments')) ? null : 'its arguments are no JSON object';
  } catch (error) {
    if (error instanceof SyntaxError) return `its arguments are no valid JSON (${causeOf(error)})`;
    if (isCharterError(error, 'input_unreadable')) return error.message;
    throw error;
  }
};

/** Returns the reason that stands in place of arguments; `null` for none. */
const reasonIn = (text: string): string | null => {
  try {
    const reason: unknown = JSON.parse(text);
    return typeof reason === 'string' ? reason : null;
  } catch {
    return null;
  }
};

const readable = (item: Output): Output => {
  if (item.type !== 'function_call') return item;
  const text = argumentsIn(item.arguments);
  const why = whyUnread(text);
  if (why === null) return { ...item, arguments: text };
  const words = `${item.name} was not called: ${why}. Call it again with one JSON object as its arguments.`;
  return { ...item, arguments: JSON.stringify(words) };
};

/**
 * Returns the calls of a model, with a reason in place of arguments that are not read: the SDK throws on some of
 * them, and says of others that a person rejected the call.
 *
 * A reason is not an object, so the call is rejected.
 */
export const readableCalls = (output: ModelResponse['output']): ModelResponse['output'] =>
  output.map(readable);

/** Rejects calls with a reason in place of arguments. The SDK would ask for their approval without calling the tool's check. */
export const rejectUnreadable = (
  state: RunState<unknown, AnyAgent>,
  interruptions: readonly RunToolApprovalItem[],
): boolean => {
  const broken = interruptions.flatMap((item) => {
    const text = argumentsIn(item.arguments);
    const why = whyUnread(text); // also where an earlier version saved the arguments as they were
    return why === null ? [] : [{ item, message: reasonIn(text) ?? `The call was not made: ${why}.` }];
  });
  for (const { item, message } of broken) state.reject(item, { message });
  return broken.length > 0;
};
