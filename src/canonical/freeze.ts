import { markFrozen } from './deep-freeze.ts';
import { walk, type Bounds, type Key } from './walk.ts';

/** The maximum nesting of a value from outside. */
export const mostLevels = 64;

/** The limits of a value from outside, so that every accepted value can be stored and read back. */
export const valueBounds: Bounds = { depth: mostLevels, members: 100_000, text: 1_048_576 };

/** The limits of a record, which holds several documents within `valueBounds`. */
export const recordBounds: Bounds = { depth: mostLevels + 32, members: 1_600_000, text: 16_777_216 };

/** The size of each copy made here. A copy cannot change, so it is never copied again. */
const copies = new WeakMap<object, Bounds>();

/**
 * Returns a deeply frozen copy of plain JSON data, so that the hashed value is the used value. An earlier copy is
 * returned as it is.
 *
 * Throws `input_unreadable` if the value is not plain I-JSON data (RFC 7493); `document` names it in the error.
 */
export function frozenCopy(value: unknown, document = 'value', bounds: Bounds = valueBounds): unknown {
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
    leaf: put,
    known: (container, key) => {
      const held = copies.get(container);
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
  if (typeof root === 'object' && root !== null && !copies.has(root)) {
    copies.set(root, size);
    markFrozen(root);
  }
  return root;
}
