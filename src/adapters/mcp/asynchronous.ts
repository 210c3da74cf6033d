import { isObject } from '../../boundary/is-object.ts';

/** Whether a schema has the member `$async` anywhere: the SDK takes its promise for a yes, and no one hears a rejection. */
export const isAsynchronous = (schema: unknown): boolean => {
  const left: unknown[] = [schema];
  const seen = new Set<unknown>();
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    if (Object.hasOwn(value, '$async')) return true;
    seen.add(value);
    for (const member of Object.values(value)) left.push(member);
  }
  return false;
};

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  (isObject(value) || typeof value === 'function') && typeof Reflect.get(value, 'then') === 'function';

const ignore = (): void => undefined;

/** A check that answers at once. Throws for a promise, whose rejection is handled. */
export const atOnce = <Result>(answer: Result): Result => {
  if (!isThenable(answer)) return answer;
  Promise.resolve(answer).then(ignore, ignore);
  throw new Error('its validator answered with a promise, and not at once');
};

/** Why a schema is not compiled; `null` for one that may be. */
export const notCompiled = (schema: unknown): string | null =>
  isAsynchronous(schema) ? 'it has the member $async, and schemas are checked at once' : null;
