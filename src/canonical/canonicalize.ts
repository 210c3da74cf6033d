import { sizeOfCopy } from './deep-freeze.ts';
import { isPlainContainer, isUsualKey, mostRecursion, walk, type Key } from './walk.ts';

// JSON.stringify writes numbers and well-formed strings as RFC 8785 3.2.2 requires, and -0 as 0.
// Array.prototype.toSorted compares UTF-16 code units, as RFC 8785 3.2.3 requires.

/** Texts that JSON writes as they are, between quotes: most keys, identifiers and digests. */
const plainText = /^[\w :.,/+@~-]*$/;

/** Returns the JSON text of a string; most need no escape, and a test is cheaper than `JSON.stringify`. */
const quoted = (text: string): string =>
  text.length < 100 && plainText.test(text) ? `"${text}"` : JSON.stringify(text);

/** Returns the keys of a plain object in the order of RFC 8785; most objects are made with few keys. */
const sortedKeys = (members: object): readonly string[] => {
  const keys = Object.keys(members);
  for (let index = 1; index < keys.length; index += 1)
    if ((keys[index - 1] ?? '') > (keys[index] ?? '')) return keys.toSorted();
  return keys;
};

/** Returns the canonical text of a part of a frozen copy, which was checked when it was made. */
export const textOfCopy = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value); // as JSON writes numbers, also -0
  let text = '';
  if (Array.isArray(value)) {
    for (const member of value) text += `${text === '' ? '' : ','}${textOfCopy(member)}`;
    return `[${text}]`;
  }
  const members = value as Readonly<Record<string, unknown>>; // a copy holds plain objects
  for (const key of sortedKeys(members))
    text += `${text === '' ? '' : ','}${quoted(key)}:${textOfCopy(members[key])}`;
  return `{${text}}`;
};

/**
 * Returns the canonical text of plain data that the engine made and froze, so that no member is a getter; `null` if
 * a text or a number in it is not I-JSON.
 */
const ownText = (value: unknown): string | null => {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? quoted(value) : null;
    case 'number':
      return Number.isFinite(value) ? String(value) : null;
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? 'null' : ownContainerText(value);
    case 'bigint':
    case 'function':
    case 'symbol':
    case 'undefined':
      return null;
  }
};

const ownContainerText = (container: object): string | null => {
  if (sizeOfCopy(container) !== undefined) return textOfCopy(container);
  const isArray = Array.isArray(container);
  if (!isArray && !isPlainContainer(container)) return null;
  const members = container as Readonly<Record<string | number, unknown>>;
  const keys = isArray ? null : sortedKeys(container);
  const length = keys?.length ?? (container as readonly unknown[]).length;
  let text = '';
  for (let index = 0; index < length; index += 1) {
    const key = keys?.[index] ?? index;
    const written = ownText(members[key]);
    if (written === null || (typeof key === 'string' && !isUsualKey(key))) return null;
    text += `${text === '' ? '' : ','}${typeof key === 'string' ? `${quoted(key)}:` : ''}${written}`;
  }
  return isArray ? `[${text}]` : `{${text}}`;
};

/** Returns the canonical text of a container by recursion; `null` for an unusual one, which `walk` judges. */
const containerText = (container: object, level: number): string | null => {
  if (sizeOfCopy(container) !== undefined) return textOfCopy(container);
  if (level === mostRecursion || !isPlainContainer(container)) return null;
  const isArray = Array.isArray(container);
  let text = '';
  const keys = isArray ? undefined : sortedKeys(container);
  const length = keys?.length ?? (isArray ? container.length : 0); // an array may have members called `keys`
  for (let index = 0; index < length; index += 1) {
    const key = keys?.[index] ?? index;
    if (typeof key === 'string' && !isUsualKey(key)) return null;
    const member: unknown = Object.getOwnPropertyDescriptor(container, key)?.value; // none of a hole or a getter
    const written = usualText(member, level + 1);
    if (written === null) return null;
    text += `${text === '' ? '' : ','}${typeof key === 'string' ? `${quoted(key)}:` : ''}${written}`;
  }
  return isArray ? `[${text}]` : `{${text}}`;
};

const usualText = (value: unknown, level: number): string | null => {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? quoted(value) : null;
    case 'number':
      return Number.isFinite(value) ? JSON.stringify(value) : null;
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? 'null' : containerText(value, level);
    case 'bigint':
    case 'function':
    case 'symbol':
    case 'undefined':
      return null;
  }
};

/** Returns the canonical text of a value of any depth, or throws why there is none. */
const walkedText = (value: unknown, document: string): string => {
  let text = '';
  let separator = '';
  const begin = (key: Key): void => {
    text += typeof key === 'string' ? `${separator}${JSON.stringify(key)}:` : separator;
  };
  walk(
    document,
    value,
    {
      leaf(leaf, key) {
        begin(key);
        text += JSON.stringify(leaf);
        separator = ',';
      },
      enter(container, key) {
        begin(key);
        text += Array.isArray(container) ? '[' : '{';
        separator = '';
      },
      leave(container) {
        text += Array.isArray(container) ? ']' : '}';
        separator = ',';
      },
    },
    true,
  );
  return text;
};

/**
 * Returns the canonical JSON text of a value (RFC 8785, JCS): equal data has the same text, whatever the order of
 * its keys.
 *
 * Throws `input_unreadable` if the value is not plain I-JSON data (RFC 7493); `document` names it in the error.
 */
export const canonicalize = (value: unknown, document = 'value'): string =>
  usualText(value, 0) ?? walkedText(value, document);

/**
 * Returns the canonical text of a document that the engine made and froze with `deepFreeze`. Throws
 * `input_unreadable` as `canonicalize` does, for a text in it that is no I-JSON.
 */
export const textOfOwn = (value: unknown, document: string): string =>
  ownText(value) ?? walkedText(value, document);
