import type { UpContext } from '../../../../../schema/index.ts';
import { placesOf, type Place } from '../../../../../src/optional/semantics/mediate/places.ts';

/** Which path of the target a method takes from which of the source; whether it has all that the target requires. */
export interface Proposal {
  readonly links: readonly { readonly from: string; readonly to: string }[];
  readonly isComplete: boolean;
}
export type Method = (source: UpContext, target: UpContext) => Proposal;

const nameOf = ({ steps }: Place): string =>
  steps.flatMap((step) => (step.kind === 'member' ? [step.name.toLowerCase()] : [])).at(-1) ?? '';

const pairsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));

/** The share of pairs of neighbouring letters that two names have in common (Dice). */
const likeness = (one: string, other: string): number => {
  if (one === other) return 1;
  const [here, there] = [pairsOf(one), pairsOf(other)];
  const both = [...here].filter((pair) => there.has(pair)).length;
  return here.size + there.size === 0 ? 0 : (2 * both) / (here.size + there.size);
};

const byName =
  (least: number): Method =>
  (source, target) => {
    const from = placesOf('source', source);
    const to = placesOf('target', target);
    const links = to.flatMap((place) => {
      const ranked = from
        .map((one) => ({ one, score: likeness(nameOf(one), nameOf(place)) }))
        .toSorted((one, other) => other.score - one.score);
      const [best] = ranked;
      return best !== undefined && best.score >= least ? [{ from: best.one.path, to: place.path }] : [];
    });
    const isLinked = (path: string): boolean => links.some((link) => link.to === path);
    return { links, isComplete: to.every(({ path, isRequired }) => !isRequired || isLinked(path)) };
  };

/** What people do without descriptions: the same name is the same thing. */
export const nameEquality = byName(1);

/** Names that look alike are taken for the same thing. */
export const nameSimilarity = byName(0.6);
