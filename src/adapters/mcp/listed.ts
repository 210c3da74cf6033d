import * as z from 'zod';
import { Identifier, type JsonObject } from '../../../schema/index.ts';
import type { Allowance } from '../../boundary/budget.ts';
import { likenessOf, shownNames } from '../../boundary/foreign-text.ts';
import { isObject } from '../../boundary/is-object.ts';
import { parseDocument } from '../../boundary/parse-document.ts';
import { digest } from '../../canonical/digest.ts';
import { causeOf, CharterError, isCharterError } from '../../errors.ts';
import type { BoundClient, Page } from './client.ts';

/** Whatever else a server says of its tool is no hint of ours. */
const Annotations = z.object({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});

/** An object of what was read as JSON before. */
const JsonSchema = z.custom<JsonObject>(isObject, 'expected a JSON Schema, an object');

const Listed = z.object({
  name: z.string(),
  title: z.string().exactOptional(),
  description: z.string().default(''),
  inputSchema: JsonSchema,
  outputSchema: JsonSchema.exactOptional(),
  annotations: Annotations.exactOptional(),
  execution: z.object({ taskSupport: z.string().exactOptional() }).exactOptional(),
});

/** A tool as its server describes it. */
export type ListedTool = z.infer<typeof Listed>;

const versions = new WeakMap<ListedTool, string>();

/**
 * The digest of a definition, made when it is first asked for. It covers what a model or an approver is told of the tool:
 * another description is another tool.
 */
export const versionOf = (tool: ListedTool): string => {
  const version = versions.get(tool) ?? digest(tool);
  versions.set(tool, version);
  return version;
};

/** Reads a definition, and returns its bytes; `before` are those of the listing so far. */
const readTool = (value: unknown, { read }: Allowance, before = 0) => {
  const { value: wired, bytes } = read('Tool', value, 'listingBytes', before);
  const tool: ListedTool = parseDocument('Tool', Listed, wired);
  return { tool, bytes };
};

/** The pages of a listing, as long as they do not exceed the budget. Throws `document_invalid` if it repeats itself. */
async function* pagesOf(
  { page }: BoundClient,
  { check, exceeded, budget }: Allowance,
  signal?: AbortSignal,
): AsyncGenerator<Page> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  let tools = 0;
  do {
    const next = await page(cursor, signal);
    tools += next.tools.length;
    check('tools', tools);
    yield next;
    cursor = next.nextCursor;
    if (cursor === undefined) return;
    if (seen.has(cursor)) parseDocument('tools/list', Ended, cursor);
    seen.add(cursor);
    if (seen.size === budget.pages) throw exceeded('pages', null);
  } while (true);
}

const Ended = z.never('expected a list that ends: it names a page that it named before');

const nameIn = (tool: unknown): string | null =>
  isObject(tool) && typeof tool['name'] === 'string' ? tool['name'] : null;

/** The names of other tools on a page that could be taken for this one, and its own if it is listed twice. */
const alike = (name: string, { tools }: Page): readonly string[] => {
  const likeness = likenessOf(name);
  const names = tools.flatMap((tool) => nameIn(tool) ?? []).filter((one) => likenessOf(one) === likeness);
  return names.length < 2 ? [] : names;
};

/** Refuses tools that `isWanted` and that share a name, or one that could be taken for it. */
const checkAlike = (
  party: string,
  tools: readonly ListedTool[],
  isWanted: (name: string) => boolean,
): void => {
  const groups = new Map<string, string[]>();
  for (const { name } of tools) {
    const likeness = likenessOf(name);
    groups.set(likeness, [...(groups.get(likeness) ?? []), name]);
  }
  const clashes = [...groups.values()].filter((names) => names.length > 1 && names.some(isWanted));
  if (clashes.length === 0) return;
  const issues = clashes.map((names) => ({
    path: '/tools',
    message: `expected names that cannot be taken for one another, not ${shownNames(names)}`,
  }));
  const shown = clashes
    .slice(0, 3)
    .map((names) => shownNames(names, 3))
    .join('; ');
  const message = `${party} lists tools whose names are the same, or differ only by case, Unicode form, blanks or characters that no one sees: ${shown}. Have it rename them, or name others in \`only\``;
  throw new CharterError('document_invalid', message, { document: 'tools/list', issues });
};

/** Asks for a page. What a client throws holds a server's words: it becomes an error of ours, whose cause it is. */
const asking =
  ({ page }: BoundClient, { party }: Allowance): BoundClient['page'] =>
  async (cursor, signal) => {
    try {
      return await page(cursor, signal);
    } catch (cause) {
      if (isCharterError(cause)) throw cause;
      const message = `${party} could not be asked for its tools: ${causeOf(cause)}`;
      const issues = [{ path: '', message: 'expected a list of tools, and not an error' }];
      throw new CharterError('document_invalid', message, { document: 'tools/list', issues }, { cause });
    }
  };

/**
 * The tools that a server lists now. Throws `budget_exceeded`, `input_unreadable`, and `document_invalid`, also if a name
 * that `isWanted` stands for two of them, or if the server or its client answers with an error.
 */
export const listTools = async (
  client: BoundClient,
  allowance: Allowance,
  isWanted: (name: string) => boolean,
): Promise<readonly ListedTool[]> => {
  const listed: ListedTool[] = [];
  let bytes = 0;
  for await (const { tools } of pagesOf({ ...client, page: asking(client, allowance) }, allowance))
    for (const value of tools) {
      const read = readTool(value, allowance, bytes);
      listed.push(read.tool);
      bytes += read.bytes;
    }
  checkAlike(allowance.party, listed, isWanted);
  return listed;
};

/** What a server lists under a name now; `alike` are the names on its page that could be taken for it. */
export interface Found {
  readonly tool: ListedTool;
  readonly alike: readonly string[];
}

/** Reads a listing until the page that names a tool, and nothing but that tool of it; `null` if no page does. */
export const findTool = async (
  client: BoundClient,
  allowance: Allowance,
  name: string,
  signal: AbortSignal,
): Promise<Found | null> => {
  for await (const page of pagesOf(client, allowance, signal)) {
    const value = page.tools.find((tool) => nameIn(tool) === name);
    if (value !== undefined) return { tool: readTool(value, allowance).tool, alike: alike(name, page) };
  }
  return null;
};

/** The name of a server's tool here: what no identifier may hold is written as a URI would (RFC 3986, 2.1). */
export const nameOf = (server: string, tool: string): string =>
  parseDocument(
    'tool name',
    Identifier,
    `${server}.${tool.replaceAll(/[^\x20-\x24\x26-\x7e]+/gu, encodeURIComponent)}`,
  );
