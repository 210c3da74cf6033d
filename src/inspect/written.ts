/**
 * What is not shown: the names of members that are withheld wherever they stand, or a function that is asked for each
 * member, as the replacer of `JSON.stringify` is, and whose answer is shown. One that throws withholds the member.
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
      return withheld; // it was about to take something out
    }
  };
};

const nothingReplaced: Replace = (_key, value) => value;

/** What JSON has no word for among objects: sets, maps and errors. */
const inJsonObject = (value: unknown): unknown => {
  if (value instanceof Set) return [...value];
  if (value instanceof Error)
    return { name: value.name, message: value.message, ...Object.fromEntries(Object.entries(value)) };
  if (!(value instanceof Map)) return value;
  const entries = [...value];
  return entries.every(([key]) => typeof key === 'string') ? Object.fromEntries(entries) : entries;
};

/** What JSON has no word for, in the words that it has. */
const inJson = (value: unknown): unknown => {
  switch (typeof value) {
    case 'bigint':
      return `${value}n`;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'symbol':
      return String(value);
    case 'function':
      return { type: value.name }; // how the inspector's own serializer names an inline guard or action
    case 'string':
    case 'boolean':
    case 'undefined':
    case 'object':
      return inJsonObject(value);
  }
};

/** The history of a snapshot holds whole state nodes, which say nothing that a viewer needs. */
const isHistory = (holder: object, key: string): boolean =>
  key === 'historyValue' && 'status' in holder && 'children' in holder;

/** JSON of a value, in the order of its members, whole, and redacted below its root; throws where it cannot be written. */
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

/** JSON of an object of two parts: its structure as it stands, and its content redacted; never throws. */
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
