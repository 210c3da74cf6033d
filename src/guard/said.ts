import { canonicalize } from '../canonical/canonicalize.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import { readArguments } from '../orchestrator/read-output.ts';
import type { Tool } from '../ports/tool.ts';

/** What a call says: what a framework sends again may come back as it was sent, or as its schema read it. */
export interface Said {
  /** As it came; `null` where that is not known any more. */
  readonly given: string | null;
  /** With whatever its schema fills in or changes; `null` where it does not take it. */
  readonly read: string | null;
}

/** Arguments as the schema of a tool left them. */
export const readAs = (tool: string, input: unknown): string => canonicalize([tool, input]);

export const saidOf = async (tool: Tool | undefined, name: string, input: unknown): Promise<Said> => {
  const given = readAs(name, frozenCopy(input, name));
  if (tool === undefined) return { given, read: null };
  try {
    const read = await readArguments(tool, input, '');
    return { given, read: 'issues' in read ? null : readAs(name, read.value) };
  } catch {
    return { given, read: null }; // the chart says what is wrong with it
  }
};

/** A schema may fill in something else each time: what came twice is the same all the same. */
export const isSame = (one: Said, other: Said): boolean =>
  (one.given !== null && one.given === other.given) || (one.read !== null && one.read === other.read);
