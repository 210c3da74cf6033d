import { isObject } from '../boundary/is-object.ts';
import { canonicalize } from '../canonical/canonicalize.ts';
import { inapplicable } from './inapplicable.ts';

/** Returns the indexes of the alternatives by their text. */
const placesBy = (
  alternatives: readonly unknown[],
  textOf: (alternative: unknown) => string | undefined,
): ReadonlyMap<string, number[]> => {
  const places = new Map<string, number[]>();
  alternatives.forEach((alternative, at) => {
    const text = textOf(alternative);
    if (text === undefined) return;
    const indexEntry = places.get(text);
    if (indexEntry === undefined) places.set(text, [at]);
    else indexEntry.push(at);
  });
  return places;
};

const idOf = (alternative: unknown): string | undefined =>
  isObject(alternative) && Object.hasOwn(alternative, 'id') ? canonicalize(alternative['id']) : undefined;

/**
 * Returns alternatives in the order of a ranking, best first; unranked ones follow in their old order.
 *
 * An entry of the ranking is a whole alternative, or its `id` (UpFormat Table 2). Throws `feedback_inapplicable` for
 * an unknown or repeated alternative; `path` is the ranking's location in the feedback.
 */
export const rankAlternatives = (
  alternatives: readonly unknown[],
  ranking: readonly unknown[],
  path = '/content',
): readonly unknown[] => {
  const wholes = placesBy(alternatives, (alternative) => canonicalize(alternative));
  const ids = placesBy(alternatives, idOf);
  const ranked = new Set<number>();
  ranking.forEach((entry, at) => {
    const text = canonicalize(entry);
    const places = wholes.get(text) ?? ids.get(text);
    if (places === undefined)
      throw inapplicable(
        `${path}/${at}`,
        `it names none of the ${alternatives.length} alternatives: expected one whole, or its id`,
      );
    const place = places.shift();
    if (place === undefined || ranked.has(place))
      throw inapplicable(`${path}/${at}`, 'the alternative is ranked already');
    ranked.add(place);
  });
  const rest = alternatives.filter((_, at) => !ranked.has(at));
  return Object.freeze([...[...ranked].map((at) => alternatives[at]), ...rest]);
};
