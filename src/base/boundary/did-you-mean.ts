/** Returns the edit distance: insertions, deletions, substitutions and swaps of neighbours. */
const distance = (one: string, other: string): number => {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row++) {
    const [before = [], twoBefore] = [rows.at(-1), rows.at(-2)];
    const next = [row];
    for (let at = 1; at <= other.length; at++) {
      const change = one[row - 1] === other[at - 1] ? 0 : 1;
      const isSwap = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      next.push(
        Math.min(
          (before[at] ?? 0) + 1,
          (next[at - 1] ?? 0) + 1,
          (before[at - 1] ?? 0) + change,
          isSwap ? (twoBefore?.[at - 2] ?? Infinity) + 1 : Infinity,
        ),
      );
    }
    rows.push(next);
  }
  return rows.at(-1)?.at(-1) ?? 0;
};

/** The maximum length of words that are compared. */
const maxLength = 40;

/** Returns the known word that is nearest to a misspelt one; `undefined` if none is near. */
const closest = (word: string, known: readonly string[]): string | undefined => {
  if (word.length > maxLength) return undefined;
  const near = known
    .map((name) => ({ name, far: name.startsWith(word) && word.length > 1 ? 0.5 : distance(word, name) }))
    .filter(({ name, far }) => {
      const shorter = Math.min(word.length, name.length);
      return far < shorter && far <= Math.max(1, Math.floor(shorter / 3));
    })
    .toSorted((one, other) => one.far - other.far);
  return near[0]?.name;
};

/** Returns `. Did you mean "name"?` if a known word is near to a misspelt one, to end an error message; else nothing. */
export const didYouMean = (word: string, known: Iterable<string>): string => {
  const near = closest(word, [...known]);
  return near === undefined ? '' : `. Did you mean ${JSON.stringify(near)}?`;
};

/** A name that is not known. */
interface UnknownName {
  readonly name: string;
  /** What `didYouMean` says of it. */
  readonly hint: string;
}

/** Returns the names that are not known, in order. */
export const unknownAmong = (names: Iterable<string>, known: readonly string[]): readonly UnknownName[] =>
  [...names].filter((name) => !known.includes(name)).map((name) => ({ name, hint: didYouMean(name, known) }));
