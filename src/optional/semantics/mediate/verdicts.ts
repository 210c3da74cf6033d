import type { Candidate } from './candidates.ts';

/**
 * The minimum coverage of descriptions, and the margin over the next candidate, for a match without a term.
 */
const thresholds = { partly: 0.35, alike: 0.3, margin: 0.12, offered: 0.25 };

const byRank = (one: Candidate, other: Candidate): number =>
  Number(other.isFormal) - Number(one.isFormal) || other.closeness - one.closeness;

const gathered = (
  candidates: readonly Candidate[],
  key: (one: Candidate) => string,
): Map<string, Candidate[]> => {
  const byKey = new Map<string, Candidate[]>();
  for (const candidate of candidates)
    byKey.set(key(candidate), [...(byKey.get(key(candidate)) ?? []), candidate]);
  for (const [path, some] of byKey) byKey.set(path, some.toSorted(byRank));
  return byKey;
};

/** The maximum of alternatives in a choice. */
const offers = 20;

/** Returns whether a candidate leads its ranking clearly. */
const isAlone = (one: Candidate, ranked: readonly Candidate[]): boolean => {
  if (ranked[0] !== one) return false;
  const next = ranked[1];
  if (next === undefined || next.isFormal !== one.isFormal) return true;
  return one.closeness - next.closeness >= thresholds.margin;
};

const isTime = (format: string): boolean => /date|time|duration/u.test(format);

/** Returns whether only these two have a format, such as an email address, among the rivals. */
const isOnlyOfItsKind = (one: Candidate, rivals: readonly Candidate[]): boolean => {
  const { format } = one.fit;
  if (format === undefined || isTime(format)) return false;
  return !rivals.some((rival) => rival !== one && rival.fit.format === format);
};

const isBelieved = (one: Candidate, rivals: readonly Candidate[]): boolean => {
  const { isFormal, isContrary, isElsewhere, sourceCoverage, targetCoverage, wants, adds } = one;
  if (isContrary || (isElsewhere && !isFormal)) return false;
  if (one.isSameKind) return true;
  // if each has a word that the other lacks, that word may distinguish them
  if (wants && adds) return isFormal && Math.min(sourceCoverage, targetCoverage) < thresholds.alike;
  if (isFormal || (!wants && !adds)) return true;
  return !wants && isOnlyOfItsKind(one, rivals) && targetCoverage >= thresholds.partly;
};

/** The ranked candidates of a target value, and whether the first is safe. */
export interface Verdict {
  readonly ranked: readonly Candidate[];
  readonly safe: Candidate | undefined;
}

/** Returns a verdict for each target value. A match is safe if both sides clearly prefer it. */
export function verdictsOf(candidates: readonly Candidate[]): ReadonlyMap<string, Verdict> {
  const byTarget = gathered(candidates, ({ to }) => to.path);
  const bySource = gathered(candidates, ({ from }) => from.path);
  return new Map(
    [...byTarget].map(([path, ranked]) => {
      const [best] = ranked;
      const claims = (best && bySource.get(best.from.path)) ?? [];
      const isSafe =
        best !== undefined &&
        best.fit.isWhole &&
        isBelieved(best, [...ranked, ...claims]) &&
        isAlone(best, ranked) &&
        isAlone(best, claims);
      const offered = ranked.filter(({ isFormal, closeness }) => isFormal || closeness >= thresholds.offered);
      return [path, { ranked: offered.slice(0, offers), safe: isSafe ? best : undefined }];
    }),
  );
}
