/** One block of code in a page. */
export interface Fence {
  readonly language: string;
  /** What stands behind the language: `file=first.ts` where the block is that file of docs/examples. */
  readonly note: string;
  readonly text: string;
}

/** The blocks of code of a page, in order. */
export const fencesIn = (markdown: string): readonly Fence[] =>
  [...markdown.matchAll(/^```(\w+)(?: ([^\n]*))?\n(.*?)^```$/gms)].map(
    ([, language = '', note = '', text = '']) => ({ language, note, text }),
  );
