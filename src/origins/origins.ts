import type { Label, Origin, OriginPlace } from '../ports/origin.ts';
import { Effort } from './effort.ts';
import { joined } from './label.ts';
import { namesAndLeavesOf, normalForm, type Leaf } from './leaves.ts';
import type { Reference } from './references.ts';
import { isHiddenSource, type Source } from './sources.ts';
import { placesIn } from './text-index.ts';

/** The most places that are recorded for one value. */
const mostPlaces = 8;

interface Place extends OriginPlace {
  readonly label: Label;
}

const placeIn = (source: Source, pointer: string, effort: Effort, part?: string): Place => {
  const { label, isEcho } = source.at(pointer, effort, part);
  return {
    source: source.alias,
    pointer,
    label,
    ...(label.integrity === 'untrusted' && { isUntrusted: true as const }),
    ...(isEcho && { isEcho }),
    ...(isHiddenSource(source) && { isHidden: true as const }),
  };
};

const placesOf = (value: unknown, sources: readonly Source[], effort: Effort): readonly Place[] =>
  sources.flatMap((source) =>
    placesIn(source.value, value, effort).map(({ pointer }) =>
      placeIn(source, pointer, effort, normalForm(value)),
    ),
  );

const withoutLabel = ({ label: _label, ...place }: Place): OriginPlace => place;

const isTrusted = ({ label }: Place): boolean => label.integrity === 'trusted';

type OriginAt = Pick<Origin, 'at' | 'isName'>;

/** What a value is that was not looked for: no tool accepts it where it matters. */
const unsearched = { found: [], integrity: 'untrusted', readers: [], isUnsearched: true } as const;

const originIn = (at: OriginAt, places: readonly Place[], shown: Label): Origin => {
  const ordered = [...places.filter(isTrusted), ...places.filter((place) => !isTrusted(place))];
  const [best] = ordered;
  if (best === undefined) return { ...at, found: [], ...shown };
  const found = ordered.slice(0, mostPlaces).map(withoutLabel);
  // it may be told only to those who may learn it from every place where it stands
  const { readers } = ordered.map(({ label }) => label).reduce(joined);
  return { ...at, found, integrity: best.label.integrity, readers };
};

const referenceOrigin = (
  at: OriginAt,
  { source: alias, pointer }: Reference,
  sources: readonly Source[],
  effort: Effort,
): Origin => {
  const source = sources.find((one) => one.alias === alias);
  if (source === undefined)
    return {
      ...at,
      found: [{ source: alias, pointer }],
      integrity: 'untrusted',
      readers: [],
      isReference: true,
    };
  const place = placeIn(source, pointer, effort);
  return { ...at, found: [withoutLabel(place)], ...place.label, isReference: true };
};

/** Returns whether a JSON Pointer names something within one of these places. */
const isWithin = (pointer: string, places: ReadonlySet<string>): boolean => {
  for (let above = pointer; above !== '';) {
    above = above.slice(0, above.lastIndexOf('/'));
    if (places.has(above)) return true;
  }
  return false;
};

/** Returns whether a name of a member is one that the tool's author did not write. */
export type IsFreeName = (leaf: Leaf) => boolean;

/**
 * Returns where each value of a call's arguments comes from, and each name of a member that its tool did not define.
 *
 * A reference of the model is exact. Another value comes from where it stands; what stands nowhere has the label of
 * everything that the model was shown. What was not looked for, because there is too much of it, is accepted nowhere.
 */
export const originsOf = (
  input: unknown,
  sources: readonly Source[],
  shown: Label,
  { references = [], isFree }: { readonly references?: readonly Reference[]; readonly isFree: IsFreeName },
): readonly Origin[] => {
  const effort = new Effort();
  const byPlace = new Map(references.map((reference) => [reference.at, reference]));
  const taken = new Set(references.map(({ base }) => base)); // whole, with the names in them
  return namesAndLeavesOf(input).flatMap((leaf): readonly Origin[] => {
    const { pointer, value, isName } = leaf;
    if (isName && (!isFree(leaf) || isWithin(pointer, taken))) return [];
    const at = { at: pointer, ...(isName && { isName }) };
    const reference = isName ? undefined : byPlace.get(pointer);
    if (reference !== undefined) return [referenceOrigin(at, reference, sources, effort)];
    const places = placesOf(value, sources, effort);
    return [effort.isSpent ? { ...at, ...unsearched } : originIn(at, places, shown)];
  });
};
