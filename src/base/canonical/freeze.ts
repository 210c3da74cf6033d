import { markFrozen, sizeOfCopy, type Bounds } from './deep-freeze.ts';
import { isPlainContainer, isUsualKey, mostRecursion, walk, type Key } from './walk.ts';

/** The maximum nesting of a value from outside. */
export const mostLevels = 64;

/** The limits of a value from outside, so that every accepted value can be stored and read back. */
export const valueBounds: Bounds = { depth: mostLevels, members: 100_000, text: 1_048_576 };

/** The limits of the saved state of an agent: a conversation with pictures in it. */
export const stateBounds: Bounds = { depth: mostLevels, members: 800_000, text: 8_388_608 };

/** The limits of a record, which holds several documents within `valueBounds`. */
export const recordBounds: Bounds = { depth: mostLevels + 32, members: 1_600_000, text: 16_777_216 };

/** In place of the copy of a value that is unusual, and may be refused. */
const unusual = Symbol('unusual');

type Size = { -readonly [Name in keyof Bounds]: Bounds[Name] };

const isExact = (value: number): boolean =>
  Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));

/** Returns the copy of a container, or `unusual`; adds what it holds to `size`. */
const containerCopy = (container: object, level: number, size: Size, bounds: Bounds): unknown => {
  const held = sizeOfCopy(container);
  size.depth = Math.max(size.depth, level + (held?.depth ?? 1));
  if (held !== undefined) {
    size.members += held.members;
    size.text += held.text;
    return container;
  }
  if (level === mostRecursion || !isPlainContainer(container)) return unusual;
  const isArray = Array.isArray(container);
  const keys = isArray ? undefined : Object.keys(container);
  const length = keys?.length ?? (isArray ? container.length : 0);
  size.members += length;
  if (size.members > bounds.members || size.text > bounds.text) return unusual;
  const copy = (isArray ? [] : {}) as Record<string | number, unknown>;
  for (let index = 0; index < length; index += 1) {
    const key = keys?.[index] ?? index;
    if (typeof key === 'string') {
      if (!isUsualKey(key)) return unusual;
      size.text += key.length;
    }
    const member: unknown = Object.getOwnPropertyDescriptor(container, key)?.value; // none of a hole or a getter
    const value = usualCopy(member, level + 1, size, bounds);
    if (value === unusual) return unusual;
    copy[key] = value;
  }
  return Object.freeze(copy);
};

/** Returns the deeply frozen copy of a value by recursion, or `unusual`, for which `walk` says why. */
const usualCopy = (value: unknown, level: number, size: Size, bounds: Bounds): unknown => {
  switch (typeof value) {
    case 'string':
      size.text += value.length;
      return value.isWellFormed() ? value : unusual;
    case 'number':
      return isExact(value) ? value + 0 : unusual; // -0 becomes 0
    case 'boolean':
      return value;
    case 'object':
      return value === null ? null : containerCopy(value, level, size, bounds);
    case 'bigint':
    case 'function':
    case 'symbol':
    case 'undefined':
      return unusual;
  }
};

const isWithin = (size: Bounds, bounds: Bounds): boolean =>
  size.depth <= bounds.depth && size.members <= bounds.members && size.text <= bounds.text;

const keep = (copy: unknown, size: Bounds): unknown => {
  if (typeof copy === 'object' && copy !== null && sizeOfCopy(copy) === undefined) markFrozen(copy, size);
  return copy;
};

/**
 * Returns a deeply frozen copy of plain JSON data, so that the hashed value is the used value. An earlier copy is
 * returned as it is.
 *
 * Throws `input_unreadable` if the value is not plain I-JSON data (RFC 7493); `document` names it in the error, and
 * `under` is its name within that document.
 */
export function frozenCopy(
  value: unknown,
  document = 'value',
  bounds: Bounds = valueBounds,
  under?: string,
): unknown {
  const usualSize = { depth: 0, members: 0, text: 0 };
  const usual = usualCopy(value, 0, usualSize, bounds);
  if (usual !== unusual && isWithin(usualSize, bounds)) return keep(usual, usualSize);
  let root: unknown;
  const open: Record<string | number, unknown>[] = [];
  const put = (member: unknown, key: Key): void => {
    const container = open.at(-1);
    if (container === undefined || key === undefined) root = member;
    else container[key] = member; // safe: the walk refuses `__proto__`
  };
  const size = walk(document, value, {
    isExact: true,
    bounds,
    ...(under !== undefined && { under }),
    leaf: put,
    known: (container, key) => {
      const held = sizeOfCopy(container);
      if (held !== undefined) put(container, key);
      return held;
    },
    enter(container, key) {
      const copy = (Array.isArray(container) ? [] : {}) as Record<string | number, unknown>;
      put(copy, key);
      open.push(copy);
    },
    leave() {
      Object.freeze(open.pop());
    },
  });
  return keep(root, size);
}
