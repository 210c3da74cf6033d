import { featureNames, type FeatureName } from './features.ts';

const pairName = (one: FeatureName, other: FeatureName): string =>
  featureNames.indexOf(one) < featureNames.indexOf(other) ? `${one} x ${other}` : `${other} x ${one}`;

/** Everything but what ends a request at its beginning may come before it, in an earlier request of the task. */
const ends = [
  'policy deny',
  'cancel',
  'beyond capability',
  'evidence changed',
  'output changed',
  'turns spent',
  'calls spent',
  'accept late',
  'model late',
  'offer late',
  'followup late',
] as const satisfies readonly FeatureName[];

/** Pairs of features that no run can show, and why. */
export const impossible: ReadonlyMap<string, string> = new Map(
  ends.flatMap((one, index) =>
    ends.slice(index + 1).map((other) => [pairName(one, other), 'each ends the task'] as const),
  ),
);

/** Which features were seen together. */
export const pairsSeen = () => {
  const seen = new Map<string, number>();
  const all = featureNames.flatMap((one, index) =>
    featureNames.slice(index + 1).map((other) => pairName(one, other)),
  );
  return {
    note: (names: readonly FeatureName[]): void => {
      names.forEach((one, index) => {
        for (const other of names.slice(index + 1)) {
          const name = pairName(one, other);
          seen.set(name, (seen.get(name) ?? 0) + 1);
        }
      });
    },
    seen: (): readonly string[] => all.filter((name) => seen.has(name)),
    /** Seen although it was called impossible. */
    surprising: (): readonly string[] => [...impossible.keys()].filter((name) => seen.has(name)),
    reasons: new Map(
      [...new Set(impossible.values())].map((why) => [
        why,
        [...impossible].flatMap(([name, because]) => (because === why ? [name] : [])),
      ]),
    ),
    possible: all.filter((name) => !impossible.has(name)),
    unseen: (): readonly string[] => all.filter((name) => !seen.has(name) && !impossible.has(name)),
  };
};
