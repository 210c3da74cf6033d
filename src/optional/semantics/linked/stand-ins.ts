import { unreadable } from '../../../base/canonical/unreadable.ts';

const first = 0xe000;
const last = 0xf8ff;

/** The maximum of replaced characters. */
const limit = last - first + 1;

/** Replaces characters, and records them. */
export interface StandIns {
  readonly write: (text: string) => string;
  readonly known: ReadonlyMap<string, string>;
}

/**
 * Replaces characters so that each has one UTF-16 code unit, and equal texts stay equal. The engine counts
 * code units, but SHACL and JSON Schema count characters. Surrogate pairs and private-use characters become
 * private-use characters. No translated pattern distinguishes those. Throws `input_unreadable` for a payload
 * with more than 6,400 of them.
 */
export function standIns(met?: StandIns): StandIns {
  const known = new Map(met?.known);
  const standInOf = (char: string): string => {
    const before = known.get(char);
    if (before !== undefined) return before;
    if (known.size === limit)
      throw unreadable('payload', [], 'it has too many characters beyond U+FFFF', `${limit} different ones`);
    const next = String.fromCodePoint(first + known.size);
    known.set(char, next);
    return next;
  };
  return { known, write: (text) => text.replaceAll(/[\ue000-\uf8ff\u{10000}-\u{10ffff}]/gu, standInOf) };
}
