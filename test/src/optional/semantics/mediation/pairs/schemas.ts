import type { JsonObject } from '../../../../../../schema/formats.ts';

type Build = (description?: string, more?: JsonObject) => JsonObject;

const typed =
  (basis: JsonObject): Build =>
  (description, more = {}) => ({ ...basis, ...(description !== undefined && { description }), ...more });

export const text = typed({ type: 'string' });
export const number = typed({ type: 'number' });
export const integer = typed({ type: 'integer' });
export const flag = typed({ type: 'boolean' });
export const email = typed({ type: 'string', format: 'email' });
export const uri = typed({ type: 'string', format: 'uri' });
export const uuid = typed({ type: 'string', format: 'uuid' });
export const date = typed({ type: 'string', format: 'date' });
export const dateTime = typed({ type: 'string', format: 'date-time' });

/** One of some texts. */
export const choice = (values: readonly string[], description?: string, more: JsonObject = {}): JsonObject =>
  text(description, { enum: [...values], ...more });

export const list = (items: JsonObject, description?: string, more: JsonObject = {}): JsonObject =>
  typed({ type: 'array' })(description, { ...more, items });

/** An object; a member is required unless a question mark follows its name. */
export function object(members: Readonly<Record<string, JsonObject>>, more: JsonObject = {}): JsonObject {
  const named = Object.entries(members).map(
    ([name, schema]) => [name.replace(/\?$/, ''), schema, !name.endsWith('?')] as const,
  );
  const required = named.flatMap(([name, , isRequired]) => (isRequired ? [name] : []));
  const properties = Object.fromEntries(named.map(([name, schema]) => [name, schema]));
  return { type: 'object', ...more, properties, ...(required.length > 0 && { required }) };
}

/** The same, with a formal concept for what the value is. */
export const is = (concept: string, schema: JsonObject): JsonObject => ({ ...schema, concepts: [concept] });

/** The same, with a predicate for how the value relates to what holds it. */
export const by = (predicate: string, schema: JsonObject): JsonObject => ({ ...schema, predicate });
