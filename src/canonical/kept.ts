import { types } from 'node:util';
import { isCharterError } from '../errors.ts';
import { frozenCopy, mostLevels, valueBounds } from './freeze.ts';
import { pointerTo } from './unreadable.ts';
import { instanceOf, isUsualKey } from './walk.ts';

/** The member that stands in place of a value that a record cannot hold, and says what it was. */
export const notKeptKey = 'agentcharter:notKept';

/** A value as a record holds it, and what of it could not be kept: the place, and what it was. */
export interface Kept {
  readonly value: unknown;
  readonly lost: readonly { readonly at: string; readonly what: string }[];
}

/** In place of what JSON leaves out: `undefined`, functions and symbols. */
const omitted = Symbol('omitted');

const hasToJson = (value: object): value is { readonly toJSON: (key: string) => unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';

/** Returns a value as its own `toJSON` writes it. */
const converted = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && hasToJson(value) ? value.toJSON(key) : value;

/** Returns whether JSON would write an object as an empty one, whatever it holds. */
const isOpaque = (value: object): boolean =>
  types.isMap(value) ||
  types.isSet(value) ||
  types.isWeakMap(value) ||
  types.isWeakSet(value) ||
  types.isPromise(value) ||
  types.isRegExp(value) ||
  types.isNativeError(value) ||
  types.isAnyArrayBuffer(value) ||
  ArrayBuffer.isView(value);

/** Copies a value as `JSON.stringify` reads it, and marks what that would lose. */
class Copy {
  readonly lost: Kept['lost'][number][] = [];
  readonly #open = new Set<object>();

  of(read: () => unknown, path: readonly string[]): unknown {
    try {
      return this.#copy(converted(read(), path.at(-1) ?? ''), path);
    } catch {
      return this.mark(path, 'a value that threw when it was read');
    }
  }

  mark(path: readonly string[], what: string): unknown {
    this.lost.push({ at: pointerTo(path), what });
    return { [notKeptKey]: what };
  }

  #copy(value: unknown, path: readonly string[]): unknown {
    switch (typeof value) {
      case 'string':
        if (!value.isWellFormed()) return this.mark(path, 'a text with half a surrogate pair');
        if (value.length <= valueBounds.text) return value;
        return this.mark(
          path,
          `a text of ${value.length} UTF-16 units, of which ${valueBounds.text} are read`,
        );
      case 'number':
        if (!Number.isFinite(value)) return this.mark(path, `${value}, which JSON does not have`);
        return Number.isInteger(value) && !Number.isSafeInteger(value)
          ? this.mark(path, 'an integer that not every reader holds exactly')
          : value;
      case 'bigint':
        return this.mark(path, `the bigint ${value}`);
      case 'boolean':
        return value;
      case 'object':
        return value === null ? null : this.#container(value, path);
      case 'undefined':
      case 'function':
      case 'symbol':
        return omitted;
    }
  }

  #container(value: object, path: readonly string[]): unknown {
    if (this.#open.has(value)) return this.mark(path, 'a circular reference to what holds it');
    if (path.length >= mostLevels - 1) return this.mark(path, `nested deeper than ${mostLevels} levels`);
    if (isOpaque(value)) return this.mark(path, instanceOf(value));
    this.#open.add(value);
    const members = Object.keys(value).map((name): readonly [string, unknown] => {
      const at = [...path, name];
      if (isUsualKey(name)) return [name, this.of(() => Reflect.get(value, name), at)];
      this.mark(at, 'a member of this name');
      return [name, omitted];
    });
    this.#open.delete(value);
    if (Array.isArray(value)) return members.map(([, one]) => (one === omitted ? null : one));
    return Object.fromEntries(members.filter(([, one]) => one !== omitted));
  }
}

/**
 * Returns what a function returned as a record can hold it: converted as `JSON.stringify` does (`toJSON`), and with
 * `{ "agentcharter:notKept": … }` in place of each value that JSON cannot hold, such as a Map, a bigint or a circle. A value
 * that is too large is replaced whole.
 */
export const kept = (given: unknown, document: string): Kept => {
  try {
    return { value: frozenCopy(given ?? null, document), lost: [] };
  } catch (error) {
    if (!isCharterError(error, 'input_unreadable')) throw error;
  }
  const copy = new Copy();
  const value = copy.of(() => given, []);
  try {
    return { value: frozenCopy(value === omitted ? null : value, document), lost: copy.lost };
  } catch (error) {
    if (!isCharterError(error, 'input_unreadable')) throw error;
    const whole = new Copy();
    const mark = whole.mark([], error.details.reason);
    return { value: frozenCopy(mark, document), lost: whole.lost };
  }
};
