import * as z from 'zod';
import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { pointerTo } from '../../../base/canonical/unreadable.ts';
import { CharterError } from '../../../base/errors.ts';
import type { StandardSchema } from '../../../base/ports/schema.ts';
import type { JsonObject } from '../../../../schema/formats.ts';
import type { UpContext } from '../../../../schema/upformat/up-context.ts';
import { describe } from './describe.ts';
import type { Entries, Entry } from './entries.ts';
import { jsonSchemaOf } from '../../../base/define/json-schema-of.ts';
import { rootPath } from '../path.ts';
import { frozen } from '../../../base/define/refused.ts';
import { Prefixes } from '../terms.ts';

const contextBounds = { depth: 64, members: 100_000, text: 1_048_576 };
const hintBounds = { depth: 4, members: 2_000, text: 262_144 };

const Hints = z.strictObject({
  entity: z.string().min(1).optional(),
  concepts: z.array(z.string().min(1)).optional(),
  fields: z.record(z.string(), z.string().min(1)).optional(),
  prefixes: Prefixes.optional(),
  side: z.enum(['input', 'output']).optional(),
});

/** Information that a schema does not contain. */
export interface ContextHints {
  /** What the payload represents. By default, the schema's title or description. */
  readonly entity?: string;
  /** Concepts, placed before those of the schema. */
  readonly concepts?: readonly string[];
  /** Descriptions by path (`candidates[].email`). By default, those of the schema. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Prefixes of terms, in addition to the well-known ones. */
  readonly prefixes?: Readonly<Record<string, string>>;
  /** Whether the payload is a value that the schema takes (`input`, by default), or one that it returns. */
  readonly side?: 'input' | 'output';
}

const shownPaths = 20;

function readHints(hints: ContextHints, entries: Entries): z.infer<typeof Hints> {
  const read = parseDocument('hints', Hints, frozen('hints', hints, hintBounds));
  const unknown = Object.keys(read.fields ?? {}).filter((path) => !entries.has(path));
  if (unknown.length === 0) return read;
  const known = [...entries.keys()];
  const more = known.length > shownPaths ? ` and ${known.length - shownPaths} more` : '';
  const accepted = `${known.slice(0, shownPaths).join(', ')}${more}`;
  const issues = unknown.map((path) => ({
    path: pointerTo(['fields', path]),
    message: 'the schema has no such path',
  }));
  const message = `hints describe what the schema does not have: ${JSON.stringify(unknown[0])}; accepted: ${accepted}`;
  throw new CharterError('document_invalid', message, { document: 'hints', issues });
}

type Field = NonNullable<UpContext['fields']>[string];

function fieldOf(entry: Entry, hint: string | undefined): Field | undefined {
  const { descriptions, title, concepts, predicate, unit } = entry;
  const described = descriptions.length > 0 ? descriptions.join(' or ') : title;
  const terms = [...concepts, ...(predicate === undefined ? [] : [predicate])];
  const description = hint ?? described ?? (terms.length > 0 ? terms.join(', ') : unit);
  if (description === undefined || (terms.length === 0 && unit === undefined)) return description;
  return {
    description,
    ...(concepts.length > 0 && { concepts: [...concepts] }),
    ...(predicate !== undefined && { predicate }),
    ...(unit !== undefined && { unit }),
  };
}

/** Returns the field of the payload itself, if it has more than the description, which is `entity`. */
const rootField = (entry: Entry, hint: string | undefined): Field | undefined =>
  hint === undefined && entry.concepts.length === 0 && entry.title === undefined
    ? undefined
    : fieldOf({ ...entry, title: undefined }, hint);

const isPresent = (members: object): boolean => Object.keys(members).length > 0;

/**
 * Derives the meaning of a payload from its schema: a Standard Schema that provides JSON Schema, or a JSON
 * Schema object. UpFormat 2.2.
 *
 * The result is frozen and deterministic. Throws `definition_invalid` for a schema that provides no JSON
 * Schema, is malformed, has external references, or exceeds the limits; `document_invalid` for a hint of an
 * unknown path.
 */
export function deriveContext(schema: StandardSchema | JsonObject, hints: ContextHints = {}): UpContext {
  const json = jsonSchemaOf(schema, hints.side);
  const entries = describe(json);
  const read = readHints(hints, entries);
  const root = entries.get(rootPath);
  const entity = read.entity ?? root?.title ?? root?.descriptions.join(' or ');
  const fields = [...entries].flatMap(([path, entry]) => {
    const hint = read.fields && Object.hasOwn(read.fields, path) ? read.fields[path] : undefined;
    const field = (path === rootPath ? rootField : fieldOf)(entry, hint);
    return field === undefined ? [] : [[path, field] as const];
  });
  const tags = new Set([
    ...(read.concepts ?? []),
    ...[...entries.values()].flatMap(({ concepts }) => concepts),
  ]);
  const constraints = [...entries].map(([path, { constraints, isRequired }]) => [
    path,
    { ...constraints, ...(isRequired && { required: true }) },
  ]);
  const context = {
    ...(entity !== undefined && entity !== '' && { entity }),
    ...(isPresent(fields) && { fields: Object.fromEntries(fields) }),
    ...(tags.size > 0 && { concepts: [...tags] }),
    ...(read.prefixes && { prefixes: read.prefixes }),
    constraints: Object.fromEntries(constraints),
    schema: typeof json['$id'] === 'string' && json['$id'] !== '' ? json['$id'] : json,
  };
  return frozen('context', context, contextBounds) as UpContext;
}
