/** Values that are deeply frozen. */
const deeplyFrozen = new WeakSet<object>();

/** Returns whether a value is a plain object or an array, not a class instance or a function. */
const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Marks a value as deeply frozen. */
export const markFrozen = (value: object): void => void deeplyFrozen.add(value);

/** Returns whether `deepFreeze` or `frozenCopy` made a value: no part of it changes any more. */
export const isDeeplyFrozen = (value: object): boolean => deeplyFrozen.has(value);

const freezeAll = (container: object): void => {
  Object.freeze(container);
  if (Array.isArray(container)) {
    for (const member of container as readonly unknown[])
      if (isPlain(member) && !deeplyFrozen.has(member)) freezeAll(member);
    return;
  }
  for (const key of Object.keys(container)) {
    const member = (container as Readonly<Record<string, unknown>>)[key];
    if (isPlain(member) && !deeplyFrozen.has(member)) freezeAll(member);
  }
};

/**
 * Freezes a value of the engine deeply, and returns it.
 *
 * Freezing it again costs one look-up. Functions and class instances in it stay as they are. For a value from
 * outside use `frozenCopy`: its sender may still change it.
 */
export const deepFreeze = <Value>(value: Value): Value => {
  if (!isPlain(value) || deeplyFrozen.has(value)) return value;
  freezeAll(value);
  markFrozen(value);
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
