import { checkData, membersOf } from '../../../base/boundary/issues-of.ts';
import { pointerTo } from '../../../base/canonical/unreadable.ts';
import type { JsonObject } from '../../../../schema/formats.ts';
import { isSchema, Keywords, subschemasOf, type Schema } from './keywords.ts';
import { refused } from '../../../base/define/refused.ts';

/** A schema within a JSON Schema. */
export interface Node {
  /** Its JSON Pointer. */
  readonly at: string;
  readonly keywords: Keywords;
  /** The target of its `$ref`. */
  readonly target: Schema | undefined;
}

/** A schema, its pointer, and its base: the nearest enclosing schema with an `$id`, to which `#` refers. */
interface Place {
  readonly schema: Schema;
  readonly at: string;
  readonly base: { readonly schema: JsonObject; readonly at: string };
}

const local = 'a $ref to a schema of the same document, such as "#/$defs/name"';

/** Returns whether a JSON Pointer can continue into a value. */
const isContainer = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

const within = (base: Place['base'], schema: Schema, at: string): Place['base'] =>
  typeof schema === 'object' && typeof schema['$id'] === 'string' ? { schema, at } : base;

function segmentsOf(ref: string): readonly string[] | undefined {
  if (ref === '#') return [];
  if (!ref.startsWith('#/')) return undefined;
  try {
    return membersOf(decodeURIComponent(ref.slice(1)));
  } catch {
    return undefined;
  }
}

function resolve(ref: string, from: Place): Place {
  const refuse = (message: string) => refused([{ path: `${from.at}/$ref`, message }], local);
  const segments = segmentsOf(ref);
  if (segments === undefined) throw refuse('it refers to no location in this document');
  let { base } = from;
  let { at } = base;
  let found: unknown = base.schema;
  for (const segment of segments) {
    found = isContainer(found) && Object.hasOwn(found, segment) ? found[segment] : undefined;
    at += pointerTo([segment]);
    if (isSchema(found)) base = within(base, found, at);
  }
  if (!isSchema(found)) throw refuse('it refers to no schema');
  return { schema: found, at, base };
}

/**
 * Returns all schemas of a JSON Schema, by identity.
 *
 * Throws `definition_invalid` for a keyword with an invalid value, and for an external `$ref`.
 */
export function nodesOf(root: JsonObject): ReadonlyMap<JsonObject, Node> {
  const nodes = new Map<JsonObject, Node>();
  const pending: Place[] = [{ schema: root, at: '', base: { schema: root, at: '' } }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { schema, at } = place;
    if (typeof schema === 'boolean' || nodes.has(schema)) continue;
    const { issues: found } = checkData(Keywords, schema);
    if (found !== undefined) {
      const issues = found.map(({ path, message }) => ({ path: `${at}${path}`, message }));
      throw refused(issues, 'keywords as JSON Schema 2020-12 and draft-07 have them');
    }
    const keywords: Keywords = schema; // not zod's copy, because schemas are identified by reference
    const target = keywords.$ref === undefined ? undefined : resolve(keywords.$ref, place);
    nodes.set(schema, { at, keywords, target: target?.schema });
    if (target !== undefined) pending.push(target);
    for (const [keys, subschema] of subschemasOf(keywords)) {
      const below = `${at}${pointerTo(keys)}`;
      pending.push({ schema: subschema, at: below, base: within(place.base, subschema, below) });
    }
  }
  return nodes;
}
