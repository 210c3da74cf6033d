import { manyLines, shownName, shownNames } from '../../base/text/foreign-text.ts';
import type { JsonObject } from '../../../schema/formats.ts';
import { pointerTo } from '../../base/canonical/unreadable.ts';
import { allowanceOf, budgetOf, type ForeignBudget } from '../../base/boundary/budget.ts';
import { raisedTier } from '../../base/define/hints.ts';
import { withoutIrreversible, type OnOmitted } from '../../base/define/omitted.ts';
import { parseTool, type UnreadToolDefinition } from '../../base/define/tool.ts';
import { CharterError } from '../../base/errors.ts';
import { lowered, unlabelled } from '../../gates/origins/label.ts';
import type { Labels } from '../../base/ports/origin.ts';
import type { Tool } from '../../base/ports/tool.ts';
import { callOf } from './call.ts';
import { bindClient, type McpClient } from './client.ts';
import type { Elicitations } from './elicitations.ts';
import { listTools, nameOf, versionOf, type ListedTool } from './listed.ts';
import { argumentsOf, schemaCheckOf, type JsonSchemaValidator } from './schema.ts';
import { isUntrusted, tierOf } from './tier.ts';

type Declared =
  | 'tier'
  | 'evidenceType'
  | 'deadline'
  | 'rollback'
  | 'doubt'
  | 'lookup'
  | 'flows'
  | 'isHidden'
  | 'isForeign'
  | 'repeats'
  | 'stops';

/** Your contract for a server's tool. */
export interface McpContract extends Pick<UnreadToolDefinition<JsonObject>, Declared> {
  /**
   * The labels of the evidence's payload (`McpResult`), by JSON Pointer. By default it is untrusted. A result of a server
   * that you do not trust, or of an open world, stays untrusted whatever you declare; `readers` still hold.
   */
  readonly labels?: Labels;
  /**
   * The version of the definition that you have read (`tool.version`, a digest). A model is then shown what you read:
   * `isForeign` is `false`. Another definition is refused.
   */
  readonly pinned?: string;
  /** The meaning of the tool's own error (`isError`). By default, a failed write may have happened. */
  readonly errorMeans?: 'notDone';
  /** Whether a write has no effect before its question is answered. A read never has one. */
  readonly asksFirst?: boolean;
}

/** Options of `mcpTools`. */
export interface McpToolsOptions {
  /** The local name of the server. A tool is named `server.tool`. */
  readonly server: string;
  /** Whether to trust annotations that mark a tool as harmless. By default `false`. */
  readonly isTrusted?: boolean;
  /** The tools to bind, by the server's names. By default all. */
  readonly only?: readonly string[];
  /** Contracts by the server's tool names. Annotations can raise a declared tier. */
  readonly contracts?: Readonly<Record<string, McpContract>>;
  /** The limits for this server. By default those of `ForeignBudget`. */
  readonly budget?: Partial<ForeignBudget>;
  /**
   * Validates arguments and results in this thread. By default, the installed SDK's validator does, in a
   * thread of its own.
   */
  readonly validator?: JsonSchemaValidator;
  /** Questions of servers before MCP 2026-07-28. By default, your client's own handler answers. */
  readonly elicitations?: Elicitations;
  /**
   * Whether evidence keeps the content beside structured content too, such as images, unless it only repeats that as text. By
   * default only the structured content.
   */
  readonly keepsContent?: boolean;
  /** Called once with the tools that were omitted. By default, a Node.js warning. */
  readonly onOmitted?: OnOmitted;
}

/** Throws for an unknown name, because a misspelt contract would have no effect. */
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

/** Throws for a definition that is not the one that was read. */
const checkPins = (listed: readonly ListedTool[], { server, contracts = {} }: McpToolsOptions) => {
  const changed = listed.filter((tool) => {
    const pinned = contracts[tool.name]?.pinned;
    return pinned !== undefined && pinned !== versionOf(tool);
  });
  const issues = changed.map((tool) => {
    const pinned = contracts[tool.name]?.pinned;
    const message = `is ${versionOf(tool)} now, and you pinned ${pinned}: read its new definition, then pin that`;
    return { path: pointerTo(['contracts', tool.name, 'pinned']), message };
  });
  const [first] = issues;
  if (first === undefined) return;
  const message = `server ${server}: the definition of ${shownNames(changed.map(({ name }) => name))} ${first.message}`;
  throw new CharterError('definition_invalid', message, { definition: 'mcpTools', issues });
};

/** Returns what the tools of one server share. */
const connected = (client: McpClient, { server, budget, validator }: McpToolsOptions) => {
  const allowance = allowanceOf(`server ${server}`, budgetOf('mcpTools', budget));
  return { client: bindClient(client), server, allowance, check: schemaCheckOf(allowance, validator) };
};

/** Returns the labels of a tool's results. No trust is declared in what may come from anyone. */
const labelsOf = (
  labels: Labels | undefined,
  isForeign: boolean,
): Pick<UnreadToolDefinition<JsonObject>, 'labels'> => {
  if (labels === undefined) return {};
  return { labels: isForeign ? lowered(labels, unlabelled, unlabelled) : labels };
};

const toolOf = (
  listed: ListedTool,
  shared: ReturnType<typeof connected>,
  { isTrusted = false, contracts = {}, elicitations, keepsContent = false }: McpToolsOptions,
): Tool => {
  const { errorMeans, asksFirst = false, labels, pinned, ...contract } = contracts[listed.name] ?? {};
  const { annotations, inputSchema: schema } = listed;
  const isForeign = isUntrusted(annotations, { isTrusted });
  const name = nameOf(shared.server, listed.name);
  const key = (): string => `${versionOf(listed)} input`;
  const input = { key, name: `tool ${JSON.stringify(name)}: its inputSchema`, schema };
  const defined: Tool = parseTool({
    tier: tierOf(annotations, { isTrusted }),
    isForeign: !isTrusted && pinned === undefined,
    ...contract,
    ...labelsOf(labels, isForeign),
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
    isUntrusted: isForeign,
    keepsContent,
    errorMeans: errorMeans ?? 'unknown',
    mayPause: asksFirst || tool.tier === 'read_only',
    elicitations: elicitations ?? null,
  });
  return tool;
};

/**
 * Returns the tools of an MCP server, each with a contract and frozen. The tier comes from your contract or
 * `tierOf`; the version is the digest of the definition (MCP tools; UAICP 5.3).
 *
 * Omits a `write_high_risk` tool whose contract declares no rollback, and reports it to `onOmitted`.
 *
 * Each call first reads the server's list up to this tool. A changed tool, or a client with replaced
 * functions, is not called. Schemas are compiled at first use.
 *
 * Throws `definition_invalid` for a name that is not listed, `budget_exceeded` for a listing beyond `budget`,
 * and `document_invalid` for an unreadable listing or confusable names.
 */
export const mcpTools = async (client: McpClient, options: McpToolsOptions): Promise<readonly Tool[]> => {
  const { server, isTrusted = false, only, contracts = {} } = options;
  const shared = connected(client, options);
  const isWanted = (name: string): boolean => only?.includes(name) ?? true;
  const listed = await listTools(shared.client, shared.allowance, isWanted);
  checkNames(listed, options);
  checkPins(listed, options);
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
