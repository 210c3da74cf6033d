import { asSchema, jsonSchema, type InferSchema, type JSONSchema7, type ToolSet } from 'ai';
import { deepFreeze, ownCopy } from '../../base/canonical/deep-freeze.ts';
import { withoutIrreversible, type OnOmitted } from '../../base/define/omitted.ts';
import { contractIn, guardUnreadTool, needOf, type BindingContract } from '../../guard/guard-tool.ts';
import type { Run } from '../../guard/run.ts';
import type { Tool } from '../../base/ports/tool.ts';
import { jsonSchemaOf } from '../../base/define/json-schema-of.ts';
import { withReferences } from '../../gates/origins/referable.ts';
import { bindTools, type BindOptions, type Bound, type ShownTool } from './bind.ts';
import { foreignTool, issuesOf, refuseTools } from './foreign.ts';

/** Your contracts by tool name. A tool without one is `write_high_risk` (UAICP 5.3). */
export type ToolContracts<Tools extends ToolSet> = {
  readonly [Name in keyof Tools]?: BindingContract<InferSchema<Tools[Name]['inputSchema']>>;
};

/** The arguments of a tool; `unknown` where the SDK says `any`. */
type ArgumentsOf<Sdk extends SdkTool> = 0 extends InferSchema<Sdk['inputSchema']> & 1
  ? unknown
  : InferSchema<Sdk['inputSchema']>;

/** The tools that a tool set becomes: each has its name and its arguments. If the names are not known, any tools. */
type GuardedToolsOf<Tools extends ToolSet> = string extends keyof Tools
  ? Tool
  : {
      readonly [Name in keyof Tools & string]: Tool<Name, unknown, ArgumentsOf<Tools[Name]>>;
    }[keyof Tools & string];

/** Guarded tools of the SDK. */
export interface GuardedTools<Guarded extends Tool = Tool> {
  /** For `createGuard`. Only its effect ledger calls them. */
  readonly tools: readonly Guarded[];
  /** Returns the settings for an agent of the SDK, in place of its own tools. */
  readonly bind: (run: Run, options: BindOptions) => Bound;
}

/** Options of `guardTools`. */
export interface GuardToolsOptions {
  /** Called once with the tools that were omitted. By default, a Node.js warning. */
  readonly onOmitted?: OnOmitted;
}

type SdkTool = ToolSet[string];

/** The members of a tool that are copied: text and data for a model. None has an effect. */
const shownMembers = [
  'type',
  'title',
  'description',
  'strict',
  'inputExamples',
  'providerOptions',
  'metadata',
  'toModelOutput',
] as const satisfies readonly (keyof SdkTool)[];

/** Returns the schema of the SDK with the references that the contract of its tool allows. */
const schemaOf = ({ inputSchema }: SdkTool, guarded: Tool) =>
  jsonSchema(() => {
    const printed = asSchema(inputSchema).jsonSchema;
    if (!('then' in printed)) return withReferences(guarded, { ...printed });
    return Promise.resolve(printed).then((schema) => withReferences(guarded, { ...schema }) as JSONSchema7);
  });

const isShown = (key: (typeof shownMembers)[number], tool: SdkTool, { isHidden }: Tool): boolean =>
  tool[key] !== undefined && !(isHidden === true && key === 'toModelOutput'); // of a hidden result there is none to show

const shownOf = (tool: SdkTool, guarded: Tool): ShownTool => ({
  ...Object.fromEntries(
    shownMembers
      .filter((key) => isShown(key, tool, guarded))
      .map((key) => [key, deepFreeze(ownCopy(tool[key]))]),
  ),
  // the JSON Schema is read once; the chart approves, hashes and calls what it parses
  inputSchema: Object.freeze(schemaOf(tool, guarded)),
});

const ownShown = (tool: Tool): ShownTool => {
  const { description, input } = tool;
  const schema = withReferences(tool, jsonSchemaOf(input, 'input', true));
  return { type: 'dynamic', description, inputSchema: Object.freeze(jsonSchema(schema)) };
};

/** Returns tools as a model sees them, without `execute`. */
const shownTools = (
  tools: readonly (readonly [tool: SdkTool, guarded: Tool])[],
  own: readonly Tool[],
): ReadonlyMap<string, ShownTool> =>
  new Map([
    ...tools.map(([tool, guarded]): [string, ShownTool] => [guarded.name, shownOf(tool, guarded)]),
    ...own.map((tool): [string, ShownTool] => [tool.name, ownShown(tool)]),
  ]);

/**
 * Guards tools of the AI SDK. `own` are tools of this library, such as tasks, for the same agents.
 *
 * Omits a high-risk tool whose contract declares no rollback, and reports it to `onOmitted` (UAICP 5.3).
 *
 * Throws `definition_invalid` for a contract without a tool, for a duplicate name, and for tools that a
 * provider or client executes.
 */
export const guardTools = <Tools extends ToolSet>(
  tools: Tools,
  contracts: ToolContracts<Tools> = {},
  own: readonly Tool[] = [],
  { onOmitted }: GuardToolsOptions = {},
): GuardedTools<GuardedToolsOf<Tools>> => {
  const names = Object.keys(tools);
  const known: ReadonlySet<string> = new Set(names);
  refuseTools([
    ...Object.entries(tools).flatMap(([name, tool]) => issuesOf(name, tool)),
    ...Object.keys(contracts)
      .filter((name) => !known.has(name))
      .map((name) => ({ path: `/${name}`, message: `is no tool: expected one of ${names.join(', ')}` })),
    ...own
      .filter(({ name }) => known.has(name))
      .map(({ name }) => ({ path: `/${name}`, message: 'is the name of two tools: expected another name' })),
  ]);
  const contractOf = (name: string) => contractIn<Record<string, unknown>>(contracts, name);
  const offered = withoutIrreversible(
    'guardTools',
    Object.entries(tools),
    ([name]) => needOf(name, contractOf(name)),
    onOmitted,
  );
  const guarded = offered.map(
    ([name, tool]) => [tool, guardUnreadTool(foreignTool(name, tool), contractOf(name))] as const,
  );
  const shown = shownTools(guarded, own);
  return Object.freeze({
    tools: guarded.map(([, tool]) => tool as Tool as GuardedToolsOf<Tools>), // each is one of the tools, with its schema
    bind: (run: Run, options: BindOptions) => bindTools(shown, run, options),
  });
};
