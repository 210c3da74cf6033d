import { canonicalize } from '../canonical/canonicalize.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import { readArguments } from '../orchestrator/read-arguments.ts';
import type { Tool } from '../ports/tool.ts';

/** The content of a call, for comparison. A framework may resend the raw input or the parsed input. */
export interface CallContent {
  /** The raw input; `null` if it is no longer known. */
  readonly given: string | null;
  /** The input as parsed by the tool's schema; `null` if the schema rejected it. */
  readonly read: string | null;
}

/** Returns the canonical JSON of a tool name and its parsed arguments. */
export const parsedContent = (tool: string, input: unknown): string => canonicalize([tool, input]);

export const callContentOf = async (
  tool: Tool | undefined,
  name: string,
  input: unknown,
): Promise<CallContent> => {
  const given = parsedContent(name, frozenCopy(input, name));
  if (tool === undefined) return { given, read: null };
  try {
    const read = await readArguments(tool, input, '');
    return { given, read: 'issues' in read ? null : parsedContent(name, read.value) };
  } catch {
    return { given, read: null }; // the chart reports the issues
  }
};

/**
 * Returns whether two calls have equal raw or equal parsed content. A schema default may differ at each
 * parse.
 */
export const isSame = (one: CallContent, other: CallContent): boolean =>
  (one.given !== null && one.given === other.given) || (one.read !== null && one.read === other.read);
