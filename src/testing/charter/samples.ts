import type { Facts } from '../../optional/render/simulation.ts';

/** The facts before and after an action. */
export interface Sample {
  readonly action: string;
  /** The type of the event, or the parameters of the action as JSON: what the change depends on. */
  readonly key: string;
  readonly event: string;
  readonly before: Facts;
  readonly after: Facts;
  /** The states that the run entered in this step. */
  readonly entered: ReadonlySet<string>;
}

/** Fewer samples do not show what is usual. */
const enough = 20;

const groupOf = ({ action, key }: Pick<Sample, 'action' | 'key'>): string => JSON.stringify([action, key]);

const grouped = (samples: readonly Sample[]): ReadonlyMap<string, readonly Sample[]> => {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const group = groups.get(groupOf(sample)) ?? [];
    group.push(sample);
    groups.set(groupOf(sample), group);
  }
  return groups;
};

/** Returns how often a fact changes from a value, in the first of these runs in which it had that value. */
const rate = (runs: readonly (readonly Sample[])[], fact: string, was: boolean): number => {
  for (const samples of runs) {
    const relevant = samples.filter(({ before }) => before[fact] === was);
    if (relevant.length > 0)
      return relevant.filter(({ after }) => after[fact] !== was).length / relevant.length;
  }
  return 0;
};

/** Returns what a fact becomes most often; `undefined` if it mostly stays. */
const usual = (runs: readonly (readonly Sample[])[], fact: string): boolean | undefined => {
  const rises = rate(runs, fact, false) >= 0.5;
  const falls = rate(runs, fact, true) >= 0.5;
  const [samples = []] = runs;
  if (rises && falls) return samples.filter(({ after }) => after[fact] === true).length * 2 >= samples.length;
  return rises ? true : falls ? false : undefined;
};

/** Returns what an action usually changes, in the first of these runs that show it. */
const usualFacts = (...runs: readonly (readonly Sample[])[]): Facts =>
  Object.fromEntries(
    Object.keys(runs[0]?.[0]?.before ?? {}).flatMap((fact) => {
      const value = usual(runs, fact);
      return value === undefined ? [] : [[fact, value] as const];
    }),
  );

/** Returns what each action usually changes, by action and key, in the first of these runs that show it often enough. */
export const usualChanges = (
  plain: readonly Sample[],
  all: readonly Sample[],
): Readonly<Record<string, Readonly<Record<string, Facts>>>> => {
  const plainGroups = grouped(plain);
  const changes: Record<string, Record<string, Facts>> = {};
  for (const [group, samples] of grouped(all)) {
    const [{ action, key } = { action: '', key: '' }] = samples;
    const plainly = plainGroups.get(group) ?? [];
    const facts = plainly.length < enough ? usualFacts(samples) : usualFacts(plainly, samples);
    if (Object.keys(facts).length > 0) (changes[action] ??= {})[key] = facts;
  }
  return changes;
};

/** Returns the other outcomes of each event: the facts that were not as they usually are. */
export const otherOutcomes = (
  samples: readonly Sample[],
  changes: Readonly<Record<string, Readonly<Record<string, Facts>>>>,
  begins: Facts,
): Readonly<Record<string, readonly Facts[]>> => {
  const outcomes: Record<string, Map<string, Facts>> = {};
  for (const { action, key, event, before, after } of samples) {
    const usually = { ...begins, ...before, ...changes[action]?.[key] };
    const unusual = Object.entries(after).filter(([fact, value]) => usually[fact] !== value);
    if (unusual.length > 0)
      (outcomes[event] ??= new Map()).set(JSON.stringify(unusual), Object.fromEntries(unusual));
  }
  return Object.fromEntries(Object.entries(outcomes).map(([event, facts]) => [event, [...facts.values()]]));
};
