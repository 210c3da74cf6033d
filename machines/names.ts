/** Invisible characters: zero-width, bidirectional and other format characters, and controls. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;
const blanksAround = /^\p{White_Space}+|\p{White_Space}+$/gu;

/** The limit on rounds, so that no name loops forever. A single character needs two. */
const mostRounds = 4;

/** Folds a name once. Upper case before lower case also joins `ß` with `ss`, and both sigmas. */
const foldedOnce = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(blanksAround, '') // before controls are removed: a line feed is a blank
    .replaceAll(invisible, '')
    .replaceAll(blanksAround, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC');

/**
 * Returns the common form of all spellings of a name: NFKC, without letter case, invisible characters, or blanks around
 * it. Except for the blanks, identifiers are compared in the same way (NFKC_Casefold, UAX #31 and UTS #39).
 *
 * Use it only to deny: names that look alike count as one person. To grant a right, compare names exactly.
 */
export const foldName = (name: string): string => {
  if (/^[!-~]*$/.test(name)) return name.toLowerCase(); // ASCII, of which only the case varies
  let last = name;
  for (let round = 0; round < mostRounds; round += 1) {
    const next = foldedOnce(last);
    if (next === last) break;
    last = next;
  }
  return last;
};

/** Returns whether a list contains a name, in any spelling. Use it only to deny. */
export const isAmong = (names: readonly string[], name: string): boolean => {
  const folded = foldName(name);
  return names.some((one) => foldName(one) === folded);
};
