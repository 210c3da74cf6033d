import { shownName } from '../../../base/text/foreign-text.ts';
import { isObject } from '../../../base/boundary/is-object.ts';
import { readJson } from '../../../base/boundary/read-json.ts';
import { refuseLinked } from './refuse-linked.ts';
import { namespaces } from './vocabulary.ts';

/** A value of JSON-LD: a text, a native boolean or number, or the value of an `rdf:JSON` literal. */
export interface LiteralValue {
  readonly kind: 'literal';
  readonly value: unknown;
  readonly datatype: string | undefined;
}

/** An ordered list. */
export interface ListValue {
  readonly kind: 'list';
  readonly items: readonly Value[];
}

/** A node, with everything that the document says about it. */
export interface GraphNode {
  readonly kind: 'node';
  /** Its IRI; `undefined` for a blank node. */
  readonly iri: string | undefined;
  readonly types: Set<string>;
  /** The values of each property. Equal values count once, as in RDF; the keys tell them apart. */
  readonly properties: Map<string, Map<unknown, Value>>;
}

export type Value = LiteralValue | ListValue | GraphNode;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const json = `${namespaces.rdf}JSON`;

/** The limits of a JSON text within a document. */
const jsonLimits = { bytes: 16_777_216, keys: 100_000 };

/** Returns what tells a value apart from others of its property. */
const keyOf = (value: Value): unknown =>
  value.kind === 'literal' ? JSON.stringify([value.value, value.datatype ?? null]) : value;

function literalIn(entry: Readonly<Record<string, unknown>>): LiteralValue {
  if ('@language' in entry || '@direction' in entry)
    throw refuseLinked([], 'expected texts without a language or a direction');
  const { '@type': type, '@value': value } = entry;
  if (type === '@json') return { kind: 'literal', value, datatype: json };
  const isText = type === json && typeof value === 'string';
  return {
    kind: 'literal',
    value: isText ? readJson('JSON-LD', value, jsonLimits) : value,
    datatype: typeof type === 'string' ? type : undefined,
  };
}

/** Collects the nodes of a document, and what each entry says about them. */
class Collector {
  readonly nodes: GraphNode[] = [];
  readonly #named = new Map<string, GraphNode>();

  #nodeOf(id: unknown): GraphNode {
    const met = typeof id === 'string' ? this.#named.get(id) : undefined;
    if (met !== undefined) return met;
    const iri = typeof id === 'string' && !id.startsWith('_:') ? id : undefined;
    const node: GraphNode = { kind: 'node', iri, types: new Set(), properties: new Map() };
    this.nodes.push(node);
    if (typeof id === 'string') this.#named.set(id, node);
    return node;
  }

  #state(subject: GraphNode, property: string, value: Value): void {
    const values = subject.properties.get(property) ?? new Map<unknown, Value>();
    subject.properties.set(property, values);
    values.set(keyOf(value), value);
  }

  #reverse(object: GraphNode, reversed: unknown): void {
    if (!isObject(reversed)) return;
    for (const [property, subjects] of Object.entries(reversed)) {
      for (const entry of listOf(subjects)) {
        const subject = this.read(entry);
        if (subject.kind === 'node') this.#state(subject, property, object);
      }
    }
  }

  #member(node: GraphNode, name: string, value: unknown): void {
    switch (name) {
      case '@id':
      case '@index': // an annotation of the document, which says nothing about the node
        return;
      case '@type':
        for (const type of listOf(value)) node.types.add(String(type));
        return;
      case '@reverse':
        return this.#reverse(node, value);
      case '@included':
        for (const entry of listOf(value)) this.read(entry);
        return;
      default:
        if (name.startsWith('@'))
          throw refuseLinked([], `expected one graph without a name, not ${shownName(name)}`);
        for (const entry of listOf(value)) this.#state(node, name, this.read(entry));
    }
  }

  /** Reads an entry of the expanded form. */
  read(entry: unknown): Value {
    if (!isObject(entry)) throw refuseLinked([], 'expected nodes, lists and values');
    if ('@value' in entry) return literalIn(entry);
    if ('@list' in entry)
      return { kind: 'list', items: listOf(entry['@list']).map((item) => this.read(item)) };
    if (entry['@id'] === `${namespaces.rdf}nil`) return { kind: 'list', items: [] };
    const node = this.#nodeOf(entry['@id']);
    for (const [name, value] of Object.entries(entry)) this.#member(node, name, value);
    return node;
  }
}

/** Returns the nodes of a document in expanded form. Entries with one identifier are one node. */
export function graphOf(expanded: unknown): readonly GraphNode[] {
  const collector = new Collector();
  for (const entry of listOf(expanded)) collector.read(entry);
  return collector.nodes;
}

/** Returns whether a document says anything about a node. */
export const isDescribed = ({ types, properties }: GraphNode): boolean => types.size + properties.size > 0;
