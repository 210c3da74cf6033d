import type { Label, Origin, OriginPlace } from '../../base/ports/origin.ts';
import { Effort } from './effort.ts';
import { joined } from './label.ts';
import { namesAndLeavesOf, type Leaf } from './leaves.ts';
import type { Reference } from './references.ts';
import { isHiddenSource, partOf, type Part, type Source } from './sources.ts';
import { placesIn } from './text-index.ts';

/** The most places that are recorded for one value. */
const mostPlaces = 8;

interface Place extends OriginPlace {
  readonly label: Label;
}

const placeIn = (source: Source, pointer: string, effort: Effort, part?: Part): Place => {
  const { label, isEcho, isEndorsed } = source.at(pointer, effort, part);
  return {
    source: source.alias,
    pointer,
    label,
    ...(label.integrity === 'untrusted' && { isUntrusted: true as const }),
    ...(isEcho && { isEcho }),
    ...(isEndorsed && { isEndorsed }),
    ...(isHiddenSource(source) && { isHidden: true as const }),
  };
};

const placesOf = (value: unknown, sources: readonly Source[], effort: Effort): readonly Place[] => {
  const part = partOf(value);
  return sources.flatMap((source) =>
    placesIn(source.value, value, effort).flatMap(({ pointer }) =>
      effort.isSpent ? [] : placeIn(source, pointer, effort, part),
    ),
  );
};

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

type Referred = Pick<Reference, 'source' | 'pointer' | 'base'>;

const referenceOrigin = (
  at: OriginAt,
  { source: alias, pointer }: Referred,
  sources: readonly Source[],
  effort: Effort,
  name?: Part,
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
  const place = placeIn(source, pointer, effort, name);
  return { ...at, found: [withoutLabel(place)], ...place.label, isReference: true };
};

/** Returns where references took what they brought, by its place in the arguments: values, and the members around them. */
const referredPlaces = (references: readonly Reference[]): ReadonlyMap<string, Referred> => {
  const places = new Map<string, Referred>();
  for (const { at, base, source, pointer } of references)
    for (let place = at; ; place = place.slice(0, place.lastIndexOf('/'))) {
      const taken = pointer.slice(0, pointer.length - (at.length - place.length));
      places.set(place, { source, pointer: taken, base });
      if (place === base) break;
    }
  return places;
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
  const referred = referredPlaces(references);
  const known = new Map<unknown, readonly Place[]>();
  const placesOnce = (value: unknown): readonly Place[] => {
    const places = known.get(value) ?? placesOf(value, sources, effort);
    known.set(value, places);
    return places;
  };
  const originOf = (at: OriginAt, value: unknown, reference: Referred | undefined): Origin =>
    reference === undefined
      ? originIn(at, placesOnce(value), shown)
      : referenceOrigin(at, reference, sources, effort, at.isName && partOf(value));
  return namesAndLeavesOf(input).flatMap((leaf): readonly Origin[] => {
    const { pointer, value, isName } = leaf;
    if (isName && !isFree(leaf)) return [];
    const at = { at: pointer, ...(isName && { isName }) };
    const place = referred.get(pointer);
    const reference = isName && place?.base === pointer ? undefined : place; // the model wrote the name
    const skipped: Origin = { ...at, ...unsearched, ...(reference && { isReference: true }) };
    const origin = effort.isSpent ? skipped : originOf(at, value, reference);
    return [effort.isSpent ? skipped : origin];
  });
};
