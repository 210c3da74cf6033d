/** The name of a function without a name. */
export const inline = 'inline';

/** The names that JavaScript infers for anonymous functions, from their members. */
const places: ReadonlySet<string> = new Set(['', 'guard', 'actions', 'entry', 'exit', 'src', 'params']);

/** The maximum of metadata in a picture, in characters of JSON. */
const maxCharacters = 65_536;

/** Returns a value as JSON; `undefined` if it is not JSON or too large. */
export const plain = (value: unknown): unknown => {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined || text.length > maxCharacters ? undefined : JSON.parse(text);
  } catch {
    return undefined; // a cycle, a bigint, or a getter that throws
  }
};

interface Named {
  readonly type: string;
  readonly params?: unknown;
}

const isNamed = (value: unknown): value is Named =>
  (typeof value === 'object' || typeof value === 'function') &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string';

/** Returns the name of a function: its own, XState's (`inline assign`), or `inline`. */
export const functionName = (written: unknown): string => {
  if (isNamed(written) && written.type.startsWith('xstate.'))
    return `${inline} ${written.type.slice('xstate.'.length)}`;
  return typeof written === 'function' && typeof written.name === 'string' && !places.has(written.name)
    ? written.name
    : inline;
};

/** Returns the guards that `and`, `or` or `not` combines; `null` for other values. */
export const partsOf = (written: unknown): readonly unknown[] | null =>
  typeof written === 'function' && 'guards' in written && Array.isArray(written.guards)
    ? written.guards
    : null;

/** Returns the text of a guard that `and`, `or`, `not` or `stateIn` created. */
const combined = (written: unknown): string => {
  if (typeof written === 'function' && 'stateValue' in written) {
    const { stateValue } = written;
    return `in ${typeof stateValue === 'string' ? stateValue : JSON.stringify(stateValue)}`;
  }
  const parts = partsOf(written);
  const how = functionName(written);
  if (parts === null) return how;
  const words = parts.map((part) =>
    (partsOf(part)?.length ?? 0) > 1 ? `(${guardWords(part)})` : guardWords(part),
  );
  return words.length > 1 ? words.join(` ${how} `) : [how, ...words].join(' ');
};

/** A guard or action in a configuration: its name, with plain parameters if any. */
export type Reference = string | { readonly type: string; readonly params?: unknown };

const referenceTo = (written: unknown, nameOf: (written: unknown) => string): Reference => {
  if (typeof written === 'string') return written;
  if (typeof written === 'function' || !isNamed(written)) return nameOf(written);
  const params = typeof written.params === 'function' ? undefined : plain(written.params);
  return params === undefined ? { type: written.type } : { type: written.type, params };
};

export const guardReference = (written: unknown): Reference => referenceTo(written, combined);
export const actionReference = (written: unknown): Reference => referenceTo(written, functionName);

const words = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns a reference as text: `enter plan`, `isOver 3`. */
const wordsOf = (reference: Reference): string => {
  if (typeof reference === 'string') return reference;
  const { type, params } = reference;
  const values = typeof params === 'object' && params !== null ? Object.values(params) : [params ?? ''];
  return [type, ...values.map(words)].join(' ').trimEnd();
};

export const guardWords = (written: unknown): string => wordsOf(guardReference(written));
export const actionWords = (written: unknown): string => wordsOf(actionReference(written));

/** Returns a member as a list. It may be a single value, a list, or undefined. */
export const listed = (written: unknown): readonly unknown[] =>
  written === undefined ? [] : Array.isArray(written) ? written : [written];

/** Returns the name of an invoked actor. */
export const sourceName = (src: unknown): string => (typeof src === 'string' ? src : inline);
