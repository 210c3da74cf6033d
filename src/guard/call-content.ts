import { canonicalize } from '../canonical/canonicalize.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import { readArguments } from '../orchestrator/calls.ts';
import type { Tool } from '../ports/tool.ts';

/** The content of a call, to compare calls by. A framework may send it again as it was, or as its schema read it. */
export interface CallContent {
  /** As it came; `null` if that is no longer known. */
  readonly given: string | null;
  /** As its schema read it; `null` if the schema refused it. */
  readonly read: string | null;
}

/** Arguments as the schema of a tool left them. */
export const readAs = (tool: string, input: unknown): string => canonicalize([tool, input]);

export const callContentOf = async (
  tool: Tool | undefined,
  name: string,
  input: unknown,
): Promise<CallContent> => {
  const given = readAs(name, frozenCopy(input, name));
  if (tool === undefined) return { given, read: null };
  try {
    const read = await readArguments(tool, input, '');
    return { given, read: 'issues' in read ? null : readAs(name, read.value) };
  } catch {
    return { given, read: null }; // the chart says what is wrong with it
  }
};

/** Returns whether two calls have the same content. Either form is enough: a schema may fill in something else each time. */
export const isSame = (one: CallContent, other: CallContent): boolean =>
  (one.given !== null && one.given === other.given) || (one.read !== null && one.read === other.read);
