import { isObject } from '../boundary/is-object.ts';
import { shownPointer } from '../canonical/unreadable.ts';
import { inapplicable } from './inapplicable.ts';

/** An array's index as RFC 6901 writes it: no sign, no leading zero, no exponent. */
export const isIndex = (token: string): boolean => /^(?:0|[1-9]\d*)$/.test(token);

/** The names on the way to a place (RFC 6901 4), the root's none. */
const tokensOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** How many members of a container are named at most, and how many characters of each. */
const shownMembers = 10;
const shownCharacters = 100;

const named = (value: object): string => {
  const names = Object.keys(value);
  const shown = names.slice(0, shownMembers).map((name) => JSON.stringify(name.slice(0, shownCharacters)));
  const more = names.length > shownMembers ? ` and ${names.length - shownMembers} more` : '';
  return names.length === 0 ? 'an object without members' : `an object with ${shown.join(', ')}${more}`;
};

/** What a value is, without saying what it holds: an object's names, an array's length, a leaf's type. */
export const described = (value: unknown): string => {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isObject(value)) return named(value);
  return value === null ? 'null' : `a ${typeof value}`;
};

/** A value's own member: no name is inherited, and no text and no length of an array is a member. */
const memberOf = (value: unknown, token: string): { readonly value: unknown } | undefined => {
  if (Array.isArray(value))
    return isIndex(token) && Number(token) < value.length ? { value: value[Number(token)] } : undefined;
  return isObject(value) && Object.hasOwn(value, token) ? { value: value[token] } : undefined;
};

/** The pointer that leads to what holds a place, and the place's name there; the root is held by nothing. */
export const heldAt = (pointer: string): { readonly holder: string; readonly name: string } => ({
  holder: pointer.slice(0, pointer.lastIndexOf('/')),
  name: tokensOf(pointer).at(-1) ?? '',
});

/**
 * What stands in a value at a JSON Pointer (RFC 6901).
 *
 * Throws `feedback_inapplicable` at `path`, with how far the pointer leads and what stands there.
 */
export const standingAt = (root: unknown, pointer: string, path: string): unknown => {
  let value = root;
  for (const [depth, token] of tokensOf(pointer).entries()) {
    const member = memberOf(value, token);
    if (member === undefined) {
      const reached = pointer.split('/', depth + 1).join('/');
      const place = reached === '' ? 'the whole' : shownPointer(reached);
      throw inapplicable(path, `nothing stands at ${shownPointer(pointer)}; ${place} is ${described(value)}`);
    }
    value = member.value;
  }
  return value;
};

/** A value that is being changed, below a name so that it can be replaced whole. */
export interface Draft {
  whole: unknown;
}

/** Puts a value in the place of what stands there. */
export const replaceAt = (draft: Draft, pointer: string, value: unknown, path: string): void => {
  standingAt(draft.whole, pointer, path);
  if (pointer === '') {
    draft.whole = value;
    return;
  }
  const { holder: above, name } = heldAt(pointer);
  const holder = standingAt(draft.whole, above, path);
  if (Array.isArray(holder)) holder[Number(name)] = value;
  else if (isObject(holder)) holder[name] = value;
};
