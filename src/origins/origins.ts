import type { Label, Origin, OriginPlace } from '../ports/origin.ts';
import { joined } from './label.ts';
import { leavesOf, normalForm, standsIn, type Leaf } from './leaves.ts';
import type { Reference } from './references.ts';
import { formsIn, isHiddenSource, type Source } from './sources.ts';

/** The most places that are recorded for one value. */
const mostPlaces = 8;

interface Place extends OriginPlace {
  readonly label: Label;
}

const placeIn = (source: Source, pointer: string, part?: string): Place => {
  const label = source.labelAt(pointer, part);
  return {
    source: source.alias,
    pointer,
    label,
    ...(label.integrity === 'untrusted' && { isUntrusted: true as const }),
    ...(source.isEchoAt(pointer, part) && { isEcho: true as const }),
    ...(isHiddenSource(source) && { isHidden: true as const }),
  };
};

const placesOf = (form: string, sources: readonly Source[]): readonly Place[] =>
  sources.flatMap((source) =>
    formsIn(source.value).flatMap(({ pointer, form: text }) =>
      text === form || standsIn(form, text) ? [placeIn(source, pointer, form)] : [],
    ),
  );

const withoutLabel = ({ label: _label, ...place }: Place): OriginPlace => place;

const isTrusted = ({ label }: Place): boolean => label.integrity === 'trusted';

const originIn = (at: string, places: readonly Place[], shown: Label): Origin => {
  const ordered = [...places.filter(isTrusted), ...places.filter((place) => !isTrusted(place))];
  const [best] = ordered;
  if (best === undefined) return { at, found: [], ...shown };
  const found = ordered.slice(0, mostPlaces).map(withoutLabel);
  // it may be told only to those who may learn it from every place where it stands
  const { readers } = ordered.map(({ label }) => label).reduce(joined);
  return { at, found, integrity: best.label.integrity, readers };
};

const referenceOrigin = (
  { pointer: at }: Leaf,
  { source: alias, pointer }: Reference,
  sources: readonly Source[],
): Origin => {
  const source = sources.find((one) => one.alias === alias);
  if (source === undefined)
    return {
      at,
      found: [{ source: alias, pointer }],
      integrity: 'untrusted',
      readers: [],
      isReference: true,
    };
  const place = placeIn(source, pointer);
  return { at, found: [withoutLabel(place)], ...place.label, isReference: true };
};

/**
 * Returns where each value of a call's arguments comes from.
 *
 * A reference of the model is exact. Another value comes from where it stands; what stands nowhere has the label of
 * everything that the model was shown.
 */
export const originsOf = (
  input: unknown,
  sources: readonly Source[],
  shown: Label,
  references: readonly Reference[] = [],
): readonly Origin[] =>
  leavesOf(input).map((leaf): Origin => {
    const reference = references.find(({ at }) => at === leaf.pointer);
    if (reference !== undefined) return referenceOrigin(leaf, reference, sources);
    const form = normalForm(leaf.value);
    return originIn(leaf.pointer, form === undefined ? [] : placesOf(form, sources), shown);
  });
