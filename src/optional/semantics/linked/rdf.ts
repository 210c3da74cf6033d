import type { JsonObject } from '../../../../schema/formats.ts';
import { isScalar, literalOf, type Scalar } from './literal.ts';
import type { Links } from './links.ts';
import { elementOf, memberOf, type Place } from './places.ts';
import { namespaces } from './vocabulary.ts';
import type { Shape } from './kinds.ts';

/** Writes terms and statements for an engine. */
export interface Writer<Term> {
  readonly node: () => Term;
  readonly named: (iri: string) => Term;
  readonly literal: (text: string, datatype: string) => Term;
  readonly add: (subject: Term, predicate: string, object: Term) => void;
  /** Called with the name of the member of a shape. */
  readonly name?: (shape: Term, name: string) => void;
}

const { rdf } = namespaces;

/** Writes a list. Calls `at` for each cell. */
function listOf<Term>(
  { node, named, add }: Writer<Term>,
  members: readonly Term[],
  at?: (cell: Term) => void,
): Term {
  let tail = named(`${rdf}nil`);
  for (const member of members.toReversed()) {
    const cell = node();
    add(cell, `${rdf}first`, member);
    add(cell, `${rdf}rest`, tail);
    at?.(cell);
    tail = cell;
  }
  return tail;
}

const scalarOf = <Term>({ literal }: Writer<Term>, value: Scalar): Term => {
  const { text, datatype } = literalOf(value);
  return literal(text, datatype);
};

type Keys = readonly (string | number)[];

/** Writes a payload as the RDF of its JSON-LD. Calls `at` with the path of each node and member. */
export function writePayload<Term>(
  writer: Writer<Term>,
  payload: JsonObject,
  { root, iriOf, classesAt }: Links,
  at: (keys: Keys, node: Term, predicate?: string) => void,
): Term {
  const write = (value: unknown, place: Place | undefined, names: readonly string[], keys: Keys): Term => {
    if (isScalar(value)) return scalarOf(writer, value);
    if (Array.isArray(value)) {
      const elements = value.map((each, index) =>
        write(each, elementOf(place, index), names, [...keys, index]),
      );
      return listOf(writer, elements, (cell) => at(keys, cell));
    }
    const node = writer.node();
    at(keys, node);
    for (const name of classesAt(place)) writer.add(node, `${rdf}type`, writer.named(name));
    for (const [name, member] of Object.entries(value as JsonObject)) {
      const below = [...names, name];
      const predicate = iriOf(place, below);
      const way = [...keys, name];
      at(way, node, predicate);
      writer.add(node, predicate, write(member, memberOf(place, name), below, way));
    }
    return node;
  };
  return write(payload, root, [], []);
}

const isPrefix = (prefix: string): prefix is keyof typeof namespaces => Object.hasOwn(namespaces, prefix);

const full = (name: string): string => {
  const [prefix = '', local] = name.split(/:(.*)/su);
  return isPrefix(prefix) && local !== undefined ? `${namespaces[prefix]}${local}` : name;
};

/** Writes a shape as RDF, at its node. */
export function writeShape<Term>(writer: Writer<Term>, shape: Shape, subject: Term = writer.node()): Term {
  const valueOf = (value: unknown): Term => {
    if (isScalar(value)) return scalarOf(writer, value);
    const { '@id': id, '@list': members, '@value': text, '@type': type } = value as JsonObject;
    if (typeof id === 'string') return writer.named(full(id));
    if (Array.isArray(members)) return listOf(writer, members.map(valueOf));
    if (type === '@json') return scalarOf(writer, null);
    if (typeof type === 'string') return writer.literal(String(text), type);
    return writeShape(writer, value as Shape);
  };
  for (const [name, values] of Object.entries(shape)) {
    if (name === 'sh:name') writer.name?.(subject, String(values));
    for (const value of [values].flat()) writer.add(subject, full(name), valueOf(value));
  }
  return subject;
}
