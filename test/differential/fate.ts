/** Decides everything that may come one way or another, in the order in which it comes up. */
export interface Fate {
  readonly among: <Choice>(choices: readonly [Choice, ...Choice[]]) => Choice;
  /** Whether something that happens so often in a hundred happens now. */
  readonly chance: (percent: number) => boolean;
}

/** What this number decides: a linear congruence (Knuth, TAOCP 3.3.4), whose high bits are taken. */
export const fateOf = (seed: number): Fate => {
  let state = seed >>> 0;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return {
    among: (choices) => choices[next(choices.length)] ?? choices[0],
    chance: (percent) => next(100) < percent,
  };
};

/** Whether there is something to choose from. */
export const isAny = <One>(list: readonly One[]): list is readonly [One, ...One[]] => list.length > 0;
