import * as z from 'zod';
import { Identifier, type JsonObject } from '../../../schema/index.ts';
import type { Allowance } from '../../base/boundary/budget.ts';
import { likenessOf, shownNames } from '../../base/text/foreign-text.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { digest } from '../../base/canonical/digest.ts';
import { ToolHints } from '../../base/define/hints.ts';
import { causeOf, CharterError, isCharterError } from '../../base/errors.ts';
import type { BoundClient, Page } from './client.ts';

/** An object that was parsed as JSON before. */
const JsonSchema = z.custom<JsonObject>(isObject, 'expected a JSON Schema, an object');

const Listed = z.object({
  name: z.string(),
  title: z.string().exactOptional(),
  description: z.string().default(''),
  inputSchema: JsonSchema,
  outputSchema: JsonSchema.exactOptional(),
  annotations: ToolHints.strip().exactOptional(), // other annotations are ignored
  execution: z.object({ taskSupport: z.string().exactOptional() }).exactOptional(),
});

/** A tool as listed by its server. */
export type ListedTool = z.infer<typeof Listed>;

const versions = new WeakMap<ListedTool, string>();

/**
 * Returns the digest of a tool's definition, computed once. It covers all that models and approvers see of
 * the tool.
 */
export const versionOf = (tool: ListedTool): string => {
  const version = versions.get(tool) ?? digest(tool);
  versions.set(tool, version);
  return version;
};

/** Parses a definition, and returns the byte count of the listing; `before` is the count so far. */
const readTool = (value: unknown, { read }: Allowance, before = 0) => {
  const { value: wired, bytes } = read('Tool', value, 'listingBytes', before);
  const tool: ListedTool = parseDocument('Tool', Listed, wired);
  return { tool, bytes };
};

/** Yields the pages of a listing within the budget. Throws `document_invalid` for a repeated cursor. */
async function* pagesOf(
  { page }: BoundClient,
  { check, exceeded, budget }: Allowance,
  signal?: AbortSignal,
): AsyncGenerator<Page> {
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let tools = 0;
  do {
    const next = await page(cursor, signal);
    tools += next.tools.length;
    check('tools', tools);
    yield next;
    cursor = next.nextCursor;
    if (cursor === undefined) return;
    if (cursors.has(cursor)) parseDocument('tools/list', Ended, cursor);
    cursors.add(cursor);
    if (cursors.size === budget.pages) throw exceeded('pages', null);
  } while (true);
}

const Ended = z.never('expected a listing that ends: a cursor was repeated');

const nameIn = (tool: unknown): string | null =>
  isObject(tool) && typeof tool['name'] === 'string' ? tool['name'] : null;

/** Returns names on a page that are confusable with this one, and itself if it is listed twice. */
const confusable = (name: string, { tools }: Page): readonly string[] => {
  const likeness = likenessOf(name);
  const names = tools.flatMap((tool) => nameIn(tool) ?? []).filter((one) => likenessOf(one) === likeness);
  return names.length < 2 ? [] : names;
};

/** Throws if two wanted tools have equal or confusable names. */
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
    message: `expected names that cannot be confused, not ${shownNames(names)}`,
  }));
  const shown = clashes
    .slice(0, 3)
    .map((names) => shownNames(names, 3))
    .join('; ');
  const message = `${party} lists tools whose names are the same, or differ only by case, Unicode form, spaces or invisible characters: ${shown}. Have it rename them, or name others in \`only\``;
  throw new CharterError('document_invalid', message, { document: 'tools/list', issues });
};

/** Fetches a page. Wraps a client's error, because its message contains server text. */
const fetchPage =
  ({ page }: BoundClient, { party }: Allowance): BoundClient['page'] =>
  async (cursor, signal) => {
    try {
      return await page(cursor, signal);
    } catch (cause) {
      if (isCharterError(cause)) throw cause;
      const message = `${party} could not list its tools: ${causeOf(cause)}`;
      const issues = [{ path: '', message: 'expected a list of tools, and not an error' }];
      throw new CharterError('document_invalid', message, { document: 'tools/list', issues }, { cause });
    }
  };

/**
 * Returns the tools of a server. Throws `budget_exceeded`, `input_unreadable` and `document_invalid`; the
 * latter also for ambiguous names of wanted tools, and for an error of server or client.
 */
export const listTools = async (
  client: BoundClient,
  allowance: Allowance,
  isWanted: (name: string) => boolean,
): Promise<readonly ListedTool[]> => {
  const listed: ListedTool[] = [];
  let bytes = 0;
  for await (const { tools } of pagesOf({ ...client, page: fetchPage(client, allowance) }, allowance))
    for (const value of tools) {
      const read = readTool(value, allowance, bytes);
      listed.push(read.tool);
      bytes += read.bytes;
    }
  checkAlike(allowance.party, listed, isWanted);
  return listed;
};

/** A tool found by name; `alike` are confusable names on its page. */
export interface Found {
  readonly tool: ListedTool;
  readonly confusable: readonly string[];
}

/** Reads a listing up to the page of a tool and parses only that tool; `null` if it is not listed. */
export const findTool = async (
  client: BoundClient,
  allowance: Allowance,
  name: string,
  signal: AbortSignal,
): Promise<Found | null> => {
  for await (const page of pagesOf(client, allowance, signal)) {
    const value = page.tools.find((tool) => nameIn(tool) === name);
    if (value !== undefined)
      return { tool: readTool(value, allowance).tool, confusable: confusable(name, page) };
  }
  return null;
};

/**
 * Returns the local name of a server's tool. Characters that identifiers cannot hold are percent-encoded (RFC
 * 3986, 2.1).
 */
export const nameOf = (server: string, tool: string): string =>
  parseDocument(
    'tool name',
    Identifier,
    `${server}.${tool.replaceAll(/[^\x20-\x24\x26-\x7e]+/gu, encodeURIComponent)}`,
  );
