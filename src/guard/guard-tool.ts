import * as z from 'zod';
import { entry } from '../../machines/change.ts';
import type { RiskTier } from '../../schema/index.ts';
import { lazily } from '../base/boundary/lazily.ts';
import {
  Callable,
  checkDefinition,
  checkObject,
  refuseDefinition,
  Schema,
} from '../base/define/definition.ts';
import type { RollbackDeclaration, RollbackNeed } from '../base/define/rollback.ts';
import {
  parseTool,
  tierOf,
  toolMembers,
  type ToolBasics,
  type ToolPromises,
  type UnreadToolDefinition,
  type WithRollback,
} from '../base/define/tool.ts';
import type { StandardSchema } from '../base/ports/schema.ts';
import type { CallContext, Tool } from '../base/ports/tool.ts';

/** A framework's tool, with the parts that the guard reads. */
export interface ForeignTool<Arguments = unknown, Name extends string = string, Input = unknown> {
  readonly name: Name;
  readonly description?: string;
  readonly input: StandardSchema<Arguments, Input>;
  readonly execute: (input: Arguments, context: CallContext) => unknown;
}

/**
 * Your declarations for a tool that you did not write: its tier, its rollback, its policy for doubtful outcomes.
 *
 * The compiler demands what it demands of `defineTool`: a `rollback` of a `write_high_risk` tool, which is the default,
 * and a `lookup` with `doubt: 'reconcilable'`.
 */
export type ToolContract<Arguments = unknown> = Omit<ToolBasics<Arguments>, keyof ForeignTool | 'call'> &
  ToolPromises<Arguments>;

/** A contract without a tier, or of a tool that needs no rollback. */
interface MayLackRollback<Arguments> {
  /** `write_high_risk` by default: the binding omits the tool if it has no `rollback`, and reports it. */
  readonly tier?: Exclude<RiskTier, 'write_high_risk'>;
  readonly rollback?: RollbackDeclaration<Arguments> | undefined;
}

/**
 * The contract of a tool in a binding. The compiler demands a `rollback` where `tier: 'write_high_risk'` is written.
 * Where no tier is written, the binding omits a tool without one and reports it.
 */
export type BindingContract<Arguments = unknown> = Omit<
  UnreadToolDefinition<Arguments>,
  keyof ForeignTool | 'call' | 'tier' | 'rollback'
> &
  (MayLackRollback<Arguments> | WithRollback<Arguments>);

/** Returns the contract of a tool by its name; an empty one if there is none. */
export const contractIn = <Arguments>(contracts: object, name: string): BindingContract<Arguments> =>
  entry(contracts as Readonly<Record<string, BindingContract<Arguments>>>, name) ?? {}; // each is typed by its tool's schema

const foreignSchema = lazily(() =>
  z.strictObject({
    name: z.string(),
    description: z.string().optional(),
    input: Schema,
    execute: Callable,
  }),
);

/** The members of a tool's definition that a contract does not have. */
const outsideContract: readonly string[] = [
  'name',
  'description',
  'input',
  'call',
] satisfies (keyof UnreadToolDefinition<unknown>)[];

/** Checks a framework's tool: what is called `call` or stands in the wrong argument would be lost. */
const checkForeign = (tool: object & { readonly name: string }): void => {
  checkObject('tool', tool);
  const misplaced = toolMembers().filter((key) => !outsideContract.includes(key) && Object.hasOwn(tool, key));
  refuseDefinition(
    'tool',
    tool.name,
    misplaced.map((key) => ({
      path: `/${key}`,
      message: 'belongs to the contract: pass it in the second argument of guardTool',
    })),
  );
  checkDefinition('tool', tool.name, foreignSchema(), tool);
};

/**
 * Wraps a framework's tool in a contract. The default tier is `write_high_risk` (UAICP 5.3).
 *
 * Throws `definition_invalid` if the definition is invalid or a high-risk tool has no rollback.
 */
export const guardTool = <Arguments, const Name extends string = string, Input = unknown>(
  tool: ForeignTool<Arguments, Name, Input>,
  contract: ToolContract<Arguments>,
): Tool<Name, Input, Arguments> => guardUnreadTool(tool, contract);

/** Wraps a tool as `guardTool` does; whether its contract lacks a rollback or a look-up is checked at run time only. */
export const guardUnreadTool = <Arguments, const Name extends string = string, Input = unknown>(
  tool: ForeignTool<Arguments, Name, Input>,
  contract: BindingContract<Arguments> = {},
): Tool<Name, Input, Arguments> => {
  checkForeign(tool);
  const { name, description = '', input, execute } = tool;
  return parseTool({
    ...contract,
    name,
    description,
    input,
    call: async (given, context) => execute(given, context),
  }) as Tool<Name, Input, Arguments>; // of this name and schema
};

/** Returns the type of rollback that a tool under this contract must have. */
export const needOf = (
  name: string,
  contract: BindingContract<never> = {},
): RollbackNeed & { readonly name: string } => {
  const { tier, hints, rollback } = contract;
  return { name, tier, hints, rollback, raised: tierOf(contract) };
};
