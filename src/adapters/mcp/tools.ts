import { manyLines, shownName, shownNames } from '../../boundary/foreign-text.ts';
import type { JsonObject } from '../../../schema/formats.ts';
import { allowanceOf, budgetOf, type ForeignBudget } from '../../boundary/budget.ts';
import { raisedTier } from '../../define/hints.ts';
import { withoutIrreversible, type OnOmitted } from '../../define/omitted.ts';
import { defineTool, type ToolDefinition } from '../../define/tool.ts';
import { CharterError } from '../../errors.ts';
import type { Tool } from '../../ports/tool.ts';
import { callOf } from './call.ts';
import { bindClient, type McpClient } from './client.ts';
import type { Elicitations } from './elicitations.ts';
import { listTools, nameOf, versionOf, type ListedTool } from './listed.ts';
import { argumentsOf, schemaCheckOf, type JsonSchemaValidator } from './schema.ts';
import { isUntrusted, tierOf } from './tier.ts';

type Declared = 'tier' | 'evidenceType' | 'deadline' | 'rollback' | 'doubt' | 'lookup';

/** What a host answers for, of one tool of a server that somebody else wrote. */
export interface McpContract extends Pick<ToolDefinition<JsonObject>, Declared> {
  /** What the tool's own error (`isError`) means; left out, a write that answers with one may have happened. */
  readonly errorMeans?: 'notDone';
  /** The tool does nothing before what it asks a person is answered; a read never does. */
  readonly asksFirst?: boolean;
}

/** Which tools of which server, and what the host says of them. */
export interface McpToolsOptions {
  /** What the server is called here: a tool is `server.tool`. */
  readonly server: string;
  /** Whether its annotations are believed where they say that a tool is harmless; `false` where left out. */
  readonly isTrusted?: boolean;
  /** The server's names of the tools that are wanted; all where left out. */
  readonly only?: readonly string[];
  /** By the server's name of the tool; hints of the server may raise a tier that is declared here. */
  readonly contracts?: Readonly<Record<string, McpContract>>;
  /** What the server may cost: `ForeignBudget` says the defaults. */
  readonly budget?: Partial<ForeignBudget>;
  /**
   * Checks arguments and results against a tool's schemas, in this thread. By default, the validator of the installed SDK
   * does, on a thread of its own.
   */
  readonly validator?: JsonSchemaValidator;
  /** Where a server before MCP 2026-07-28 asks people; left out, its client's own handler answers. */
  readonly elicitations?: Elicitations;
  /** Called once with the tools that are left out; by default a Node.js warning. */
  readonly onOmitted?: OnOmitted;
}

/** What is misspelt would otherwise go unguarded unseen. */
const checkNames = (
  listed: readonly ListedTool[],
  { server, only = [], contracts = {} }: McpToolsOptions,
) => {
  const known = new Set(listed.map(({ name }) => name));
  const named = [
    ...only.map((name) => ['only', name] as const),
    ...Object.keys(contracts).map((name) => ['contracts', name] as const),
  ];
  const unknown = named.filter(([, name]) => !known.has(name));
  if (unknown.length === 0) return;
  const expected = `expected one of ${shownNames([...known]) || 'none'}`;
  const issues = unknown.map(([option, name]) => ({
    path: `/${option}`,
    message: `unknown tool ${shownName(name)}: ${expected}`,
  }));
  const message = `server ${server}: ${issues
    .slice(0, 3)
    .map((issue) => issue.message)
    .join('; ')}`;
  throw new CharterError('definition_invalid', message, { definition: 'mcpTools', issues });
};

/** What the tools of one server share. */
const connected = (client: McpClient, { server, budget, validator }: McpToolsOptions) => {
  const allowance = allowanceOf(`server ${server}`, budgetOf('mcpTools', budget));
  return { client: bindClient(client), server, allowance, check: schemaCheckOf(allowance, validator) };
};

const toolOf = (
  listed: ListedTool,
  shared: ReturnType<typeof connected>,
  { isTrusted = false, contracts = {}, elicitations }: McpToolsOptions,
): Tool => {
  const { errorMeans, asksFirst = false, ...contract } = contracts[listed.name] ?? {};
  const { annotations, inputSchema: schema } = listed;
  const name = nameOf(shared.server, listed.name);
  const key = (): string => `${versionOf(listed)} input`;
  const input = { key, name: `tool ${JSON.stringify(name)}: its inputSchema`, schema };
  const defined: Tool = defineTool({
    tier: tierOf(annotations, { isTrusted }),
    ...contract,
    name,
    description: manyLines(listed.description),
    ...(annotations && { hints: annotations }),
    input: argumentsOf(input, shared.check),
    call: (given, context) => call(given, context),
  });
  const tool: Tool = Object.freeze({
    ...defined,
    get version() {
      return versionOf(listed);
    },
  });
  const call = callOf({
    ...shared,
    listed,
    tool,
    isUntrusted: isUntrusted(annotations, { isTrusted }),
    errorMeans: errorMeans ?? 'unknown',
    mayPause: asksFirst || tool.tier === 'read_only',
    elicitations: elicitations ?? null,
  });
  return tool;
};

/**
 * The tools of an MCP server, each under a contract: its tier as `tierOf` has it or as the host declares it, its version
 * the digest of its description (MCP tools; UAICP 5.3). They and their list are frozen.
 *
 * A tool that comes out as `write_high_risk` and whose contract declares no rollback is left out, and reported to `onOmitted`.
 *
 * Each call reads the server's list again, up to this tool, and is not made where this one is not what it was, or where a
 * function of the client is not the one that was bound. Schemas are compiled when they are first used.
 *
 * Throws `definition_invalid` for a name that the server does not list, `budget_exceeded` for a list that costs more than
 * `budget`, and `document_invalid` for one that cannot be read or that has two tools whose names could be taken for one another.
 */
export const mcpTools = async (client: McpClient, options: McpToolsOptions): Promise<readonly Tool[]> => {
  const { server, isTrusted = false, only, contracts = {} } = options;
  const shared = connected(client, options);
  const isWanted = (name: string): boolean => only?.includes(name) ?? true;
  const listed = await listTools(shared.client, shared.allowance, isWanted);
  checkNames(listed, options);
  const offered = withoutIrreversible(
    `server ${server}`,
    listed.filter(({ name }) => isWanted(name)),
    ({ name, annotations }) => {
      const { tier, rollback } = contracts[name] ?? {};
      const raised = raisedTier(tier ?? tierOf(annotations, { isTrusted }), annotations ?? {});
      return { name, tier, hints: annotations, rollback, raised };
    },
    options.onOmitted,
  );
  return Object.freeze(offered.map((tool) => toolOf(tool, shared, options)));
};
