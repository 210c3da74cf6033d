import { loadWordIndex } from './word-index.ts';
import { termOf } from './words.ts';

/** Says how much of one text another one says too, from 0 to 1, by their places in the list: half by count of words, half by how rare they are here. */
export type Coverage = (of: number, by: number) => number;

/** A word counts once, however often it stands and however long the text is (BM25+ with k = 0). */
const scoring = { k: 0, b: 0, d: 0 };

/** How many words of a text were found, and how much they weigh. */
interface Match {
  readonly words: number;
  readonly weight: number;
}

/** Compares texts with each other, each with the words beside it that may help it to say what another one says. */
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
      return [Number(by), { words, weight: score / words }] as const; // the score is multiplied by how many were found
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
