import type { JsonObject } from '../../../../schema/formats.ts';
import { isSchema } from '../derive/keywords.ts';
import { anyMemberPath, elementPath, memberPath, rootPath } from '../path.ts';
import { linksOf, type Links } from './links.ts';
import type { Place } from './places.ts';
import { soundnessOf } from './sound.ts';
import { iri, list, pathOf, rest, type Shape } from './kinds.ts';
import { shapeOf } from './value-shape.ts';
import { namespaces, upformat } from './vocabulary.ts';

/** The maximum of array elements with their own shapes. */
const tupleLimit = 64;

/**
 * The constraints of a place. `required` and `closed` are separate, because they belong to the holder's
 * shape.
 */
interface PlaceConstraints {
  readonly own: unknown;
  readonly isRequired: boolean;
  readonly isClosed: boolean;
}

const nothing: PlaceConstraints = { own: true, isRequired: false, isClosed: false };

/** The shapes of a context, and the keywords that they omit, by path. */
export interface Shapes {
  readonly root: Shape;
  readonly unsaid: Readonly<Record<string, readonly string[]>>;
}

const keywordsOf = (constraints: unknown): readonly string[] =>
  isSchema(constraints) && typeof constraints === 'object' ? Object.keys(constraints) : ['constraints'];

/** Returns the constraints of a payload, with the type `object` added. */
const asObject = (constraints: unknown): unknown =>
  typeof constraints === 'object' ? { type: 'object', ...constraints } : { type: 'object' };

/** Visits the direct children of a place. */
const walk = (place: Place, path: string, visit: (child: Place, path: string) => void): void => {
  for (const [name, member] of place.members) visit(member, memberPath(path, name));
  for (const [index, element] of place.elements) visit(element, elementPath(path, index ?? undefined));
  if (place.others !== undefined) visit(place.others, anyMemberPath(path));
};

/** Returns the shapes of a context's payloads. */
export function shapesOf({ root, pathless, context, iriOf }: Links): Shapes {
  const isSound = soundnessOf(context.schema);
  const omitted = new Map<string, readonly string[]>();
  const leave = (path: string, keywords: readonly string[]): void => {
    if (keywords.length > 0) omitted.set(path, [...(omitted.get(path) ?? []), ...keywords]);
  };
  for (const path of pathless) leave(path, keywordsOf(context.constraints?.[path]));

  const read = (place: Place, path: string): PlaceConstraints => {
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
  return { root: shape, unsaid: Object.fromEntries(omitted) };
}

/**
 * Converts a context's constraints to SHACL shapes, as self-contained JSON-LD. They accept the RDF of
 * `toJsonLd` if JSON Schema accepts the payload. UpFormat 2.4.
 *
 * - `type`: `sh:datatype`; for objects `sh:nodeKind`, for arrays an `rdf:List`; several are an `sh:or`
 * - `enum`, `const`: `sh:in`, where all are scalars
 * - bounds and lengths: `sh:minInclusive`, `sh:maxExclusive`, `sh:minLength` and so on; lengths are in characters
 * - `pattern`: `sh:pattern`, where ECMAScript and XPath read it alike and it takes bounded time
 * - `minItems`, `maxItems`: how many cells the list has; elements and tuples: paths along `rdf:rest` and `rdf:first`
 * - `required`: `sh:minCount 1`; `closed`: `sh:closed`, where every member has a name of its own
 * - `anyOf`, `allOf`, `not`: `sh:or`, `sh:and`, `sh:not`; a `not` only where SHACL expresses all inside
 *
 * The shapes target payloads of this context. `unsaid` lists what is omitted, by path: `format`, `multipleOf` and
 * others without a SHACL equivalent. Omissions can only make the shapes accept more.
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
