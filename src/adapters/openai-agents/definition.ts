import { RunContext, tool as build, type FunctionTool } from '@openai/agents';
import * as z from 'zod';
import { Callable, checkDefinition, Schema } from '../../define/definition.ts';
import { CharterError, causeOf } from '../../errors.ts';
import type { ForeignTool } from '../../guard/guard-tool.ts';
import type { StandardSchema } from '../../ports/schema.ts';
import type { CallContext } from '../../ports/tool.ts';

/** What the SDK says of a call beside its arguments. */
export type CallDetails = NonNullable<Parameters<FunctionTool['invoke']>[2]>;

/** What a host gives the SDK's `tool()`, before it is built: a built tool turns its errors into results (`errorFunction`). */
export interface ToolDefinition<Arguments = unknown> {
  readonly name: string;
  readonly description: string;
  /** Must print itself as JSON Schema, as schemas of zod do. */
  readonly parameters: StandardSchema<Arguments>;
  /**
   * Called through the effect ledger, perhaps in another process than the one that proposed it; `details.toolCall.callId`
   * is the idempotency key of the effect, and what it throws is a failure.
   */
  readonly execute: (input: Arguments, context: RunContext, details: CallDetails) => unknown;
  readonly isEnabled?: Parameters<typeof build>[0]['isEnabled'];
}

const isBuilt = (value: object): boolean => 'invoke' in value || 'type' in value;

const wanted =
  'expected what tool() is given: a tool that is built turns its errors into results, and one that is hosted is called ' +
  'elsewhere, where nothing guards it';

const Definition = z
  .custom<object>((value) => typeof value === 'object' && value !== null && !isBuilt(value), wanted)
  .pipe(
    z.strictObject({
      name: z.string().min(1),
      description: z.string(),
      parameters: Schema,
      execute: Callable,
      isEnabled: z.unknown().optional(),
    }),
  );

/** A definition with the types of its arguments: it stands where the SDK's `tool` stood. Throws `definition_invalid`. */
export const tool = <Arguments>(definition: ToolDefinition<Arguments>): ToolDefinition<Arguments> => {
  checkDefinition('OpenAI Agents tool', nameOf(definition), Definition, definition);
  return definition;
};

const nameOf = (definition: unknown): unknown =>
  typeof definition === 'object' && definition !== null && 'name' in definition ? definition.name : null;

/** How the SDK shows a tool to a model: its name, with what a model's provider takes no letter for replaced, and its schema. */
export type Shown = Pick<FunctionTool, 'name' | 'description' | 'parameters' | 'strict' | 'isEnabled'>;

/** Throws `definition_invalid` where the SDK refuses it. */
export const shownBy = ({ name, description, parameters, isEnabled = true }: ToolDefinition): Shown => {
  try {
    // the SDK says itself which schemas it takes
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

/** What a definition is to a guard; `context` is the SDK's `RunContext.context`. */
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
