import { loadWordIndex } from './word-index.ts';
import { termOf } from './words.ts';

/**
 * Returns how much of text `of` text `by` covers, from 0 to 1, by index: half by word count, half by word
 * rarity.
 */
export type Coverage = (of: number, by: number) => number;

/** Counts a word once, regardless of repetition and text length (BM25+ with k = 0). */
const scoring = { k: 0, b: 0, d: 0 };

/** The number of matched words, and their weight. */
interface Match {
  readonly words: number;
  readonly weight: number;
}

/** Compares texts. The `help` words of a text may also cover words of another. */
export function coverageOf(texts: readonly { readonly text: string; readonly help: string }[]): Coverage {
  const WordIndex = loadWordIndex();
  const index = new WordIndex<{ id: number; text: string }>({
    fields: ['text'],
    processTerm: termOf,
    searchOptions: { bm25: scoring },
  });
  index.addAll(texts.map(({ text, help }, id) => ({ id, text: `${text} ${help}` })));
  const known = new Map<number, ReadonlyMap<number, Match>>();
  const matchesOf = (id: number): ReadonlyMap<number, Match> => {
    const met = known.get(id);
    if (met !== undefined) return met;
    const found = index.search(texts[id]?.text ?? '').map(({ id: by, score, queryTerms }) => {
      const words = queryTerms.length;
      return [Number(by), { words, weight: score / words }] as const; // the index multiplies the score by the number of matches
    });
    const matches = new Map(found);
    known.set(id, matches);
    return matches;
  };
  return (of, by) => {
    const matches = matchesOf(of);
    const [whole, part] = [matches.get(of), matches.get(by)];
    if (whole === undefined || part === undefined) return 0;
    return Math.min(1, (part.weight / whole.weight + part.words / whole.words) / 2);
  };
}
