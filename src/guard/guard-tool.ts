import { defineTool, type ToolDefinition } from '../define/tool.ts';
import type { StandardSchema } from '../ports/schema.ts';
import type { CallContext, Tool } from '../ports/tool.ts';

/** A tool as a framework has it: whatever its framework calls these parts. */
export interface ForeignTool<Arguments = unknown> {
  readonly name: string;
  readonly description?: string;
  readonly input: StandardSchema<Arguments>;
  readonly execute: (input: Arguments, context: CallContext) => unknown;
}

/** What a host answers for, of a tool that somebody else wrote: its tier, how it is undone, what a doubt about it means. */
export type ToolContract<Arguments = unknown> = Omit<
  ToolDefinition<Arguments>,
  'name' | 'description' | 'input' | 'call'
>;

/**
 * A framework's tool under a contract: without a tier it is `write_high_risk`, closed by default (UAICP 5.3).
 *
 * Throws `definition_invalid`.
 */
export const guardTool = <Arguments>(
  { name, description = '', input, execute }: ForeignTool<Arguments>,
  contract: ToolContract<Arguments> = {},
): Tool =>
  defineTool({
    ...contract,
    name,
    description,
    input,
    call: async (given, context) => execute(given, context),
  });
