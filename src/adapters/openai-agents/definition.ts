import { RunContext, tool as build, type FunctionTool } from '@openai/agents';
import * as z from 'zod';
import { Callable, checkDefinition, Schema } from '../../base/define/definition.ts';
import { CharterError, causeOf } from '../../base/errors.ts';
import type { ForeignTool } from '../../guard/guard-tool.ts';
import type { StandardSchema } from '../../base/ports/schema.ts';
import type { CallContext } from '../../base/ports/tool.ts';

/** The SDK's details of a call. */
export type CallDetails = NonNullable<Parameters<FunctionTool['invoke']>[2]>;

/**
 * The arguments of the SDK's `tool()`, before it is built: a built tool converts errors to results
 * (`errorFunction`).
 */
export interface ToolDefinition<Arguments = unknown, Name extends string = string> {
  readonly name: Name;
  readonly description: string;
  /** A schema that provides its JSON Schema, as zod does. */
  readonly parameters: StandardSchema<Arguments>;
  /**
   * Executes a call. The effect ledger calls it, perhaps in another process than the one that proposed it.
   * `details.toolCall.callId` is the idempotency key. What it throws is a failure.
   */
  readonly execute: (input: Arguments, context: RunContext, details: CallDetails) => unknown;
  readonly isEnabled?: Parameters<typeof build>[0]['isEnabled'];
}

const isBuilt = (value: object): boolean => 'invoke' in value || 'type' in value;

const expected =
  'expected the arguments of tool(): a built tool turns its errors into results, and a hosted tool bypasses the guard';

const Definition = z
  .custom<object>((value) => typeof value === 'object' && value !== null && !isBuilt(value), expected)
  .pipe(
    z.strictObject({
      name: z.string().min(1),
      description: z.string(),
      parameters: Schema,
      execute: Callable,
      isEnabled: z.unknown().optional(),
    }),
  );

/** Defines a typed tool, in place of the SDK's `tool`. Throws `definition_invalid`. */
export const tool = <Arguments, const Name extends string = string>(
  definition: ToolDefinition<Arguments, Name>,
): ToolDefinition<Arguments, Name> => {
  checkDefinition('OpenAI Agents tool', nameOf(definition), Definition, definition);
  return definition;
};

const nameOf = (definition: unknown): unknown =>
  typeof definition === 'object' && definition !== null && 'name' in definition ? definition.name : null;

/** A tool as shown to a model: its name in the provider's character set, and its schema. */
export type Shown = Pick<FunctionTool, 'name' | 'description' | 'parameters' | 'strict' | 'isEnabled'>;

/** Returns the tool as shown to a model. Throws `definition_invalid` if the SDK rejects it. */
export const shownBy = ({ name, description, parameters, isEnabled = true }: ToolDefinition): Shown => {
  try {
    // the SDK checks which schemas it accepts
    const schema = parameters as unknown as z.ZodObject;
    return build({ name, description, parameters: schema, isEnabled, execute: () => '' });
  } catch (cause) {
    const issues = [{ path: '/parameters', message: causeOf(cause) }];
    const message = `tool ${JSON.stringify(name)}: the SDK refuses it: ${causeOf(cause)}`;
    throw new CharterError(
      'definition_invalid',
      message,
      { definition: 'OpenAI Agents tool', issues },
      { cause },
    );
  }
};

/** Converts a definition for the guard. `context` becomes the SDK's `RunContext.context`. */
export const foreignOf = (
  { name, description, parameters, execute }: ToolDefinition,
  context: (call: CallContext) => unknown,
): ForeignTool => ({
  name,
  description,
  input: parameters,
  execute: (input, call) =>
    execute(input, new RunContext(context(call)), {
      toolCall: { type: 'function_call', name, callId: call.key, arguments: JSON.stringify(input) },
      signal: call.signal,
    }),
});
