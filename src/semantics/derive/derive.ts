import * as z from 'zod';
import { parseDocument } from '../../boundary/parse-document.ts';
import { pointerTo } from '../../canonical/unreadable.ts';
import { CharterError } from '../../errors.ts';
import type { StandardSchema } from '../../ports/schema.ts';
import type { JsonObject } from '../../../schema/formats.ts';
import type { UpContext } from '../../../schema/upformat/up-context.ts';
import { describe } from './describe.ts';
import type { Entries, Entry } from './entries.ts';
import { jsonSchemaOf } from '../../define/json-schema-of.ts';
import { rootPath } from '../path.ts';
import { frozen } from '../../define/refused.ts';
import { Prefixes } from '../terms.ts';

const contextBounds = { depth: 64, members: 100_000, text: 1_048_576 };
const hintBounds = { depth: 4, members: 2_000, text: 262_144 };

const Hints = z.strictObject({
  entity: z.string().min(1).optional(),
  concepts: z.array(z.string().min(1)).optional(),
  fields: z.record(z.string(), z.string().min(1)).optional(),
  prefixes: Prefixes.optional(),
});

/** What a schema cannot say of itself. */
export interface ContextHints {
  /** What the payload represents, in place of the schema's title or description. */
  readonly entity?: string;
  /** Tags, before those that the schema has. */
  readonly concepts?: readonly string[];
  /** Descriptions by path (`candidates[].email`), in place of the schema's. */
  readonly fields?: Readonly<Record<string, string>>;
  /** What the prefixes of its terms stand for, beside those that every context knows. */
  readonly prefixes?: Readonly<Record<string, string>>;
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

/** The payload itself is described by `entity`; it is a field too where more is known of it. */
const rootField = (entry: Entry, hint: string | undefined): Field | undefined =>
  hint === undefined && entry.concepts.length === 0 && entry.title === undefined
    ? undefined
    : fieldOf({ ...entry, title: undefined }, hint);

const isPresent = (members: object): boolean => Object.keys(members).length > 0;

/**
 * What a payload means, derived from the schema that it is read with: any Standard Schema that gives JSON Schema, or a
 * JSON Schema object. UpFormat 2.2.
 *
 * The context is frozen, and the same for the same schema. Throws `definition_invalid` for a schema that gives no JSON Schema,
 * is malformed, refers to another document, or unfolds beyond its bounds; `document_invalid` for a hint of a path that is not there.
 */
export function deriveContext(schema: StandardSchema | JsonObject, hints: ContextHints = {}): UpContext {
  const json = jsonSchemaOf(schema);
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
