/** A value that `JSON.stringify` would lose or merge, so that two states could share a key. */
export interface Unplain {
  /** JSON Pointer (RFC 6901) into the context. */
  readonly path: string;
  readonly reason: string;
}

/** The maximum depth of a context. A deeper one is reported as circular. */
const depth = 200;

const isRecord = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
};

const reasonOf = (value: unknown): string | null => {
  switch (typeof value) {
    case 'function':
    case 'symbol':
    case 'bigint':
      return `a ${typeof value}`;
    case 'number':
      return Number.isFinite(value) ? null : `the number ${value}`;
    case 'object':
    case 'string':
    case 'boolean':
    case 'undefined':
      return null;
  }
};

const unplainInList = (list: readonly unknown[], left: number): Unplain | null => {
  for (let at = 0; at < list.length; at += 1) {
    const found = list[at] === undefined ? { path: '', reason: 'nothing' } : unplainIn(list[at], left);
    if (found !== null) return { path: `/${at}${found.path}`, reason: found.reason };
  }
  return null;
};

/** Returns the first value that is not plain data; `null` if there is none. */
export const unplainIn = (value: unknown, left = depth): Unplain | null => {
  const reason = reasonOf(value);
  if (reason !== null) return { path: '', reason };
  if (typeof value !== 'object' || value === null) return null;
  if (left === 0) return { path: '', reason: 'a cycle, or a value that is nested too deeply' };
  if (Array.isArray(value)) return unplainInList(value, left - 1);
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    const json: unknown = value.toJSON();
    return json === null
      ? { path: '', reason: 'a value that is written as null' }
      : unplainIn(json, left - 1);
  }
  if (!isRecord(value)) return { path: '', reason: 'an object that is not a plain record or list' };
  for (const key in value) {
    const found = unplainIn((value as Readonly<Record<string, unknown>>)[key], left - 1);
    if (found !== null)
      return {
        path: `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}${found.path}`,
        reason: found.reason,
      };
  }
  return null;
};
