import type { DynamicStructuredTool, StructuredToolInterface } from '@langchain/core/tools';
import { withoutIrreversible, type OnOmitted } from '../../define/omitted.ts';
import { guardTool, needOf, type ToolContract } from '../../guard/guard-tool.ts';
import type { Tool } from '../../ports/tool.ts';
import type { Waiting } from './calls.ts';
import { inputOf } from './schema.ts';
import { BoundTool } from './bound-tool.ts';
import { refusalOf } from './refusal.ts';
import type { RunSource } from './source.ts';
import { starting } from './started.ts';

/** The tools of an agent, under their contracts. */
export interface GuardedTools {
  /** For `createGuard`: the only way to what the framework's tools do. */
  readonly tools: readonly Tool[];
  /** For `createAgent`, a model or a `ToolNode`: what is called is proposed to the run, and interrupts while people are asked. */
  readonly bind: (run: RunSource, options?: Waiting) => DynamicStructuredTool[];
}

/** What else tools are given. */
export interface GuardToolsOptions {
  /** Called once with the tools that are left out; by default a Node.js warning. */
  readonly onOmitted?: OnOmitted;
}

const refused = (path: string, message: string) => refusalOf('guardTools', path, message);

/** What a provider runs, or a client of the graph, is out of our reach. */
const isOurs = (tool: object): tool is StructuredToolInterface =>
  'invoke' in tool && 'schema' in tool && !('metadata' in tool && isHeadless(tool.metadata));

const isHeadless = (metadata: unknown): boolean =>
  typeof metadata === 'object' && metadata !== null && 'headlessTool' in metadata;

/** Refuses what is called elsewhere than here; throws `definition_invalid`. */
export function checkTools(tools: readonly object[]): asserts tools is readonly StructuredToolInterface[] {
  const at = tools.findIndex((tool) => !isOurs(tool));
  if (at !== -1)
    throw refused(`/${at}`, 'expected a tool that is called here: not one of a provider or a client');
}

/**
 * Tools of LangChain's under contracts; without one, a tool is `write_high_risk` (UAICP 5.3).
 *
 * A high-risk tool whose contract declares no rollback is left out, and reported to `onOmitted`.
 *
 * `own` are tools of ours, such as tasks, that the agent sees as well. Throws `definition_invalid` for a contract of no
 * tool, and for a tool that its provider or a client of the graph runs.
 */
export const guardTools = (
  tools: readonly object[],
  contracts: Readonly<Record<string, ToolContract<Record<string, unknown>>>> = {},
  own: readonly Tool[] = [],
  { onOmitted }: GuardToolsOptions = {},
): GuardedTools => {
  checkTools(tools);
  const stray = Object.keys(contracts).find((name) => !tools.some((tool) => tool.name === name));
  if (stray !== undefined)
    throw refused(`/${stray}`, `expected one of ${tools.map(({ name }) => name).join(', ')}`);
  const contractOf = (name: string) => (Object.hasOwn(contracts, name) ? contracts[name] : {});
  const offered = withoutIrreversible(
    'guardTools',
    tools,
    ({ name }) => needOf(name, contractOf(name)),
    onOmitted,
  );
  const guarded = offered.map((tool) => {
    const { name, description } = tool;
    const execute = (input: object, { signal }: { readonly signal: AbortSignal }) =>
      starting((runId) => tool.invoke(input, { signal, runId }));
    return guardTool({ name, description, input: inputOf(tool), execute }, contractOf(name));
  });
  return {
    tools: guarded,
    bind: (source, options = {}) => [...guarded, ...own].map((tool) => new BoundTool(tool, source, options)),
  };
};
