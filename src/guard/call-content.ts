import { canonicalize } from '../base/canonical/canonicalize.ts';
import { frozenCopy } from '../base/canonical/freeze.ts';
import { readArguments } from '../core/shell/read-arguments.ts';
import { hasReference } from '../gates/origins/references.ts';
import type { Tool } from '../base/ports/tool.ts';

/** The content of a call, for comparison. A framework may resend the raw input or the parsed input. */
export interface CallContent {
  /** The raw input; `null` if it is no longer known. */
  readonly given: string | null;
  /** The input as parsed by the tool's schema; `null` if the schema rejected it. */
  readonly read: string | null;
}

/** Returns the canonical JSON of a tool name and its parsed arguments. */
export const parsedContent = (tool: string, input: unknown): string => canonicalize([tool, input]);

/** Returns arguments with each reference replaced by the value that it names. */
export type Resolve = (input: unknown) => Promise<unknown>;

/** Returns the content of a call. A reference is read as its value, as the chart records it. */
export const callContentOf = async (
  tool: Tool | undefined,
  name: string,
  input: unknown,
  resolve: Resolve,
): Promise<CallContent> => {
  const copy = frozenCopy(input, name);
  const given = parsedContent(name, copy);
  if (tool === undefined) return { given, read: null };
  try {
    const resolved = hasReference(copy) ? await resolve(input) : input;
    const read = await readArguments(tool, resolved, '');
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
