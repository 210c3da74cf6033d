/** Characters that no reader sees: zero-width, bidirectional and other format characters, and controls. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;
const blanksAround = /^\p{White_Space}+|\p{White_Space}+$/gu;

/** A single character is folded after two rounds; a name that never were would keep a run waiting. */
const mostRounds = 4;

/** Upper case first, then lower: it joins what lower case alone keeps apart (`ß` and `ss`, both sigmas). */
const foldedOnce = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(blanksAround, '') // before controls go: a line feed is a blank
    .replaceAll(invisible, '')
    .replaceAll(blanksAround, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC');

/**
 * Returns what the spellings of one name have in common: NFKC, without letter case and invisible characters, as
 * identifiers are compared (NFKC_Casefold, UAX #31 and UTS #39), and without blanks around it.
 *
 * Use it to deny only: names that read alike count as one person. Compare a right exactly.
 */
export const foldName = (name: string): string => {
  let last = name;
  for (let round = 0; round < mostRounds; round += 1) {
    const next = foldedOnce(last);
    if (next === last) break;
    last = next;
  }
  return last;
};

/** Whether a person has one of these names, in any spelling. Use it to deny only. */
export const isAmong = (names: readonly string[], name: string): boolean => {
  const folded = foldName(name);
  return names.some((one) => foldName(one) === folded);
};
