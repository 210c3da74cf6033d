import type { JsonObject } from '../../../schema/formats.ts';
import { raisedTier } from '../../define/hints.ts';
import { withoutIrreversible, type OnOmitted } from '../../define/omitted.ts';
import { defineTool, type ToolDefinition } from '../../define/tool.ts';
import { CharterError } from '../../errors.ts';
import type { Tool } from '../../ports/tool.ts';
import { callOf } from './call.ts';
import type { McpClient } from './client.ts';
import type { Elicitations } from './elicitations.ts';
import { listTools, nameOf, type ListedTool } from './listed.ts';
import { argumentsOf, installedValidator, type JsonSchemaValidator } from './schema.ts';
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
  /** Checks arguments against a tool's `inputSchema`; that of the installed SDK where left out. */
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
    ...only.map((name) => ['only', name]),
    ...Object.keys(contracts).map((name) => ['contracts', name]),
  ];
  const unknown = named.filter(([, name = '']) => !known.has(name));
  if (unknown.length === 0) return;
  const expected = `expected one of ${[...known].join(', ') || 'none'}`;
  const issues = unknown.map(([option, name]) => ({
    path: `/${option}`,
    message: `unknown tool ${JSON.stringify(name)}: ${expected}`,
  }));
  const message = `server ${server}: ${issues.map((issue) => issue.message).join('; ')}`;
  throw new CharterError('definition_invalid', message, { definition: 'mcpTools', issues });
};

/**
 * The tools of an MCP server, each under a contract: its tier as `tierOf` has it or as the host declares it, its version
 * the digest of its description (MCP tools; UAICP 5.3).
 *
 * A tool that comes out as `write_high_risk` and whose contract declares no rollback is left out, and reported to `onOmitted`.
 *
 * Each call lists the server's tools again, and is not made where this one is not what it was. Throws
 * `definition_invalid` for a name that the server does not list, and `document_invalid` for a list that cannot be read.
 */
export const mcpTools = async (client: McpClient, options: McpToolsOptions): Promise<readonly Tool[]> => {
  const { server, isTrusted = false, only, contracts = {}, elicitations = null } = options;
  const validator = options.validator ?? (await installedValidator());
  const listed = await listTools(client);
  checkNames(listed, options);
  const wanted = listed.filter(({ name }) => only?.includes(name) ?? true);
  const offered = withoutIrreversible(
    `server ${server}`,
    wanted,
    ({ name, annotations }) => {
      const { tier, rollback } = contracts[name] ?? {};
      const raised = raisedTier(tier ?? tierOf(annotations, { isTrusted }), annotations ?? {});
      return { name, tier, hints: annotations, rollback, raised };
    },
    options.onOmitted,
  );
  return offered.map((tool) => {
    const { errorMeans, asksFirst = false, ...contract } = contracts[tool.name] ?? {};
    const { annotations, version } = tool;
    const name = nameOf(server, tool.name);
    const defined: Tool = defineTool({
      tier: tierOf(annotations, { isTrusted }),
      ...contract,
      name,
      version,
      description: tool.description,
      ...(annotations && { hints: annotations }),
      input: argumentsOf(tool.inputSchema, validator, name),
      call: (input, context) => call(input, context),
    });
    const call = callOf({
      client,
      server,
      listed: tool,
      tool: defined,
      isUntrusted: isUntrusted(annotations, { isTrusted }),
      errorMeans: errorMeans ?? 'unknown',
      mayPause: asksFirst || defined.tier === 'read_only',
      elicitations,
    });
    return defined;
  });
};
