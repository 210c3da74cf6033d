import { isObject } from '../../base/boundary/is-object.ts';

/**
 * Returns whether a schema contains `$async`. The SDK would take its promise as success and leave a rejection
 * unhandled.
 */
export const isAsynchronous = (schema: unknown): boolean => {
  const remaining: unknown[] = [schema];
  const visited = new Set<unknown>();
  while (remaining.length > 0) {
    const value = remaining.pop();
    if (typeof value !== 'object' || value === null || visited.has(value)) continue;
    if (Object.hasOwn(value, '$async')) return true;
    visited.add(value);
    for (const member of Object.values(value)) remaining.push(member);
  }
  return false;
};

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  (isObject(value) || typeof value === 'function') && typeof Reflect.get(value, 'then') === 'function';

const ignore = (): void => undefined;

/** Returns a synchronous result. Throws for a promise, and handles its rejection. */
export const synchronous = <Result>(answer: Result): Result => {
  if (!isThenable(answer)) return answer;
  Promise.resolve(answer).then(ignore, ignore);
  throw new Error('its validator returned a promise: expected a synchronous validator');
};

/** Returns why a schema cannot be compiled; `null` if it can. */
export const notCompiled = (schema: unknown): string | null =>
  isAsynchronous(schema) ? 'it has the member $async: expected a synchronous schema' : null;
