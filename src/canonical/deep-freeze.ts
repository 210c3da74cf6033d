/** Values that are frozen with everything in them; a value that is frozen only on its surface is never here. */
const deeplyFrozen = new WeakSet<object>();

/** Whether a value is a plain object or an array: not an instance of a class, not a function. */
const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Remembers that a value was frozen with everything in it. */
export const markFrozen = (value: object): void => void deeplyFrozen.add(value);

const freezeAll = (container: object): void => {
  Object.freeze(container);
  const members: readonly unknown[] = Array.isArray(container) ? container : Object.values(container);
  for (const member of members) if (isPlain(member) && !deeplyFrozen.has(member)) freezeAll(member);
};

/**
 * Freezes a value that the engine has made, and every plain object and array in it; returns the same value.
 *
 * Freezing it again costs one look-up. Functions and instances of classes in it stay as they are. For a value from
 * outside use `frozenCopy`: its sender may still hold it.
 */
export const deepFreeze = <Value>(value: Value): Value => {
  if (!isPlain(value) || deeplyFrozen.has(value)) return value;
  freezeAll(value);
  markFrozen(value);
  return value;
};

/** Copies the plain objects and arrays of a value, so that host code may change its copy; all else in it is shared. */
export const ownCopy = <Value>(value: Value): Value => {
  if (!isPlain(value)) return value;
  const copy: unknown = Array.isArray(value)
    ? value.map(ownCopy)
    : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, ownCopy(member)]));
  return copy as Value; // the same data
};
