import { isObject } from '../boundary/is-object.ts';

/** Returns a value after a merge patch (RFC 7396 2): members replace members, `null` removes one. */
export const mergePatched = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatched(merged.get(name), value));
  }
  return Object.fromEntries(merged);
};
