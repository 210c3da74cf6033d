import * as z from 'zod';
import { JsonObject } from '../../../schema/index.ts';
import type { Allowance } from '../../base/boundary/budget.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { isNotKept, kept, notKeptKey } from '../../base/canonical/kept.ts';
import { wellFormed } from '../../base/canonical/well-formed.ts';
import { isCharterError, type ErrorDetails } from '../../base/errors.ts';

const Result = z.object({
  content: z.array(JsonObject).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
});

/**
 * A server's answer: a result for evidence, or an error text. `sent` is the answer that its `outputSchema` is for; `null` if it
 * is beyond the budget.
 */
export type Answered = { readonly wrong: string } | { readonly brought: McpResult; readonly sent: unknown };

/** The payload of evidence for a tool result. */
export interface McpResult {
  readonly server: string;
  readonly tool: string;
  /** Whether the content may come from anyone: an untrusted server, or an open world. */
  readonly isUntrusted: boolean;
  /** The content that matches `outputSchema`; `content` if there is no structured content, or beside it under `keepsContent`. */
  readonly structured?: unknown;
  readonly content?: readonly JsonObject[];
}

/** How an answer is kept. */
interface Keeping extends Pick<McpResult, 'server' | 'tool' | 'isUntrusted'> {
  readonly keepsContent: boolean;
}

const jsonOf = (text: unknown): string | null => {
  try {
    return typeof text === 'string' ? JSON.stringify(JSON.parse(text)) : null;
  } catch {
    return null;
  }
};

/** Returns whether content says more than its structured part: servers repeat that as text, for clients that know no other. */
const saysMore = (content: readonly JsonObject[], structured: unknown): boolean => {
  const json = JSON.stringify(structured);
  return content.some(
    ({ type: _type, text, ...rest }) => jsonOf(text) !== json || Object.keys(rest).length > 0,
  );
};

const textOf = (content: readonly JsonObject[]): string =>
  content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join(' ');

/** Returns an answer with a marker as its content, so that a success stays one. */
const marked = (value: unknown, marker: unknown) =>
  isObject(value) && { isError: value['isError'], content: [marker] };

const beyond = ({ limit, sent, allowed }: ErrorDetails['budget_exceeded']): string =>
  limit === 'depth'
    ? `nested deeper than ${allowed} levels`
    : `an answer of ${sent} bytes, of which ${allowed} are read`;

/** Returns an answer as a record can hold it, as `kept` does. The server has answered: a call is not in doubt for its size. */
const readable = (
  value: unknown,
  { read }: Allowance,
): { readonly held: unknown; readonly sent: unknown } => {
  try {
    const { value: held } = read('CallToolResult', value, 'resultBytes');
    return { held, sent: held };
  } catch (error) {
    if (isCharterError(error, 'budget_exceeded'))
      return { held: marked(value, { [notKeptKey]: beyond(error.details) }), sent: null };
    if (!isCharterError(error, 'input_unreadable')) throw error;
    const sent = wellFormed(value);
    const { value: held } = kept(sent, 'CallToolResult');
    return { held: isNotKept(held) ? marked(sent, held) : held, sent };
  }
};

/** Parses the result of `tools/call`, with a marker in place of what cannot be kept. Throws `document_invalid`. */
export const readResult = (
  value: unknown,
  { keepsContent, ...of }: Keeping,
  allowance: Allowance,
): Answered => {
  const { held, sent } = readable(value, allowance);
  const read = parseDocument('CallToolResult', Result, held);
  const { content, structuredContent: structured, isError } = read;
  if (isError)
    return { wrong: textOf(content) || (JSON.stringify(structured) ?? 'it answered with an error') };
  const [lost = {}] = content.length === 1 ? content.filter(isNotKept) : []; // nothing was kept: it is no evidence
  if (structured === undefined) return { brought: { ...of, ...lost, content }, sent };
  const brought = { ...of, ...lost, structured };
  return { brought: keepsContent && saysMore(content, structured) ? { ...brought, content } : brought, sent };
};
