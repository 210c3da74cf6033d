import { tool as build } from '@openai/agents';
import { withoutIrreversible, type OnOmitted } from '../../define/omitted.ts';
import { CharterError, type Issue } from '../../errors.ts';
import { guardTool, needOf, type ToolContract } from '../../guard/guard-tool.ts';
import type { Patience, Run } from '../../guard/run.ts';
import type { CallContext, Tool } from '../../ports/tool.ts';
import { jsonSchemaOf } from '../../define/json-schema-of.ts';
import { boundTool, type SdkTool } from './bound.ts';
import { foreignOf, shownBy, tool as checked, type Shown, type ToolDefinition } from './definition.ts';

/** Tools of an agent, under their contracts. */
export interface GuardedTools {
  /** For `createGuard`; without those of the host's own. */
  readonly tools: readonly Tool[];
  /** What an agent of the SDK is given for one run: each call is proposed there. */
  readonly bind: (run: Run, patience?: Patience) => SdkTool[];
}

/** What else tools are given. */
export interface GuardToolsOptions {
  /** The SDK's `RunContext.context` of a call; `{}` where left out. It is not that of the run, which may be over by then. */
  readonly context?: (call: CallContext) => unknown;
  /** Called once with the tools that are left out; by default a Node.js warning. */
  readonly onOmitted?: OnOmitted;
}

/** A definition, whatever its arguments are. */
type AnyDefinition = Omit<ToolDefinition<never>, 'parameters'> & Pick<ToolDefinition, 'parameters'>;

/** The arguments of each tool are its own: they are held against its schema before it is called. */
const read = (definition: AnyDefinition): ToolDefinition => checked(definition as unknown as ToolDefinition);

const shownAs = ({ name, description, input }: Tool): Shown => {
  // printed as the schema of an object, for arguments are one
  const parameters = jsonSchemaOf(input) as Shown['parameters'] & { readonly additionalProperties: true };
  return build({ name, description, parameters, strict: false, execute: () => '' });
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

/** The SDK replaces letters of a name: two may become one. */
const duplicates = (shown: readonly Shown[]): readonly Issue[] =>
  shown
    .filter(({ name }, at) => shown.findIndex((other) => other.name === name) < at)
    .map(({ name }) => ({
      path: '',
      message: `two tools are ${JSON.stringify(name)} to the SDK: expected one`,
    }));

/**
 * Tools of the OpenAI Agents SDK under contracts; one without a contract is `write_high_risk` (UAICP 5.3).
 *
 * A high-risk tool whose contract declares no rollback is left out, and reported to `onOmitted`.
 *
 * `own` are tools of a guard, such as tasks, that the model is shown as well. Throws `definition_invalid` for a tool that
 * is hosted or built, a contract without its tool, and two tools of one name.
 */
export const guardTools = (
  definitions: readonly AnyDefinition[],
  contracts: Readonly<Record<string, ToolContract<never>>> = {},
  own: readonly Tool[] = [],
  { context = () => ({}), onOmitted }: GuardToolsOptions = {},
): GuardedTools => {
  const known = definitions.map(read);
  const stray = strayContracts(
    contracts,
    known.map(({ name }) => name),
  );
  if (stray.length > 0) refuse(stray);
  const contractOf = (name: string): ToolContract =>
    Object.hasOwn(contracts, name) ? (contracts[name] as ToolContract) : {};
  const offered = withoutIrreversible(
    'guardTools',
    known,
    ({ name }) => needOf(name, contractOf(name)),
    onOmitted,
  );
  const guarded = offered.map((definition) => ({
    tool: guardTool(foreignOf(definition, context), contractOf(definition.name)),
    shown: shownBy(definition),
  }));
  const all = [...guarded, ...own.map((tool) => ({ tool, shown: shownAs(tool) }))];
  const double = duplicates(all.map(({ shown }) => shown));
  if (double.length > 0) refuse(double);
  return {
    tools: guarded.map(({ tool }) => tool),
    bind: (run, patience = {}) => all.map(({ tool, shown }) => boundTool(tool.name, shown, run, patience)),
  };
};
