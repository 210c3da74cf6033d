import { markFrozen } from './deep-freeze.ts';
import { walk, type Bounds, type Key } from './walk.ts';

/** How many objects and arrays of a value from outside may stand in each other: what is deeper is not read. */
export const mostLevels = 64;

/** What comes in as a value is bounded as bytes are, so that whatever is taken can be stored, and read back. */
export const valueBounds: Bounds = { depth: mostLevels, members: 100_000, text: 1_048_576 };

/** A record holds several documents, each within `valueBounds`. */
export const recordBounds: Bounds = { depth: mostLevels + 32, members: 1_600_000, text: 16_777_216 };

/** How much each copy holds that was made here: it cannot change, so that it needs no second copy. */
const copies = new WeakMap<object, Bounds>();

/**
 * A deeply frozen copy of plain JSON data, so that what is hashed is what is used. Returns a copy that was made here
 * before as it is.
 *
 * Throws `input_unreadable` for what is not plain I-JSON data (RFC 7493); `document` names the value in that error.
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
