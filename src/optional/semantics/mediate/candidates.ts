import * as z from 'zod';
import { isProperty, namespaceOf } from '../terms.ts';
import { fitOf, type Fit, type Units } from './fit.ts';
import { comparisonOf, type Likeness } from './likeness.ts';
import { sameKinds } from './same-kind.ts';
import type { Place } from './places.ts';

/** The reasons of a match. */
export const Why = z.enum(['choice', 'term', 'tag', 'format', 'unit', 'kind', 'description', 'surroundings']);
export type Why = z.infer<typeof Why>;

/** A source value that may map to a target value. */
export interface Candidate extends Likeness {
  readonly from: Place;
  readonly to: Place;
  readonly fit: Fit;
  /** Whether both name the same ontology term, and that term is specific. */
  readonly isFormal: boolean;
  /** Whether they are the only values of one kind, by name and description. */
  readonly isSameKind: boolean;
  /** The total similarity, which ranks the candidates of a target. */
  readonly closeness: number;
  readonly why: readonly Why[];
}

/** The weights of agreements, relative to that of descriptions. */
const weights = { tag: 0.5, surroundings: 0.25, sameUnit: 0.15 };

const shared = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].some((term) => other.has(term));

/** Returns whether two sets have different terms of one vocabulary. */
const parts = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => {
  const namespaces = new Set([...one].map(namespaceOf));
  return !shared(one, other) && [...other].some((term) => namespaces.has(namespaceOf(term)));
};

/** Returns whether a missing value would shift the later elements of a target list. */
const wouldShift = (from: Place, to: Place): boolean =>
  to.steps.at(-1)?.kind === 'element' && from.arrays.length > 0 && !from.isGiven;

/** Returns all candidates. */
export function candidatesOf(
  source: readonly Place[],
  target: readonly Place[],
  units: Units | undefined,
): readonly Candidate[] {
  const compare = comparisonOf(source, target);
  const same = sameKinds(source, target);

  const candidate = (from: Place, to: Place): Candidate | null => {
    const isNamed = shared(from.terms, to.terms);
    const isTagged = shared(from.tags, to.tags);
    if (!(isNamed || isTagged || compare.areRelated(from, to)) || parts(from.terms, to.terms)) return null;
    const likeness = compare.likeness(from, to);
    const { sourceCoverage, targetCoverage, near } = likeness;
    const found = fitOf(from, to, units);
    if (found === null) return null;
    const fit = { ...found, isWhole: found.isWhole && !wouldShift(from, to) };
    const isFormal = [...from.terms].some((term) => to.terms.has(term) && isProperty(term));
    const isSameKind = same.some((one) => one.from === from && one.to === to);
    const isHeldAlike = shared(from.termsAround, to.termsAround);
    const closeness =
      (sourceCoverage + targetCoverage) / 2 +
      (isTagged || (isNamed && !isFormal) ? weights.tag : 0) +
      (isHeldAlike ? 1 : near) * weights.surroundings -
      (fit.conversion?.kind === 'unit' ? weights.sameUnit : 0);
    const reasons: readonly (readonly [Why, boolean])[] = [
      ['term', isNamed],
      ['tag', isTagged],
      ['kind', isSameKind],
      ['description', sourceCoverage > 0],
      ['format', fit.format !== undefined],
      ['unit', from.unit !== undefined && to.unit !== undefined],
      ['surroundings', isHeldAlike || near > 0.5],
    ];
    return {
      ...likeness,
      isElsewhere: likeness.isElsewhere && !isHeldAlike,
      from,
      to,
      fit,
      isFormal,
      isSameKind,
      closeness,
      why: reasons.flatMap(([why, counts]) => (counts ? [why] : [])),
    };
  };

  return target.flatMap((to) => source.flatMap((from) => candidate(from, to) ?? []));
}
