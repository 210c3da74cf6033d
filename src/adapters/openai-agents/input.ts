import type { ModelRequest } from '@openai/agents';
import { isObject } from '../../boundary/is-object.ts';
import type { Issue } from '../../errors.ts';

/** The items of an input that start nothing at a provider: what people and the model said, and calls of functions. */
const conversation: ReadonlySet<unknown> = new Set([
  'message',
  'function_call',
  'function_call_result',
  'reasoning',
  'compaction',
]);

/** The SDK reads an item without a type as a message. */
const typeOf = (item: object): unknown => {
  if ('type' in item && item.type !== undefined) return item.type;
  return 'role' in item && typeof item.role === 'string' ? 'message' : undefined;
};

/** The SDK sends the members of `providerData` in the item: of a message, they can make it an item of another type. */
const smuggledIn = (type: unknown, data: unknown): string | undefined => {
  if (!isObject(data)) return undefined;
  if (data['tools'] !== undefined) return 'tools';
  const given = data['type'];
  return type === 'message' && given !== undefined && given !== 'message' ? 'type' : undefined;
};

/** Says which items of an input bring tools, or start them at the provider. */
export function* inputIssues(input: ModelRequest['input']): Generator<Issue> {
  if (typeof input === 'string') return;
  for (const [at, item] of input.entries()) {
    const type = typeOf(item);
    const member = smuggledIn(type, item.providerData);
    if (!conversation.has(type))
      yield {
        path: `/input/${at}`,
        message: `${String(type)} may bring or start a tool at the provider: expected messages, calls of functions, their results and reasoning; remove it`,
      };
    else if (member !== undefined)
      yield {
        path: `/input/${at}/providerData/${member}`,
        message: 'may turn the item into one that brings a tool at the provider: remove it',
      };
  }
}
