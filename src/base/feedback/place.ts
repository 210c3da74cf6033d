import { isObject } from '../boundary/is-object.ts';
import { membersOf } from '../boundary/issues-of.ts';
import { shownPointer } from '../canonical/unreadable.ts';
import { inapplicable } from './inapplicable.ts';

/** Returns whether a token is an array index (RFC 6901): no sign, leading zero or exponent. */
export const isIndex = (token: string): boolean => /^(?:0|[1-9]\d*)$/.test(token);

/** The maximum number of member names in a message, and of characters in each. */
const shownMembers = 10;
const shownCharacters = 100;

const named = (value: object): string => {
  const names = Object.keys(value);
  const shown = names.slice(0, shownMembers).map((name) => JSON.stringify(name.slice(0, shownCharacters)));
  const more = names.length > shownMembers ? ` and ${names.length - shownMembers} more` : '';
  return names.length === 0 ? 'an object without members' : `an object with ${shown.join(', ')}${more}`;
};

/** Describes a value without its content: an object's keys, an array's length, or a type. */
export const described = (value: unknown): string => {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isObject(value)) return named(value);
  return value === null ? 'null' : `a ${typeof value}`;
};

/** Returns an own member of an object or array; `undefined` for inherited names and for `length`. */
const memberOf = (value: unknown, token: string): { readonly value: unknown } | undefined => {
  if (Array.isArray(value))
    return isIndex(token) && Number(token) < value.length ? { value: value[Number(token)] } : undefined;
  return isObject(value) && Object.hasOwn(value, token) ? { value: value[token] } : undefined;
};

/** Splits a pointer into that of the container and the last token. */
export const splitPointer = (pointer: string): { readonly holder: string; readonly name: string } => ({
  holder: pointer.slice(0, pointer.lastIndexOf('/')),
  name: membersOf(pointer).at(-1) ?? '',
});

/**
 * Returns the value at a JSON Pointer (RFC 6901).
 *
 * Throws `feedback_inapplicable` at `path`, with the longest existing prefix of the pointer.
 */
export const valueAt = (root: unknown, pointer: string, path: string): unknown => {
  let value = root;
  for (const [depth, token] of membersOf(pointer).entries()) {
    const member = memberOf(value, token);
    if (member === undefined) {
      const reached = pointer.split('/', depth + 1).join('/');
      const place = reached === '' ? 'the root' : shownPointer(reached);
      throw inapplicable(
        path,
        `there is nothing at ${shownPointer(pointer)}; ${place} is ${described(value)}`,
      );
    }
    value = member.value;
  }
  return value;
};

/** Returns whether there is a value at a JSON Pointer. */
export const hasValueAt = (root: unknown, pointer: string): boolean => {
  try {
    valueAt(root, pointer, '');
    return true;
  } catch {
    return false;
  }
};

/** A value that is being changed, wrapped so that it can be replaced as a whole. */
export interface Draft {
  whole: unknown;
}

/** Replaces the value at a pointer. */
export const replaceAt = (draft: Draft, pointer: string, value: unknown, path: string): void => {
  valueAt(draft.whole, pointer, path);
  if (pointer === '') {
    draft.whole = value;
    return;
  }
  const { holder: above, name } = splitPointer(pointer);
  const holder = valueAt(draft.whole, above, path);
  if (Array.isArray(holder)) holder[Number(name)] = value;
  else if (isObject(holder)) holder[name] = value;
};
