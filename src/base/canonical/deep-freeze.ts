/** The size of a value, or its limit: levels of containers, members in total, UTF-16 code units of all texts. */
export interface Bounds {
  readonly depth: number;
  readonly members: number;
  readonly text: number;
}

/** What is known of a value that is deeply frozen. */
interface Known {
  /** Its size, if `frozenCopy` made it: plain JSON data. */
  readonly size: Bounds | undefined;
  /** Its digest, once that is computed. */
  digest: string | undefined;
}

/** The frozen values that are used again. Each entry costs more than freezing a small value anew. */
const known = new WeakMap<object, Known>();

/** Returns whether a value is a plain object or an array, not a class instance or a function. */
export const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Remembers that a value is deeply frozen; `size` is that of a copy of plain JSON data. */
export const markFrozen = (value: object, size?: Bounds): void =>
  void known.set(value, { size, digest: undefined });

/** Returns whether a value is known to be deeply frozen: no part of it changes any more. */
export const isDeeplyFrozen = (value: object): boolean => known.has(value);

/** Returns the size of a copy that `frozenCopy` made; `undefined` for any other value. */
export const sizeOfCopy = (value: object): Bounds | undefined => known.get(value)?.size;

/** Returns the digest of a frozen copy, which is computed once; `compute` makes that of any other value each time. */
export const digestOnce = (value: object, compute: () => string): string => {
  const copy = known.get(value);
  if (copy?.size === undefined) return compute();
  copy.digest ??= compute();
  return copy.digest;
};

const freezeAll = (value: object): void => {
  if (!isPlain(value) || known.has(value)) return;
  Object.freeze(value);
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const member = members[name]; // most are texts and numbers: to ask of each what it is costs a call
    if (typeof member === 'object' && member !== null) freezeAll(member);
  }
};

/**
 * Freezes a value of the engine deeply, and returns it.
 *
 * Functions and class instances in it stay as they are. For a value from outside use `frozenCopy`: its sender may
 * still change it.
 */
export const deepFreeze = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null) freezeAll(value);
  return value;
};

/**
 * Copies the plain objects and arrays of a value, so that host code may change the copy; everything else is shared.
 */
export const ownCopy = <Value>(value: Value): Value => {
  if (!isPlain(value)) return value;
  const copy: unknown = Array.isArray(value)
    ? value.map(ownCopy)
    : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, ownCopy(member)]));
  return copy as Value; // the same data
};
