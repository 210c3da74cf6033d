import { isDeepStrictEqual } from 'node:util';
import type { JsonPatch } from '../../../schema/index.ts';
import { isObject } from '../boundary/is-object.ts';
import { valueBounds } from '../canonical/freeze.ts';
import { shownPointer } from '../canonical/unreadable.ts';
import type { Bounds } from '../canonical/deep-freeze.ts';
import { walk, type Key } from '../canonical/walk.ts';
import { applicable, inapplicable } from './inapplicable.ts';
import { described, splitPointer, isIndex, replaceAt, valueAt, type Draft } from './place.ts';

interface Patched extends Draft {
  /** The remaining room for copies, so that repeated self-copying ends before memory does. */
  room: Bounds;
}

/** Returns the room that remains after a copy. Throws `input_unreadable` if the copy does not fit. */
const remainingRoom = (copied: unknown, bounds: Bounds): Bounds => {
  let { members, text } = bounds;
  const count = (key: Key): void => {
    members -= 1;
    if (typeof key === 'string') text -= key.length;
  };
  walk('what is copied', copied, {
    bounds,
    leaf(leaf, key) {
      count(key);
      if (typeof leaf === 'string') text -= leaf.length;
    },
    enter: (_, key) => count(key),
    leave: () => {},
  });
  return { ...bounds, members, text };
};

/** Inserts a value (RFC 6902 4.1): before an array index, or as a named member. */
const put = (draft: Draft, pointer: string, value: unknown, path: string): void => {
  if (pointer === '') {
    draft.whole = value;
    return;
  }
  const { holder: above, name } = splitPointer(pointer);
  const holder = valueAt(draft.whole, above, path);
  if (Array.isArray(holder)) {
    const index = name === '-' ? holder.length : isIndex(name) ? Number(name) : Infinity;
    if (index > holder.length)
      throw inapplicable(path, `${shownPointer(pointer)} is not a location in ${described(holder)}`);
    holder.splice(index, 0, value);
  } else if (!isObject(holder) || name === '__proto__')
    throw inapplicable(path, `nothing can be added at ${shownPointer(pointer)}, in ${described(holder)}`);
  else holder[name] = value;
};

/** Removes and returns the value at a pointer (RFC 6902 4.2). */
const take = (draft: Draft, pointer: string, path: string): unknown => {
  const taken = valueAt(draft.whole, pointer, path);
  if (pointer === '') throw inapplicable(path, 'the root cannot be removed: replace it');
  const { holder: above, name } = splitPointer(pointer);
  const holder = valueAt(draft.whole, above, path);
  if (Array.isArray(holder)) holder.splice(Number(name), 1);
  else if (isObject(holder)) delete holder[name];
  return taken;
};

const move = (draft: Draft, from: string, to: string, path: string): void => {
  valueAt(draft.whole, from, `${path}/from`);
  if (from === to) return;
  if (to.startsWith(`${from}/`))
    throw inapplicable(`${path}/path`, `${shownPointer(from)} cannot be moved into itself`);
  put(draft, to, take(draft, from, `${path}/from`), `${path}/path`);
};

type Operation = JsonPatch[number];

const applyOperation = (draft: Patched, operation: Operation, path: string): void => {
  const to = `${path}/path`;
  switch (operation.op) {
    case 'add':
      return put(draft, operation.path, operation.value, to);
    case 'remove':
      return void take(draft, operation.path, to);
    case 'replace':
      return replaceAt(draft, operation.path, operation.value, to);
    case 'move':
      return move(draft, operation.from, operation.path, path);
    case 'copy': {
      const copied = valueAt(draft.whole, operation.from, `${path}/from`);
      draft.room = applicable(path, () => remainingRoom(copied, draft.room));
      return put(draft, operation.path, structuredClone(copied), to);
    }
    case 'test':
      if (isDeepStrictEqual(valueAt(draft.whole, operation.path, to), operation.value)) return;
      throw inapplicable(path, `the test fails: there is another value at ${shownPointer(operation.path)}`);
  }
};

/**
 * Returns a value after a whole JSON Patch (RFC 6902); `path` is the patch's location in the feedback.
 *
 * Pointers reach own members and RFC 6901 indexes only. Throws `feedback_inapplicable` with the failing operation.
 */
export const jsonPatched = (value: unknown, patch: JsonPatch, path: string): unknown => {
  const draft: Patched = { whole: structuredClone(value), room: valueBounds };
  const operations = structuredClone(patch); // a copy: later operations may change inserted values
  operations.forEach((operation, at) => applyOperation(draft, operation, `${path}/${at}`));
  return draft.whole;
};
