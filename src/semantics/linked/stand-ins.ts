import { unreadable } from '../../canonical/unreadable.ts';

const first = 0xe000;
const last = 0xf8ff;

/** How many characters can have one. */
const limit = last - first + 1;

/** Writes texts, and knows the characters that it has met. */
export interface StandIns {
  readonly write: (text: string) => string;
  readonly known: ReadonlyMap<string, string>;
}

/**
 * Texts with one UTF-16 code unit for each character, equal where they were equal: for an engine that counts code units
 * where SHACL, and JSON Schema, count characters. Characters of two units, and those of private use, get one of private use,
 * which no pattern that is said tells apart. Throws `input_unreadable` where a payload has more than 6,400 of them.
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
