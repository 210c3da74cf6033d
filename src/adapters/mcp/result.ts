import * as z from 'zod';
import { JsonObject } from '../../../schema/index.ts';
import type { Allowance } from '../../boundary/budget.ts';
import { parseDocument } from '../../boundary/parse-document.ts';

const Result = z.object({
  content: z.array(JsonObject).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
});

/** What a server answered: a result for evidence, or what it says went wrong. */
export type Answered = { readonly wrong: string } | { readonly brought: McpResult };

/** What a tool of a server brings, as the payload of its evidence. */
export interface McpResult {
  readonly server: string;
  readonly tool: string;
  /** May be anybody's words: of an untrusted server, or from an open world. */
  readonly isUntrusted: boolean;
  /** What fits the tool's `outputSchema`; without structured content, what it shows. */
  readonly structured?: unknown;
  readonly content?: readonly JsonObject[];
}

const textOf = (content: readonly JsonObject[]): string =>
  content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join(' ');

/** Reads what `tools/call` returned. Throws `budget_exceeded`, `document_invalid` or `input_unreadable`. */
export const readResult = (
  value: unknown,
  of: Pick<McpResult, 'server' | 'tool' | 'isUntrusted'>,
  allowance: Allowance,
): Answered => {
  const { value: wired } = allowance.read('CallToolResult', value, 'resultBytes');
  const read = parseDocument('CallToolResult', Result, wired);
  const { content, structuredContent: structured, isError } = read;
  if (isError) return { wrong: textOf(content) || 'it answered with an error' };
  return { brought: { ...of, ...(structured === undefined ? { content } : { structured }) } };
};
