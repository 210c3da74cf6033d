import { types } from 'node:util';
import { isCharterError } from '../errors.ts';
import type { Bounds } from './deep-freeze.ts';
import { frozenCopy, mostLevels, valueBounds } from './freeze.ts';
import { pointerTo } from './unreadable.ts';
import { instanceOf, isUsualKey } from './walk.ts';

/** The member that stands in place of a value that a record cannot hold, and says what it was. */
export const notKeptKey = 'agentcharter:notKept';

/** Returns whether a value stands in place of one that a record could not hold. */
export const isNotKept = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, notKeptKey);

/** A value as a record holds it, and what of it could not be kept: the place, and what it was. */
export interface Kept {
  readonly value: unknown;
  readonly lost: readonly { readonly at: string; readonly what: string }[];
}

/** In place of what JSON leaves out: `undefined`, functions and symbols. */
const omitted = Symbol('omitted');

const hasToJson = (value: object): value is { readonly toJSON: (key: string) => unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';

/** Returns a value as its own `toJSON` writes it, and a boxed one as what is in it. */
const converted = (value: unknown, key: string): unknown => {
  const written = typeof value === 'object' && value !== null && hasToJson(value) ? value.toJSON(key) : value;
  return types.isBoxedPrimitive(written) ? written.valueOf() : written;
};

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

/** Returns what a record has in place of binary data; `undefined` for more than may be kept. */
type BinaryCopy = (data: Uint8Array) => unknown;

/** Copies a value as `JSON.stringify` reads it, and marks what that would lose. */
class Copy {
  readonly lost: Kept['lost'][number][] = [];
  readonly #open = new Set<object>();
  readonly #bounds: Bounds;
  readonly #binary: BinaryCopy | undefined;
  /** How many members may still be read: what is shared is read once for each place. */
  #left: number;

  constructor(bounds: Bounds, binary?: BinaryCopy) {
    this.#bounds = bounds;
    this.#binary = binary;
    this.#left = bounds.members;
  }

  /** Whether there are more members than a record holds; then nothing more was read. */
  get isTooLarge(): boolean {
    return this.#left < 0;
  }

  of(read: () => unknown, path: readonly string[]): unknown {
    try {
      const given = read();
      if (this.#binary !== undefined && given instanceof Uint8Array)
        return this.#binary(given) ?? this.mark(path, `binary data of ${given.length} bytes`);
      return this.#copy(converted(given, path.at(-1) ?? ''), path);
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
        if (value.length <= this.#bounds.text) return value.toWellFormed();
        return this.mark(
          path,
          `a text of ${value.length} UTF-16 units, of which ${this.#bounds.text} are read`,
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
    const copy = Array.isArray(value) ? this.#array(value, path) : this.#object(value, path);
    this.#open.delete(value);
    return copy;
  }

  #array(value: readonly unknown[], path: readonly string[]): unknown {
    this.#left -= value.length;
    if (this.isTooLarge) return null;
    return Array.from({ length: value.length }, (_, at) => {
      const one = this.of(() => value[at], [...path, String(at)]);
      return one === omitted ? null : one;
    });
  }

  #object(value: object, path: readonly string[]): unknown {
    const names = Object.keys(value);
    this.#left -= names.length;
    if (this.isTooLarge) return null;
    const members = names.map((name): readonly [string, unknown] => {
      const at = [...path, name];
      if (isUsualKey(name)) return [name, this.of(() => Reflect.get(value, name), at)];
      this.mark(at, 'a member of this name');
      return [name, omitted];
    });
    return Object.fromEntries(members.filter(([, one]) => one !== omitted));
  }
}

/**
 * Returns what a function returned as a record can hold it: converted as `JSON.stringify` does (`toJSON`), with U+FFFD in place
 * of half a surrogate pair, and with `{ "agentcharter:notKept": … }` in place of each value that JSON cannot hold, such as a
 * Map, a bigint or a circle. A value that is too large is replaced whole; binary data by what `binary` returns.
 */
export const kept = (given: unknown, document: string, bounds = valueBounds, binary?: BinaryCopy): Kept => {
  try {
    return { value: frozenCopy(given ?? null, document, bounds), lost: [] };
  } catch (error) {
    if (!isCharterError(error, 'input_unreadable')) throw error;
  }
  const copy = new Copy(bounds, binary);
  const value = copy.of(() => given, []);
  const markWhole = (why: string): Kept => {
    const whole = new Copy(bounds);
    return { value: frozenCopy(whole.mark([], `too large to be kept: ${why}`), document), lost: whole.lost };
  };
  if (copy.isTooLarge) return markWhole(`it has more than ${bounds.members} members`);
  try {
    return { value: frozenCopy(value === omitted ? null : value, document, bounds), lost: copy.lost };
  } catch (error) {
    if (!isCharterError(error, 'input_unreadable')) throw error;
    return markWhole(error.details.reason);
  }
};
