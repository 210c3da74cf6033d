import { CharterError } from '../../../base/errors.ts';
import type { Field, LinkedContext } from '../context.ts';
import { segmentsOf, type Segment } from '../path.ts';

/** The limits of a context. */
export const placeLimits = { depth: 64, steps: 200_000 };

/** A place of a payload, and what its context says about it. */
export interface Place {
  readonly members: ReadonlyMap<string, Place>;
  /** The elements of an array, by index; `null` for the others. */
  readonly elements: ReadonlyMap<number | null, Place>;
  /** The members without a declared name. */
  readonly others: Place | undefined;
  readonly field: Field | undefined;
  /** The constraints of its context, unvalidated. */
  readonly constraints: unknown;
}

class Node implements Place {
  readonly members = new Map<string, Node>();
  readonly elements = new Map<number | null, Node>();
  others: Node | undefined;
  field: Field | undefined;
  constraints: unknown;
}

/** The places of a context, from the payload on. */
export interface Places {
  readonly root: Place;
  /** Keys of its `constraints` that are invalid or too deep. */
  readonly pathless: readonly string[];
}

const below = <Key>(children: Map<Key, Node>, key: Key): Node => {
  const child = children.get(key) ?? new Node();
  children.set(key, child);
  return child;
};

const step = (place: Node, segment: Segment): Node => {
  switch (segment.kind) {
    case 'member':
      return below(place.members, segment.name);
    case 'element':
      return below(place.elements, segment.index);
    case 'any':
      return (place.others ??= new Node());
  }
};

/** Returns the places of a context. Throws `document_invalid` if there are too many. */
export function placesOf({ fields = {}, constraints = {} }: LinkedContext): Places {
  const root = new Node();
  const pathless: string[] = [];
  let steps = 0;

  const placeAt = (path: string): Node | undefined => {
    const segments = segmentsOf(path);
    if (segments === undefined || segments.length > placeLimits.depth) return undefined;
    steps += segments.length;
    if (steps > placeLimits.steps) {
      const message = `its paths are too long; accepted: paths of ${placeLimits.steps} steps in all`;
      const issues = [{ path: '', message }];
      throw new CharterError('document_invalid', `context: ${message}`, { document: 'context', issues });
    }
    let place = root;
    for (const segment of segments) place = step(place, segment);
    return place;
  };

  for (const [path, field] of Object.entries(fields)) {
    const place = placeAt(path);
    if (place !== undefined) place.field = field;
  }
  for (const [path, own] of Object.entries(constraints)) {
    const place = placeAt(path);
    if (place === undefined) pathless.push(path);
    else place.constraints = own;
  }
  return { root, pathless };
}

/** Returns the place of an object's member. */
export const memberOf = (place: Place | undefined, name: string): Place | undefined =>
  place?.members.get(name) ?? place?.others;

/** Returns the place of an array's element. */
export const elementOf = (place: Place | undefined, index: number): Place | undefined =>
  place?.elements.get(index) ?? place?.elements.get(null);
