import type { ModelRequest } from '@openai/agents';
import { isObject } from '../../base/boundary/is-object.ts';
import type { Issue } from '../../base/errors.ts';

/** Input items that start no provider tool: messages and function calls. */
const conversation: ReadonlySet<unknown> = new Set([
  'message',
  'function_call',
  'function_call_result',
  'reasoning',
  'compaction',
]);

/** Returns the type of an item. The SDK reads one without a type as a message. */
const typeOf = (item: object): unknown => {
  if ('type' in item && item.type !== undefined) return item.type;
  return 'role' in item && typeof item.role === 'string' ? 'message' : undefined;
};

/**
 * Returns the member of `providerData` that would change the item's type, because the SDK merges it into the
 * item.
 */
const smuggledIn = (type: unknown, data: unknown): string | undefined => {
  if (!isObject(data)) return undefined;
  if (data['tools'] !== undefined) return 'tools';
  const given = data['type'];
  return type === 'message' && given !== undefined && given !== 'message' ? 'type' : undefined;
};

/** Yields issues of input items that add provider tools or start them. */
export function* inputIssues(input: ModelRequest['input']): Generator<Issue> {
  if (typeof input === 'string') return;
  for (const [at, item] of input.entries()) {
    const type = typeOf(item);
    const member = smuggledIn(type, item.providerData);
    if (!conversation.has(type))
      yield {
        path: `/input/${at}`,
        message: `${String(type)} may add or start a provider tool: expected messages, function calls, their results and reasoning; remove it`,
      };
    else if (member !== undefined)
      yield {
        path: `/input/${at}/providerData/${member}`,
        message: 'may turn the item into one that adds a provider tool: remove it',
      };
  }
}
