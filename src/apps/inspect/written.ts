/**
 * What to hide: member names, or a function like the replacer of `JSON.stringify` that returns the value to
 * show. If the function throws, the member is hidden.
 */
export type Redaction = readonly string[] | ((key: string, value: unknown) => unknown);

export type Replace = (key: string, value: unknown) => unknown;

const withheld = '[withheld]';

export const replacing = (redaction: Redaction): Replace => {
  if (typeof redaction !== 'function') {
    const names = new Set(redaction);
    return (key, value) => (names.has(key) ? withheld : value);
  }
  return (key, value) => {
    try {
      return redaction(key, value);
    } catch {
      return withheld; // it may have meant to hide it
    }
  };
};

const nothingReplaced: Replace = (_key, value) => value;

/** Returns sets, maps and errors as JSON values. */
const inJsonObject = (value: unknown): unknown => {
  if (value instanceof Set) return [...value];
  if (value instanceof Error)
    return { name: value.name, message: value.message, ...Object.fromEntries(Object.entries(value)) };
  if (!(value instanceof Map)) return value;
  const entries = [...value];
  return entries.every(([key]) => typeof key === 'string') ? Object.fromEntries(entries) : entries;
};

/** Returns a value that JSON cannot express as a JSON value. */
const inJson = (value: unknown): unknown => {
  switch (typeof value) {
    case 'bigint':
      return `${value}n`;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'symbol':
      return String(value);
    case 'function':
      return { type: value.name }; // the inspector's serializer names an inline guard or action like this
    case 'string':
    case 'boolean':
    case 'undefined':
    case 'object':
      return inJsonObject(value);
  }
};

/**
 * Returns whether a member is the history of a snapshot. It holds whole state nodes that viewers do not need.
 */
const isHistory = (holder: object, key: string): boolean =>
  key === 'historyValue' && 'status' in holder && 'children' in holder;

/** Returns the JSON of a value, redacted below its root. Throws if it cannot be written. */
export const jsonOf = (value: unknown, replace: Replace): string => {
  const trail: { readonly of: unknown; readonly shown: unknown }[] = [];
  const replacer = function (this: object, key: string, member: unknown): unknown {
    const isRoot = trail.length === 0;
    while (trail.length > 0 && trail.at(-1)?.shown !== this) trail.pop();
    if (isHistory(this, key)) return undefined;
    const of = isRoot ? member : replace(key, member);
    const shown = inJson(of);
    if (typeof shown !== 'object' || shown === null) return shown;
    if (trail.some((above) => above.of === of)) return '[circular]';
    trail.push({ of, shown });
    return shown;
  };
  return JSON.stringify(value, replacer) ?? 'null';
};

/** Returns the JSON of an object of two parts: structure, and redacted content. Never throws. */
export const written = (structure: object, content: () => object, replace: Replace): string => {
  const part = (members: () => object, replaced: Replace): string => {
    try {
      return jsonOf(members(), replaced).slice(1, -1);
    } catch {
      return '"unreadable":"it cannot be written as JSON"';
    }
  };
  return `{${[part(() => structure, nothingReplaced), part(content, replace)].filter(Boolean).join(',')}}`;
};
