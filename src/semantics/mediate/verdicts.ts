import type { Candidate } from './candidates.ts';

/** How much two descriptions have to say of each other, and how much more than the next ones, to be believed without a term. */
const thresholds = { whole: 0.95, said: 0.75, answered: 0.45, partly: 0.35, margin: 0.12, offered: 0.25 };

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

/** Whether it stands out among those that it is ranked with. */
const isAlone = (one: Candidate, ranked: readonly Candidate[]): boolean => {
  if (ranked[0] !== one) return false;
  const next = ranked[1];
  if (next === undefined || next.isFormal !== one.isFormal) return true;
  return one.closeness - next.closeness >= thresholds.margin;
};

const isTime = (format: string): boolean => /date|time|duration/u.test(format);

const isBelieved = ({
  isFormal,
  isContrary,
  isElsewhere,
  said,
  answered,
  fit: { format },
}: Candidate): boolean => {
  if (isContrary) return false;
  if (isFormal) return true;
  if (isElsewhere) return false;
  // Where each says a word that the other does not, that word may be what tells them apart.
  if (Math.max(said, answered) < thresholds.whole || said < thresholds.said) return false;
  // A kind of text that is rare says what the rest of a short description leaves out.
  const isRare = format !== undefined && !isTime(format);
  return answered >= (isRare ? thresholds.partly : thresholds.answered);
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
      const isSafe =
        best !== undefined &&
        best.fit.isWhole &&
        isBelieved(best) &&
        isAlone(best, ranked) &&
        isAlone(best, bySource.get(best.from.path) ?? []);
      const offered = ranked.filter(({ isFormal, closeness }) => isFormal || closeness >= thresholds.offered);
      return [path, { ranked: offered, safe: isSafe ? best : undefined }];
    }),
  );
}
