/** What `JSON.stringify` would lose or merge, so that two states could share one key: where it is, and what. */
export interface Unplain {
  /** JSON Pointer (RFC 6901) into the context. */
  readonly path: string;
  readonly reason: string;
}

const isPlain = (value: object): boolean => {
  if (Array.isArray(value) || 'toJSON' in value) return true;
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
      return value === null || isPlain(value) ? null : 'an object that is not a plain record or list';
    case 'string':
    case 'boolean':
    case 'undefined':
      return null;
  }
};

/** The first thing in a value that is not plain data, if any. */
export const unplainIn = (value: unknown, path = ''): Unplain | null => {
  const reason = reasonOf(value);
  if (reason !== null) return { path, reason };
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    const found = unplainIn(member, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (found !== null) return found;
  }
  return null;
};
