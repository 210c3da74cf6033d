import * as z from 'zod';
import { JsonObject } from '../../../schema/index.ts';
import type { Allowance } from '../../boundary/budget.ts';
import { parseDocument } from '../../boundary/parse-document.ts';

const Result = z.object({
  content: z.array(JsonObject).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
});

/** A server's answer: a result for evidence, or an error text. */
export type Answered = { readonly wrong: string } | { readonly brought: McpResult };

/** The payload of evidence for a tool result. */
export interface McpResult {
  readonly server: string;
  readonly tool: string;
  /** Whether the content may come from anyone: an untrusted server, or an open world. */
  readonly isUntrusted: boolean;
  /** The content that matches `outputSchema`; `content` if there is no structured content. */
  readonly structured?: unknown;
  readonly content?: readonly JsonObject[];
}

const textOf = (content: readonly JsonObject[]): string =>
  content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join(' ');

/** Parses the result of `tools/call`. Throws `budget_exceeded`, `document_invalid` or `input_unreadable`. */
export const readResult = (
  value: unknown,
  of: Pick<McpResult, 'server' | 'tool' | 'isUntrusted'>,
  allowance: Allowance,
): Answered => {
  const { value: wired } = allowance.read('CallToolResult', value, 'resultBytes');
  const read = parseDocument('CallToolResult', Result, wired);
  const { content, structuredContent: structured, isError } = read;
  if (isError)
    return { wrong: textOf(content) || (JSON.stringify(structured) ?? 'it answered with an error') };
  return { brought: { ...of, ...(structured === undefined ? { content } : { structured }) } };
};
