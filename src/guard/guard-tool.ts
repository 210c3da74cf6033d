import type { RollbackNeed } from '../define/rollback.ts';
import { defineTool, tierOf, type ToolDefinition } from '../define/tool.ts';
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
 * A framework's tool under a contract: `write_high_risk` by default (UAICP 5.3).
 *
 * Throws `definition_invalid`, also for a high-risk tool whose contract declares no rollback.
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

/** What a tool under this contract needs of a rollback. */
export const needOf = (
  name: string,
  contract: ToolContract<never> = {},
): RollbackNeed & { readonly name: string } => {
  const { tier, hints, rollback } = contract;
  return { name, tier, hints, rollback, raised: tierOf(contract) };
};
