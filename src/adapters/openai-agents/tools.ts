import { tool as build } from '@openai/agents';
import { withoutIrreversible, type OnOmitted } from '../../base/define/omitted.ts';
import { CharterError, type Issue } from '../../base/errors.ts';
import type { JsonObject } from '../../../schema/formats.ts';
import type { Contracts, GuardedToolsOf } from '../../guard/contracts.ts';
import { contractIn, guardUnreadTool, needOf } from '../../guard/guard-tool.ts';
import type { Patience, Run } from '../../guard/run.ts';
import type { CallContext, Tool } from '../../base/ports/tool.ts';
import { jsonSchemaOf } from '../../base/define/json-schema-of.ts';
import { withReferences } from '../../gates/origins/referable.ts';
import { boundTool, type SdkTool } from './bound.ts';
import { foreignOf, shownBy, tool as checked, type Shown, type ToolDefinition } from './definition.ts';

/** The guarded tools of an agent. */
export interface GuardedTools<Guarded extends Tool = Tool> {
  /** For `createGuard`, without your `own` tools. */
  readonly tools: readonly Guarded[];
  /** Returns the tools for an agent of one run. Each call is proposed there. */
  readonly bind: (run: Run, patience?: Patience) => SdkTool[];
}

/** Options of `guardTools`. */
export interface GuardToolsOptions {
  /**
   * Returns the SDK's `RunContext.context` for a call. By default `{}`. It is not that of the run, which may
   * be over.
   */
  readonly context?: (call: CallContext) => unknown;
  /** Called once with the tools that were omitted. By default, a Node.js warning. */
  readonly onOmitted?: OnOmitted;
}

/** A definition with any arguments. */
type AnyDefinition = Omit<ToolDefinition<never>, 'parameters'> & Pick<ToolDefinition, 'parameters'>;

/** Widens a definition. Its arguments are parsed by its schema before each call. */
const read = (definition: AnyDefinition): ToolDefinition => checked(definition as unknown as ToolDefinition);

const shownAs = ({ name, description, input }: Tool): Shown => {
  // the schema of an object, because arguments are one
  const parameters = jsonSchemaOf(input, 'input', true) as Shown['parameters'] & {
    readonly additionalProperties: true;
  };
  return build({ name, description, parameters, strict: false, execute: () => '' });
};

interface ShownTool {
  readonly tool: Tool;
  readonly shown: Shown;
}

/** Returns a tool whose schema accepts a reference in place of a value whose origin matters. */
const referable = ({ tool, shown }: ShownTool): ShownTool => {
  const { parameters } = shown;
  const widened = withReferences(tool, parameters as Shown['parameters'] & JsonObject);
  return {
    tool,
    shown: widened === parameters ? shown : { ...shown, parameters: widened as typeof parameters },
  };
};

const refuse = (issues: readonly Issue[]): never => {
  const message = `guardTools: ${issues.map((issue) => issue.message).join('; ')}`;
  throw new CharterError('definition_invalid', message, { definition: 'guardTools', issues });
};

const strayContracts = (contracts: object, names: readonly string[]): readonly Issue[] =>
  Object.keys(contracts)
    .filter((name) => !names.includes(name))
    .map((name) => ({
      path: `/contracts/${name}`,
      message: `unknown tool ${JSON.stringify(name)}: expected one of ${names.join(', ') || 'none'}`,
    }));

/** Returns issues of equal names. The SDK replaces characters, so that names may collide. */
const duplicates = (shown: readonly Shown[]): readonly Issue[] =>
  shown
    .filter(({ name }, at) => shown.findIndex((other) => other.name === name) < at)
    .map(({ name }) => ({
      path: '',
      message: `two tools are ${JSON.stringify(name)} to the SDK: expected one`,
    }));

/**
 * Guards tools of the OpenAI Agents SDK. A tool without a contract is `write_high_risk` (UAICP 5.3).
 *
 * Omits a high-risk tool whose contract declares no rollback, and reports it to `onOmitted`.
 *
 * `own` are tools of this library, such as tasks, for the same agents. Throws `definition_invalid` for a
 * hosted or built tool, a contract without a tool, and a duplicate name.
 */
export const guardTools = <const Definitions extends readonly AnyDefinition[]>(
  definitions: Definitions,
  contracts: Contracts<Definitions, 'parameters'> = {},
  own: readonly Tool[] = [],
  { context = () => ({}), onOmitted }: GuardToolsOptions = {},
): GuardedTools<GuardedToolsOf<Definitions, 'parameters'>> => {
  const known = definitions.map(read);
  const unknownContracts = strayContracts(
    contracts,
    known.map(({ name }) => name),
  );
  if (unknownContracts.length > 0) refuse(unknownContracts);
  const contractOf = (name: string) => contractIn<unknown>(contracts, name);
  const offered = withoutIrreversible(
    'guardTools',
    known,
    ({ name }) => needOf(name, contractOf(name)),
    onOmitted,
  );
  const guarded = offered.map((definition) => ({
    tool: guardUnreadTool(foreignOf(definition, context), contractOf(definition.name)),
    shown: shownBy(definition),
  }));
  const all = [...guarded, ...own.map((tool) => ({ tool, shown: shownAs(tool) }))].map(referable);
  const double = duplicates(all.map(({ shown }) => shown));
  if (double.length > 0) refuse(double);
  return {
    tools: guarded.map(({ tool }) => tool),
    bind: (run, patience = {}) => all.map(({ tool, shown }) => boundTool(tool.name, shown, run, patience)),
  };
};
