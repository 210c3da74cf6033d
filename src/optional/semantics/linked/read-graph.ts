import { shownName } from '../../../base/text/foreign-text.ts';
import { pointerTo } from '../../../base/canonical/unreadable.ts';
import type { JsonObject } from '../../../../schema/formats.ts';
import { isDescribed, type GraphNode, type Value } from './graph.ts';
import type { Links } from './links.ts';
import { elementOf, memberOf, type Place } from './places.ts';
import { scalarOf } from './read-literal.ts';
import { refuseLinked, type Keys } from './refuse-linked.ts';

/** The functions that find members and classes. */
export type Reading = Pick<Links, 'iriOf' | 'classesAt'> & Partial<Pick<Links, 'nameOf'>>;

/** Returns the last name of a member's IRI; `undefined` if there is none. */
function lastName(iri: string): string | undefined {
  const after = Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1;
  try {
    return decodeURIComponent(iri.slice(after));
  } catch {
    return undefined; // a `%` that is no escape
  }
}

/** Returns the only value of a property. */
export function onlyOf(values: ReadonlyMap<unknown, Value>, at: Keys): Value {
  const [only, ...more] = values.values();
  if (only === undefined || more.length > 0)
    throw refuseLinked(at, `expected one value, not ${values.size}; an array must be a @list`);
  return only;
}

/** Reads the trees of a graph, each node once. */
export class GraphReader {
  readonly #nodes: readonly GraphNode[];
  readonly #taken = new Map<GraphNode, Keys>();

  constructor(nodes: readonly GraphNode[]) {
    this.#nodes = nodes;
  }

  /** Marks a node as read. Throws if it was read before: shared or circular nodes are no JSON. */
  take(node: GraphNode, at: Keys): GraphNode {
    const before = this.#taken.get(node);
    if (before !== undefined)
      throw refuseLinked(at, `expected a node of its own, not that of ${shownName(pointerTo(before))}`);
    this.#taken.set(node, at);
    return node;
  }

  /** Throws if the document says anything about a node that is no part of the message. */
  checkAllTaken(): void {
    const other = this.#nodes.find((node) => isDescribed(node) && !this.#taken.has(node));
    if (other === undefined) return;
    const name = other.iri === undefined ? 'a blank node' : `node ${shownName(other.iri)}`;
    throw refuseLinked([], `expected only nodes of the message; it does not hold ${name}`);
  }

  /** Returns the JSON of a value, as the place and names of its member say. */
  valueOf(
    value: Value,
    reading: Reading,
    place: Place | undefined,
    names: readonly string[],
    at: Keys,
  ): unknown {
    switch (value.kind) {
      case 'literal':
        return scalarOf(value, at);
      case 'list':
        return value.items.map((item, index) =>
          this.valueOf(item, reading, elementOf(place, index), names, [...at, index]),
        );
      case 'node':
        return this.#objectOf(value, reading, place, names, at);
    }
  }

  /** Returns the name of the member that a property represents. */
  nameOf(
    iri: string,
    { nameOf, iriOf }: Reading,
    place: Place | undefined,
    names: readonly string[],
    at: Keys,
  ): string {
    const name = nameOf?.(place, iri) ?? lastName(iri);
    if (name === undefined || iriOf(place, [...names, name]) !== iri)
      throw refuseLinked(at, `expected properties of this place; ${shownName(iri)} is none`);
    return name;
  }

  #objectOf(
    node: GraphNode,
    reading: Reading,
    place: Place | undefined,
    names: readonly string[],
    at: Keys,
  ): JsonObject {
    if (node.iri !== undefined)
      throw refuseLinked(at, `expected a node without an identifier, not ${shownName(node.iri)}`);
    this.take(node, at);
    const classes = reading.classesAt(place);
    for (const type of node.types)
      if (!classes.includes(type))
        throw refuseLinked(at, `expected types that the context names; ${shownName(type)} is none`);
    const members = [...node.properties].map(([iri, values]) => {
      const name = this.nameOf(iri, reading, place, names, at);
      const way = [...at, name];
      return [
        name,
        this.valueOf(onlyOf(values, way), reading, memberOf(place, name), [...names, name], way),
      ] as const;
    });
    return Object.fromEntries(members);
  }
}
