import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../boundary/is-object.ts';
import { pointerTo } from '../canonical/unreadable.ts';

type Members = Readonly<Record<string, unknown>>;

const restatedMember = (key: string, raw: Members, shown: Members, given: Members): Members => {
  const isRead = Object.hasOwn(shown, key);
  if (isRead && isDeepStrictEqual(given[key], shown[key]))
    return Object.hasOwn(raw, key) ? { [key]: raw[key] } : {}; // what the schema adds, it adds again
  return {
    [key]: isRead && Object.hasOwn(raw, key) ? restated(raw[key], shown[key], given[key]) : given[key],
  };
};

/**
 * Returns what a person changed in a value as its schema takes it: what was left as it was shown is what was proposed
 * before the schema read it, so that no transform runs on its own result.
 */
export const restated = (raw: unknown, shown: unknown, given: unknown): unknown => {
  if (isDeepStrictEqual(given, shown)) return raw;
  if (!isObject(raw) || !isObject(shown) || !isObject(given)) return given;
  return Object.assign({}, ...Object.keys(given).map((key) => restatedMember(key, raw, shown, given)));
};

const membersOf = (value: unknown): Members | null =>
  Array.isArray(value) ? Object.fromEntries(value.entries()) : isObject(value) ? value : null;

/**
 * Returns where a schema reads something else than was shown though the person left it as it was, as a JSON Pointer;
 * `null` where it does not.
 */
export const changedBeside = (
  shown: unknown,
  given: unknown,
  read: unknown,
  path: readonly string[] = [],
): string | null => {
  if (isDeepStrictEqual(given, shown)) return isDeepStrictEqual(read, shown) ? null : pointerTo(path);
  const [was, is, now] = [membersOf(shown), membersOf(given), membersOf(read)];
  if (was === null || is === null || now === null) return null;
  for (const key of Object.keys(is).filter((one) => Object.hasOwn(was, one))) {
    const changed = changedBeside(was[key], is[key], now[key], [...path, key]);
    if (changed !== null) return changed;
  }
  return null;
};
