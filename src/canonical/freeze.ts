import { walk, type Key } from './walk.ts';

/**
 * A deeply frozen copy of plain JSON data, so that what is hashed is what is used.
 *
 * Throws `input_unreadable` for what is not plain I-JSON data (RFC 7493); `document` names the value in that error.
 */
export function frozenCopy(value: unknown, document = 'value'): unknown {
  let root: unknown;
  const open: Record<string | number, unknown>[] = [];
  const put = (member: unknown, key: Key): void => {
    const container = open.at(-1);
    if (container === undefined || key === undefined) root = member;
    else container[key] = member; // safe: the walk refuses `__proto__`
  };
  walk(document, value, {
    isExact: true,
    leaf: put,
    enter(container, key) {
      const copy = (Array.isArray(container) ? [] : {}) as Record<string | number, unknown>;
      put(copy, key);
      open.push(copy);
    },
    leave() {
      Object.freeze(open.pop());
    },
  });
  return root;
}
