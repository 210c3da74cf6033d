import { types } from 'node:util';
import type { Bounds } from './deep-freeze.ts';
import { unreadable } from './unreadable.ts';

/** A JSON value without members. */
export type Leaf = string | number | boolean | null;

/** The position of a value in its container: a member's name, an element's index, or `undefined` for the root. */
export type Key = string | number | undefined;

/** The callbacks of a walk, in document order. */
export interface Visitor {
  readonly leaf: (value: Leaf, key: Key) => void;
  readonly enter: (container: object, key: Key) => void;
  readonly leave: (container: object) => void;
  /**
   * Returns the size of a container that was visited before and cannot have changed; its members are then skipped.
   */
  readonly known?: (container: object, key: Key) => Bounds | undefined;
  /** Refuses integers that some parsers cannot hold exactly (RFC 7493 2.2), so that written text can be read back. */
  readonly isExact?: boolean;
  /** Refuses a larger value. */
  readonly bounds?: Bounds;
  /** The name of the value within its document, for the path of an error. */
  readonly under?: string;
}

const unbounded: Bounds = { depth: Infinity, members: Infinity, text: Infinity };

const inexact = 'it is an integer that not every reader holds exactly';

const isInexact = (value: number): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(String(value));

interface Level {
  readonly container: object;
  /** The keys of an object; `undefined` for an array. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/** Describes an object that is neither plain nor an array, in a few words. */
export const instanceOf = (value: object): string => {
  if (types.isDate(value)) return 'a Date';
  if (types.isMap(value)) return 'a Map';
  if (types.isSet(value)) return 'a Set';
  if (types.isNativeError(value)) return 'an Error';
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return 'binary data';
  return 'an instance of a class';
};

/** Returns whether a key of an object is not refused. */
export const isUsualKey = (key: string): boolean => key !== '__proto__' && key.isWellFormed();

/** Returns whether a container that is no proxy is a plain object or an array. */
const isPlain = (container: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(container);
  return Array.isArray(container)
    ? prototype === Array.prototype
    : prototype === Object.prototype || prototype === null;
};

/** Returns whether a container is a plain object or an array, and no proxy: reading it runs no code of its owner. */
export const isPlainContainer = (container: object): boolean =>
  !types.isProxy(container) && isPlain(container);

/** The nesting up to which usual values are read by recursion; `walk` reads all others, and says what is refused. */
export const mostRecursion = 64;

/**
 * Visits plain JSON data, reading each member once and without recursion. Returns its size.
 *
 * Members are the own enumerable string keys, as for `JSON.stringify`. Throws `input_unreadable` if the value is not
 * I-JSON (RFC 7493), or could change between two reads: a getter, a proxy, a class instance, a hole, a cycle, a key
 * `__proto__`.
 */
export function walk(document: string, root: unknown, visitor: Visitor, sorted = false): Bounds {
  const levels: Level[] = [];
  const open = new Set<object>();
  const { depth, members: most, text: longest } = visitor.bounds ?? unbounded;
  let members = 0;
  let text = 0;
  let deepest = 0;

  const refuse = (reason: string, accepted: string): never => {
    const path = levels.map(({ keys, next }) => keys?.[next - 1] ?? next - 1);
    const within = visitor.under === undefined ? path : [visitor.under, ...path];
    throw unreadable(document, within, reason, accepted);
  };

  const checkKey = (key: string): void => {
    if (key === '__proto__') refuse('a key is __proto__', 'any other key');
    else if (!key.isWellFormed()) refuse('a key has a lone surrogate', 'well-formed Unicode');
  };

  const countText = (found: number): void => {
    text += found;
    if (text > longest) refuse('it holds too much text', `${longest} UTF-16 code units in all`);
  };

  const descend = (by: number): void => {
    deepest = Math.max(deepest, levels.length + by);
    if (deepest > depth) refuse('it is nested too deeply', `a depth of ${depth}`);
  };

  const countMembers = (found: number): void => {
    members += found;
    if (members > most) refuse('it has too many members', `${most} in all`);
  };

  const enter = (container: object, key: Key): void => {
    const known = visitor.known?.(container, key);
    descend(known?.depth ?? 1);
    if (known !== undefined) {
      countMembers(known.members);
      countText(known.text);
      return;
    }
    if (open.has(container)) refuse('it contains itself', 'a tree');
    if (types.isProxy(container)) refuse('it is a proxy', 'plain objects and arrays'); // its traps could throw
    const isArray = Array.isArray(container);
    if (!isPlain(container)) refuse(`it is ${instanceOf(container)}`, 'plain objects and arrays');
    visitor.enter(container, key);
    const keys = isArray ? undefined : Object.keys(container);
    countMembers(isArray ? container.length : (keys?.length ?? 0));
    keys?.forEach(checkKey);
    keys?.forEach((name) => countText(name.length));
    if (sorted) keys?.sort();
    levels.push({ container, keys, length: isArray ? container.length : (keys?.length ?? 0), next: 0 });
    open.add(container);
  };

  const visit = (value: unknown, key: Key): void => {
    if (typeof value === 'object' && value !== null) return enter(value, key);
    if (typeof value === 'string') {
      countText(value.length);
      if (!value.isWellFormed()) refuse('it has a lone surrogate', 'well-formed Unicode');
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) refuse(`it is ${value}`, 'a finite number');
      if (visitor.isExact === true && isInexact(value)) refuse(inexact, 'up to 2^53-1, or a string');
    } else if (typeof value !== 'boolean' && value !== null) {
      return refuse(`it is of type ${typeof value}`, 'a string, number, boolean, null, array or object');
    }
    visitor.leaf(value === 0 ? 0 : value, key); // -0 is written as 0 (RFC 8785)
  };

  visit(root, undefined);
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    if (level.next === level.length) {
      levels.pop();
      open.delete(level.container);
      visitor.leave(level.container);
      continue;
    }
    const key = level.keys?.[level.next] ?? level.next;
    level.next += 1;
    const member = Object.getOwnPropertyDescriptor(level.container, key);
    if (member === undefined) refuse('it is a hole in an array', 'a value at each index');
    else if (!('value' in member)) refuse('it is computed by a getter', 'a value');
    else visit(member.value, key);
  }
  return { depth: deepest, members, text };
}
