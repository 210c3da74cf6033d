import type { CedarValueJson, Context } from '@cedar-policy/cedar-wasm/nodejs';
import { isObject } from '../../../base/boundary/is-object.ts';
import type { Cedar } from './engine.ts';
import { action } from './request.ts';

/** A name that no entity type or function in Cedar has. */
const noName = '!';

/**
 * Returns a copy of a value whose records cannot be read as an entity (`{ type, id }`) or a function call (`{ fn,
 * arg }`). Cedar ignores other keys beside these.
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

const isSame = (one: CedarValueJson, other: CedarValueJson): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * Returns the first member of a context in which a schema makes Cedar read a record as an entity or a function call. No
 * member is excepted: others wrote the values of most of them, and could otherwise pass their own record off as a fact
 * that the host knows.
 */
export const readAsReference = (cedar: Cedar, schema: string, context: Context): string | undefined =>
  Object.entries(context).find(([member, value]) => {
    const probe = unnamed(value);
    if (isSame(probe, value)) return false;
    // a record accepts any texts; an entity or a function needs a valid name
    return (
      cedar.checkParseContext({ context: { ...context, [member]: probe }, schema, action }).type === 'failure'
    );
  })?.[0];
