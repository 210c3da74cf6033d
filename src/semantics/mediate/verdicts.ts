import type { Candidate } from './candidates.ts';

/** How much two descriptions have to say of each other, and how much more than the next ones, to be believed without a term. */
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

/** How many alternatives a person is shown. */
const offers = 20;

/** Whether it stands out among those that it is ranked with. */
const isAlone = (one: Candidate, ranked: readonly Candidate[]): boolean => {
  if (ranked[0] !== one) return false;
  const next = ranked[1];
  if (next === undefined || next.isFormal !== one.isFormal) return true;
  return one.closeness - next.closeness >= thresholds.margin;
};

const isTime = (format: string): boolean => /date|time|duration/u.test(format);

/** Whether both are of one kind that nothing else is of, on either side: an email address among names. */
const isOnlyOfItsKind = (one: Candidate, rivals: readonly Candidate[]): boolean => {
  const { format } = one.fit;
  if (format === undefined || isTime(format)) return false;
  return !rivals.some((rival) => rival !== one && rival.fit.format === format);
};

const isBelieved = (one: Candidate, rivals: readonly Candidate[]): boolean => {
  const { isFormal, isContrary, isElsewhere, said, answered, wants, adds } = one;
  if (isContrary || (isElsewhere && !isFormal)) return false;
  // Where each says a word that the other does not, that word may be what tells them apart.
  if (wants && adds) return isFormal && Math.min(said, answered) < thresholds.alike;
  if (isFormal || (!wants && !adds)) return true;
  return !wants && isOnlyOfItsKind(one, rivals) && answered >= thresholds.partly;
};

/** What may stand for one value of the target, ranked, and whether the first is safe. */
export interface Verdict {
  readonly ranked: readonly Candidate[];
  readonly safe: Candidate | undefined;
}

/** What may stand for each value of the target; safe is what both sides would choose, and would choose clearly. */
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
