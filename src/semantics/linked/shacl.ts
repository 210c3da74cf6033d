import type { JsonObject } from '../../../schema/formats.ts';
import { isSchema } from '../derive/keywords.ts';
import { anyMemberPath, elementPath, memberPath, rootPath } from '../path.ts';
import { linksOf, type Links } from './links.ts';
import type { Place } from './places.ts';
import { soundnessOf } from './sound.ts';
import { iri, list, pathOf, rest, type Shape } from './kinds.ts';
import { shapeOf } from './value-shape.ts';
import { namespaces, upformat } from './vocabulary.ts';

/** How many of an array's elements may have a shape of their own. */
const tupleLimit = 64;

/** What is said of a place, `required` and `closed` apart, which are said where its holder's shape is. */
interface Said {
  readonly own: unknown;
  readonly isRequired: boolean;
  readonly isClosed: boolean;
}

const nothing: Said = { own: true, isRequired: false, isClosed: false };

/** Shapes of a context, and what they leave out: keywords by path. */
export interface Shapes {
  readonly root: Shape;
  readonly unsaid: Readonly<Record<string, readonly string[]>>;
}

const keywordsOf = (said: unknown): readonly string[] =>
  isSchema(said) && typeof said === 'object' ? Object.keys(said) : ['constraints'];

/** What is said of a payload, which is an object whether or not it is said to be. */
const asObject = (said: unknown): unknown =>
  typeof said === 'object' ? { type: 'object', ...said } : { type: 'object' };

/** Visits what is directly inside a place. */
const walk = (place: Place, path: string, visit: (child: Place, path: string) => void): void => {
  for (const [name, member] of place.members) visit(member, memberPath(path, name));
  for (const [index, element] of place.elements) visit(element, elementPath(path, index ?? undefined));
  if (place.others !== undefined) visit(place.others, anyMemberPath(path));
};

/** The shapes of the payloads that a context describes. */
export function shapesOf({ root, pathless, context, iriOf }: Links): Shapes {
  const isSound = soundnessOf(context.schema);
  const left = new Map<string, readonly string[]>();
  const leave = (path: string, keywords: readonly string[]): void => {
    if (keywords.length > 0) left.set(path, [...(left.get(path) ?? []), ...keywords]);
  };
  for (const path of pathless) leave(path, keywordsOf(context.constraints?.[path]));

  const read = (place: Place, path: string): Said => {
    const { constraints } = place;
    if (constraints === undefined) return nothing;
    if (!isSchema(constraints) || typeof constraints === 'boolean' || !isSound(path, constraints)) {
      leave(path, keywordsOf(constraints));
      return nothing;
    }
    const { required, closed, ...own } = constraints;
    const isClosed = closed === true && !('namePatterns' in own) && place.others === undefined;
    const isRead = required === undefined || typeof required === 'boolean';
    leave(path, [...(isRead ? [] : ['required']), ...(closed === undefined || isClosed ? [] : ['closed'])]);
    return { own, isRequired: required === true, isClosed };
  };

  const leaveAll = (place: Place, path: string): void => {
    if (place.constraints !== undefined) leave(path, keywordsOf(place.constraints));
    walk(place, path, leaveAll);
  };

  const membersOf = (place: Place, path: string, names: readonly string[], isClosed: boolean): Shape => {
    const properties = [...place.members].flatMap(([name, member]) => {
      const below = [...names, name];
      const { shape, isRequired } = visit(member, memberPath(path, name), below);
      if (!isClosed && !isRequired && Object.keys(shape).length === 0) return [];
      const counts = { ...(isRequired && { 'sh:minCount': 1 }), 'sh:maxCount': 1 };
      return [{ 'sh:path': iri(iriOf(place, below)), 'sh:name': name, ...counts, ...shape }];
    });
    const closed = { 'sh:closed': true, 'sh:ignoredProperties': list([iri('rdf:type')]) };
    return { ...(properties.length > 0 && { 'sh:property': properties }), ...(isClosed && closed) };
  };

  const elementsOf = (place: Place, path: string, names: readonly string[]): readonly Shape[] => {
    const own = [...place.elements.keys()].filter((index) => index !== null);
    const after = own.length === 0 ? 0 : Math.max(...own) + 1;
    return [...place.elements].flatMap(([index, element]) => {
      const at = elementPath(path, index ?? undefined);
      if (Math.max(index ?? 0, after) > tupleLimit) {
        leaveAll(element, at);
        return [];
      }
      const { shape } = visit(element, at, names);
      if (Object.keys(shape).length === 0) return [];
      const steps = Array.from({ length: index ?? after }, () => iri('rdf:rest'));
      const last = [...(index === null ? [rest] : []), iri('rdf:first')];
      return [{ 'sh:property': { 'sh:path': pathOf(...steps, ...last), ...shape } }];
    });
  };

  const visit = (
    place: Place,
    path: string,
    names: readonly string[],
  ): { readonly shape: Shape; readonly isRequired: boolean } => {
    const { own, isRequired, isClosed } = read(place, path);
    if (place.others !== undefined) leaveAll(place.others, anyMemberPath(path));
    const insides = {
      object: [membersOf(place, path, names, isClosed)],
      array: elementsOf(place, path, names),
    };
    const { shape, unsaid } = shapeOf(place === root ? asObject(own) : own, insides);
    leave(path, unsaid);
    return { shape, isRequired };
  };

  const { shape } = visit(root, rootPath, []);
  return { root: shape, unsaid: Object.fromEntries(left) };
}

/**
 * A context's constraints as SHACL shapes, in JSON-LD whose context stands in it: what they take of the RDF of `toJsonLd`
 * is what JSON Schema takes of the payload. UpFormat 2.4.
 *
 * They target the payloads of this very context. `unsaid` lists by path the keywords that no shape says: `format`,
 * `multipleOf` and others that SHACL has no words for, patterns that XPath reads otherwise or that could take for ever,
 * and what holds under one of several alternatives alone. Leaving them out, the shapes take more, never less.
 *
 * Throws `input_unreadable` or `document_invalid`.
 */
export function toShacl(context: unknown): JsonObject {
  const links = linksOf(context);
  const { root, unsaid } = shapesOf(links);
  return {
    '@context': {
      '@version': 1.1,
      ...namespaces,
      unsaid: { '@id': `${upformat}#unsaid`, '@type': '@json' },
    },
    '@id': links.iri,
    '@type': 'sh:NodeShape',
    'sh:targetClass': iri(links.iri),
    ...root,
    unsaid,
  };
}
