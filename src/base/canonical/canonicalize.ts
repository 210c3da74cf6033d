import { sizeOfCopy } from './deep-freeze.ts';
import { isPlainContainer, isUsualKey, mostRecursion, walk, type Key } from './walk.ts';

// JSON.stringify writes numbers and well-formed strings as RFC 8785 3.2.2 requires, and -0 as 0.
// Array.prototype.toSorted compares UTF-16 code units, as RFC 8785 3.2.3 requires.

/** Texts that JSON writes as they are, between quotes: most identifiers and digests. */
const plainText = /^[\w :.,/+@~-]*$/;

/** Returns the JSON text of a string, `null` for one that is not I-JSON; a test is cheaper than `JSON.stringify`. */
const stringText = (text: string): string | null => {
  if (text.length < 100 && plainText.test(text)) return `"${text}"`;
  return text.isWellFormed() ? JSON.stringify(text) : null;
};

/** The number of keys whose texts are kept, and the length of the longest of them. */
const [mostKeys, longestKey] = [2_000, 64];
const keyTexts = new Map<string, string | null>();

/** Returns a key as JSON writes it, with its colon; `null` for one that is refused. The same few are written all the time. */
const keyText = (key: string): string | null => {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  const text = isUsualKey(key) ? `${JSON.stringify(key)}:` : null;
  if (keyTexts.size < mostKeys && key.length <= longestKey) keyTexts.set(key, text);
  return text;
};

/** Returns the keys of a plain object in the order of RFC 8785; most objects are made with few keys. */
const sortedKeys = (members: object): readonly string[] => {
  const keys = Object.keys(members);
  for (let index = 1; index < keys.length; index += 1)
    if ((keys[index - 1] ?? '') > (keys[index] ?? '')) return keys.toSorted();
  return keys;
};

/** Returns the canonical text of a part of a frozen copy, which was checked when it was made. */
export const textOfCopy = (value: unknown): string => {
  if (typeof value === 'string') return stringText(value) ?? '';
  if (typeof value !== 'object' || value === null) return String(value); // as JSON writes numbers, also -0
  let text = '';
  if (Array.isArray(value)) {
    for (const member of value) text += `${text === '' ? '' : ','}${textOfCopy(member)}`;
    return `[${text}]`;
  }
  const members = value as Readonly<Record<string, unknown>>; // a copy holds plain objects
  for (const key of sortedKeys(members))
    text += `${text === '' ? '' : ','}${keyText(key) ?? ''}${textOfCopy(members[key])}`;
  return `{${text}}`;
};

/**
 * Returns the canonical text of a container by recursion; `null` for an unusual one, which `walk` judges. No member of what
 * the engine made itself is a getter.
 */
const containerText = (container: object, level: number, isOwn: boolean): string | null => {
  if (sizeOfCopy(container) !== undefined) return textOfCopy(container);
  if (level === mostRecursion || !isPlainContainer(container)) return null;
  const isArray = Array.isArray(container);
  let text = '';
  const keys = isArray ? undefined : sortedKeys(container);
  const length = keys?.length ?? (isArray ? container.length : 0); // an array may have members called `keys`
  for (let index = 0; index < length; index += 1) {
    const key = keys?.[index];
    const named = key === undefined ? '' : keyText(key);
    const member: unknown = isOwn
      ? (container as Readonly<Record<string | number, unknown>>)[key ?? index]
      : Object.getOwnPropertyDescriptor(container, key ?? index)?.value; // none of a hole or a getter
    const written = typeof member === 'string' ? stringText(member) : usualText(member, level + 1, isOwn);
    if (written === null || named === null) return null;
    text += `${text === '' ? '' : ','}${named}${written}`;
  }
  return isArray ? `[${text}]` : `{${text}}`;
};

const usualText = (value: unknown, level: number, isOwn: boolean): string | null => {
  switch (typeof value) {
    case 'string':
      return stringText(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : null; // as JSON writes it, also -0
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? 'null' : containerText(value, level, isOwn);
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
  usualText(value, 0, false) ?? walkedText(value, document);

/**
 * Returns the canonical text of a document that the engine made and froze with `deepFreeze`. Throws
 * `input_unreadable` as `canonicalize` does, for a text in it that is no I-JSON.
 */
export const textOfOwn = (value: unknown, document: string): string =>
  usualText(value, 0, true) ?? walkedText(value, document);
