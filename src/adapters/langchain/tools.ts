import type { DynamicStructuredTool, StructuredToolInterface } from '@langchain/core/tools';
import { tierOf } from '../../base/define/tool.ts';
import { withoutIrreversible, type OnOmitted } from '../../base/define/omitted.ts';
import type { Contracts, GuardedToolsOf } from '../../guard/contracts.ts';
import { contractIn, guardUnreadTool, needOf } from '../../guard/guard-tool.ts';
import type { StandardSchema } from '../../base/ports/schema.ts';
import type { Tool } from '../../base/ports/tool.ts';
import type { Waiting } from './calls.ts';
import { inputOf, withoutRereading } from './schema.ts';
import { BoundTool } from './bound-tool.ts';
import { refusalOf } from './refusal.ts';
import type { RunSource } from './source.ts';
import { startTool } from './started-tools.ts';
import { toolResult } from './tool-result.ts';

/** The arguments that a tool may receive: what its schema returns, or its input where that is no JSON. */
type Given<Foreign> = Foreign extends {
  readonly name: infer Name extends string;
  readonly schema: StandardSchema<infer Output, infer Input>;
}
  ? {
      readonly name: Name;
      readonly schema: StandardSchema<[Input] extends [Output] ? Output : Input | Output>;
    }
  : Foreign;

type GivenEach<Foreign extends readonly object[]> = readonly (Given<Foreign[number]> & object)[];

/** The guarded tools of an agent. */
export interface GuardedTools<Guarded extends Tool = Tool> {
  /** For `createGuard`. Only its effect ledger calls them. */
  readonly tools: readonly Guarded[];
  /**
   * Returns tools for `createAgent`, a model or a `ToolNode`. Calls are proposed to the run; questions
   * interrupt the graph.
   */
  readonly bind: (run: RunSource, options?: Waiting) => DynamicStructuredTool[];
}

/** Options of `guardTools`. */
export interface GuardToolsOptions {
  /** Called once with the tools that were omitted. By default, a Node.js warning. */
  readonly onOmitted?: OnOmitted;
}

const refused = (path: string, message: string) => refusalOf('guardTools', path, message);

/** Returns whether a tool runs here, and not at a provider or a client of the graph. */
const isLocal = (tool: object): tool is StructuredToolInterface =>
  'invoke' in tool && 'schema' in tool && !('metadata' in tool && isHeadless(tool.metadata));

const isHeadless = (metadata: unknown): boolean =>
  typeof metadata === 'object' && metadata !== null && 'headlessTool' in metadata;

/** Throws `definition_invalid` for tools that run elsewhere. */
export function checkTools(tools: readonly object[]): asserts tools is readonly StructuredToolInterface[] {
  const at = tools.findIndex((tool) => !isLocal(tool));
  if (at !== -1)
    throw refused(`/${at}`, 'expected a local tool, not one that a provider or a client executes');
}

/**
 * Guards tools of LangChain. A tool without a contract is `write_high_risk` (UAICP 5.3).
 *
 * Omits a high-risk tool whose contract declares no rollback, and reports it to `onOmitted`.
 *
 * `own` are tools of this library, such as tasks, for the same agent. Throws `definition_invalid` for a
 * contract without a tool, and for a tool that a provider or a client of the graph executes.
 */
export const guardTools = <const Tools extends readonly object[]>(
  tools: Tools,
  contracts: Contracts<GivenEach<Tools>, 'schema'> = {},
  own: readonly Tool[] = [],
  { onOmitted }: GuardToolsOptions = {},
): GuardedTools<GuardedToolsOf<GivenEach<Tools>, 'schema'>> => {
  const given: readonly object[] = tools;
  checkTools(given);
  const unknown = Object.keys(contracts).find((name) => !given.some((tool) => tool.name === name));
  if (unknown !== undefined)
    throw refused(`/${unknown}`, `expected one of ${given.map(({ name }) => name).join(', ')}`);
  const contractOf = (name: string) => contractIn<Record<string, unknown>>(contracts, name);
  const offered = withoutIrreversible(
    'guardTools',
    given,
    ({ name }) => needOf(name, contractOf(name)),
    onOmitted,
  );
  const guarded = offered.map((tool): Tool => {
    const { name, description } = tool;
    const contract = contractOf(name);
    const isRead = tierOf(contract) === 'read_only';
    const execute = async (input: object, { signal }: { readonly signal: AbortSignal }) => {
      const ready = await withoutRereading(tool, input);
      return toolResult(await startTool((runId) => ready.invoke(input, { signal, runId })), isRead);
    };
    return guardUnreadTool({ name, description, input: inputOf(tool), execute }, contract);
  });
  return {
    tools: guarded,
    bind: (source, options = {}) => [...guarded, ...own].map((tool) => new BoundTool(tool, source, options)),
  };
};
