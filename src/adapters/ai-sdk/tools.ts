import { asSchema, jsonSchema, type InferSchema, type ToolSet } from 'ai';
import { deepFreeze, ownCopy } from '../../canonical/deep-freeze.ts';
import { withoutIrreversible, type OnOmitted } from '../../define/omitted.ts';
import { guardTool, needOf, type ToolContract } from '../../guard/guard-tool.ts';
import type { Run } from '../../guard/run.ts';
import type { Tool } from '../../ports/tool.ts';
import { jsonSchemaOf } from '../../define/json-schema-of.ts';
import { bindTools, type BindOptions, type Bound, type ShownTool } from './bind.ts';
import { foreignTool, issuesOf, refuseTools } from './foreign.ts';

/** What a host answers for, by the name of the tool; a tool without a contract is `write_high_risk` (UAICP 5.3). */
export type ToolContracts<Tools extends ToolSet> = {
  readonly [Name in keyof Tools]?: ToolContract<InferSchema<Tools[Name]['inputSchema']>>;
};

/** Tools of the SDK under their contracts. */
export interface GuardedTools {
  /** For `createGuard`: they are called through its effect ledger, and by nobody else. */
  readonly tools: readonly Tool[];
  /** What an agent of the SDK is made of, in place of the tools that it had. */
  readonly bind: (run: Run, options: BindOptions) => Bound;
}

/** What else tools are given. */
export interface GuardToolsOptions {
  /** Called once with the tools that are left out; by default a Node.js warning. */
  readonly onOmitted?: OnOmitted;
}

type SdkTool = ToolSet[string];
type Named = readonly [name: string, tool: SdkTool];

/** What is taken over of a tool: words and data for a model, and how its result is told. Nothing here has an effect. */
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

const shownOf = (tool: SdkTool): ShownTool => ({
  ...Object.fromEntries(
    shownMembers.filter((key) => tool[key] !== undefined).map((key) => [key, deepFreeze(ownCopy(tool[key]))]),
  ),
  // read once, and by the chart: what it reads is what is approved, hashed and called
  inputSchema: Object.freeze(jsonSchema(() => asSchema(tool.inputSchema).jsonSchema)),
});

/** What a model sees of tools: none of them can be called as it is. */
const shownTools = (tools: readonly Named[], own: readonly Tool[]): ReadonlyMap<string, ShownTool> =>
  new Map([
    ...tools.map(([name, tool]): [string, ShownTool] => [name, shownOf(tool)]),
    ...own.map(({ name, description, input }): [string, ShownTool] => [
      name,
      { type: 'dynamic', description, inputSchema: Object.freeze(jsonSchema(jsonSchemaOf(input))) },
    ]),
  ]);

/**
 * Puts tools of the AI SDK under contracts; `own` are tools of ours, such as tasks, that its agents see as well.
 *
 * A high-risk tool whose contract declares no rollback is left out, and reported to `onOmitted` (UAICP 5.3).
 *
 * Throws `definition_invalid`: for a contract of no tool, for two tools of one name, and for tools that are executed
 * elsewhere, by a provider or a client.
 */
export const guardTools = <Tools extends ToolSet>(
  tools: Tools,
  contracts: ToolContracts<Tools> = {},
  own: readonly Tool[] = [],
  { onOmitted }: GuardToolsOptions = {},
): GuardedTools => {
  const names = Object.keys(tools);
  const known: ReadonlySet<string> = new Set(names);
  refuseTools([
    ...Object.entries(tools).flatMap(([name, tool]) => issuesOf(name, tool)),
    ...Object.keys(contracts)
      .filter((name) => !known.has(name))
      .map((name) => ({ path: `/${name}`, message: `is no tool: expected one of ${names.join(', ')}` })),
    ...own
      .filter(({ name }) => known.has(name))
      .map(({ name }) => ({ path: `/${name}`, message: 'is a tool twice: expected another name' })),
  ]);
  // each is of its tool's own arguments, which its own schema reads
  const contracted = contracts as Readonly<Record<string, ToolContract<Record<string, unknown>> | undefined>>;
  const contractOf = (name: string) => (Object.hasOwn(contracted, name) ? contracted[name] : {});
  const offered = withoutIrreversible(
    'guardTools',
    Object.entries(tools),
    ([name]) => needOf(name, contractOf(name)),
    onOmitted,
  );
  const shown = shownTools(offered, own);
  return Object.freeze({
    tools: offered.map(([name, tool]) => guardTool(foreignTool(name, tool), contractOf(name))),
    bind: (run: Run, options: BindOptions) => bindTools(shown, run, options),
  });
};
