import { asSchema, type ToolSet } from 'ai';
import { CharterError, type Issue } from '../../base/errors.ts';
import type { ForeignTool } from '../../guard/guard-tool.ts';
import type { StandardSchema } from '../../base/ports/schema.ts';
import { remember } from './returned.ts';

type SdkTool = ToolSet[string];

/** Returns the error for tools that cannot be guarded or are not bound. */
export const toolsError = (issues: readonly Issue[]): CharterError<'definition_invalid'> => {
  const detail = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new CharterError('definition_invalid', `AI SDK tools: ${detail}`, { definition: 'tools', issues });
};

/** Throws `definition_invalid` if there are issues. */
export const refuseTools = (issues: readonly Issue[]): void => {
  if (issues.length > 0) throw toolsError(issues);
};

const hooks = ['onInputStart', 'onInputDelta', 'onInputAvailable'] as const;

/** Returns whether the SDK replaces the tool's `execute` with its own function. */
const isReplacedBySdk = (tool: SdkTool): boolean =>
  'experimental_toolCaller' in tool || Symbol.for('vercel.ai.toolSearch') in tool;

const reasonOf = (tool: SdkTool): string | undefined => {
  if (tool.type === 'provider') return 'is a tool of a provider: expected a function with `execute`';
  if (isReplacedBySdk(tool)) return 'is a tool search or a tool caller: the SDK replaces its `execute`';
  if (typeof tool.execute !== 'function')
    return 'has no `execute`: expected a tool that runs here; for a tool that a client runs, ask a person';
  if (tool.contextSchema !== undefined)
    return 'needs a context of one generation: expected none, because it may be called after a restart';
  const hook = hooks.find((name) => tool[name] !== undefined);
  return (
    hook && `has \`${hook}\`, which the SDK calls before the call is approved: expected \`execute\` only`
  );
};

/** Returns issues of a tool that the SDK would call without the run. */
export const issuesOf = (name: string, tool: SdkTool): readonly Issue[] => {
  const message = reasonOf(tool);
  return message === undefined ? [] : [{ path: `/${name}`, message }];
};

/** Returns a schema of the SDK as a Standard Schema. */
const standardOf = ({ inputSchema }: SdkTool): StandardSchema<Record<string, unknown>> => {
  if ('~standard' in inputSchema) return inputSchema as StandardSchema<Record<string, unknown>>;
  const { validate, jsonSchema } = asSchema<Record<string, unknown>>(inputSchema);
  const standard = {
    version: 1,
    vendor: 'ai',
    validate: async (value: unknown) => {
      // as in the SDK, a JSON Schema without a validator accepts everything
      const read = await (validate?.(value) ?? { success: true, value: value as Record<string, unknown> });
      return read.success ? { value: read.value } : { issues: [{ message: read.error.message }] };
    },
    jsonSchema: { input: () => jsonSchema, output: () => jsonSchema },
  } as const;
  return { '~standard': standard };
};

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** Returns the last result of an `execute`, which may yield preliminary ones. */
const lastResult = async (made: unknown): Promise<unknown> => {
  const value: unknown = await made;
  if (!isStream(value)) return value;
  let last: unknown;
  for await (const part of value) last = part;
  return last;
};

/**
 * Converts a tool of the SDK for the guard. The effect ledger passes the context, with the idempotency key.
 */
export const foreignTool = (name: string, tool: SdkTool): ForeignTool<Record<string, unknown>> => {
  const { execute } = tool; // a later replacement is not guarded
  return {
    name,
    description: typeof tool.description === 'string' ? tool.description : '',
    input: standardOf(tool),
    execute: async (input, context) => {
      const options = { toolCallId: context.call, messages: [], abortSignal: context.signal, context };
      const returned = await lastResult(execute?.call(tool, input, options));
      if (tool.toModelOutput !== undefined) remember(context.call, returned);
      return returned;
    },
  };
};
