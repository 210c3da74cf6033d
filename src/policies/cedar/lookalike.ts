import type { CedarValueJson, Context } from '@cedar-policy/cedar-wasm/nodejs';
import { isObject } from '../../boundary/is-object.ts';
import type { Cedar } from './engine.ts';
import { action } from './request.ts';

/** No name of an entity type or of a function in Cedar. */
const noName = '!';

/**
 * A copy of a value in which every record that Cedar could read as something else names nothing: `{ type, id }` as an
 * entity, `{ fn, arg }` as the call of a function. Other keys beside these change nothing for the engine.
 */
const unnamed = (value: CedarValueJson): CedarValueJson => {
  if (Array.isArray(value)) return value.map(unnamed);
  if (!isObject(value) || '__entity' in value || '__extn' in value) return value;
  const { type, fn } = value;
  return {
    ...Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unnamed(member)])),
    ...(typeof type === 'string' && Object.hasOwn(value, 'id') && { type: noName }),
    ...(typeof fn === 'string' && { fn: noName }),
  };
};

const isSame = (one: Context, other: Context): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Whether a schema has the engine read a record of these arguments as an entity, or as the call of a function: the record
 * is an agent's, and would speak as what the host knows.
 */
export const isReadAsReference = (cedar: Cedar, schema: string, context: Context): boolean => {
  const probe: Context = { ...context, arguments: unnamed(context['arguments'] ?? {}) };
  if (isSame(probe, context)) return false;
  // where a record is expected, its texts may be any; where an entity or a function is, it must be a name
  return cedar.checkParseContext({ context: probe, schema, action }).type === 'failure';
};
