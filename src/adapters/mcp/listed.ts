import * as z from 'zod';
import { Identifier, JsonObject } from '../../../schema/index.ts';
import { parseDocument } from '../../boundary/parse-document.ts';
import { digest } from '../../canonical/digest.ts';
import { asWired, listedBy, type McpClient } from './client.ts';

/** Whatever else a server says of its tool is no hint of ours. */
const Annotations = z.object({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});

const Listed = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().default(''),
  inputSchema: JsonObject,
  outputSchema: JsonObject.optional(),
  annotations: Annotations.optional(),
  execution: z.object({ taskSupport: z.string().optional() }).optional(),
});

/** A tool as its server describes it, and the digest of that description. */
export interface ListedTool extends z.infer<typeof Listed> {
  /** What a model or an approver was told of the tool: another description is another tool. */
  readonly version: string;
}

const readTool = (value: unknown): ListedTool => {
  const read = parseDocument('Tool', Listed, asWired('Tool', value));
  return { ...read, version: digest(asWired('Tool', read)) };
};

/** The tools that a server lists now. Throws `document_invalid` or `input_unreadable`. */
export const listTools = async (client: McpClient, signal?: AbortSignal): Promise<readonly ListedTool[]> =>
  (await listedBy(client, signal)).map(readTool);

/** The name of a server's tool here: what no identifier may hold is written as a URI would (RFC 3986, 2.1). */
export const nameOf = (server: string, tool: string): string =>
  parseDocument(
    'tool name',
    Identifier,
    `${server}.${tool.replaceAll(/[^\x20-\x24\x26-\x7e]+/gu, encodeURIComponent)}`,
  );
