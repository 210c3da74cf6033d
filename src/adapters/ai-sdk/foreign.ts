import { asSchema, type ToolSet } from 'ai';
import { CharterError, type Issue } from '../../errors.ts';
import type { ForeignTool } from '../../guard/guard-tool.ts';
import type { StandardSchema } from '../../ports/schema.ts';

type SdkTool = ToolSet[string];

/** Throws `definition_invalid`, unless nothing is wrong. */
export const refuseTools = (issues: readonly Issue[]): void => {
  if (issues.length === 0) return;
  const detail = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new CharterError('definition_invalid', `AI SDK tools: ${detail}`, { definition: 'tools', issues });
};

/** Why a tool of the SDK cannot be guarded: what it does is done where nobody of ours stands. */
export const issuesOf = (name: string, tool: SdkTool): readonly Issue[] => {
  const issue = (message: string): Issue[] => [{ path: `/${name}`, message }];
  if (tool.type === 'provider') return issue('is a tool of a provider: expected a function with `execute`');
  if (typeof tool.execute !== 'function')
    return issue('has no `execute`: what a client does is a question to a person, not a call');
  if (tool.contextSchema !== undefined)
    return issue(
      'wants a context of a single generation: expected none, for it may be called after a restart',
    );
  return [];
};

/** A schema of the SDK as everybody else's: those that are standard stay what they are. */
const standardOf = ({ inputSchema }: SdkTool): StandardSchema<Record<string, unknown>> => {
  if ('~standard' in inputSchema) return inputSchema as StandardSchema<Record<string, unknown>>;
  const { validate, jsonSchema } = asSchema<Record<string, unknown>>(inputSchema);
  const standard = {
    version: 1,
    vendor: 'ai',
    validate: async (value: unknown) => {
      // a JSON Schema without a validator is not held against anything, as in the SDK
      const read = await (validate?.(value) ?? { success: true, value: value as Record<string, unknown> });
      return read.success ? { value: read.value } : { issues: [{ message: read.error.message }] };
    },
    jsonSchema: { input: () => jsonSchema, output: () => jsonSchema },
  } as const;
  return { '~standard': standard };
};

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** What an `execute` comes to: of one that yields preliminary results, the last. */
const lastOf = async (made: unknown): Promise<unknown> => {
  const value: unknown = await made;
  if (!isStream(value)) return value;
  let last: unknown;
  for await (const part of value) last = part;
  return last;
};

/** A tool of the SDK, apart from any generation; its `context` is how the effect ledger calls it, with the idempotency key. */
export const foreignTool = (name: string, tool: SdkTool): ForeignTool<Record<string, unknown>> => ({
  name,
  description: typeof tool.description === 'string' ? tool.description : '',
  input: standardOf(tool),
  execute: (input, context) =>
    lastOf(
      tool.execute?.(input, {
        toolCallId: context.call,
        messages: [],
        abortSignal: context.signal,
        context,
      }),
    ),
});
