import { isPlain, sizeOfCopy } from './deep-freeze.ts';
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

/** Puts keys into the order of RFC 8785, few of them in place: a sort of the platform allocates a kilobyte. */
const sorted = (keys: string[]): readonly string[] => {
  if (keys.length > 32) return keys.toSorted();
  for (let end = 1; end < keys.length; end += 1)
    for (let at = end; at > 0 && (keys[at - 1] ?? '') > (keys[at] ?? ''); at -= 1)
      [keys[at - 1], keys[at]] = [keys[at] ?? '', keys[at - 1] ?? ''];
  return keys;
};

/** Returns the JSON text of a value without members; `null` for what JSON cannot write. */
const leafText = (value: unknown): string | null => {
  if (typeof value === 'string') return stringText(value);
  const isWritten = value === null || typeof value === 'boolean' || Number.isFinite(value);
  return isWritten ? String(value) : null; // as JSON writes numbers, also -0
};

/**
 * Returns the canonical text of a value by recursion; `null` for an unusual one, which `walk` judges. What is `fixed` nobody
 * else can change: it is read without a look for getters and proxies.
 */
const usualText = (value: unknown, isFixed: boolean, level = 0): string | null => {
  if (typeof value !== 'object' || value === null) return leafText(value);
  const isSafe = isFixed || sizeOfCopy(value) !== undefined;
  if (level === mostRecursion || !(isSafe ? isPlain(value) : isPlainContainer(value))) return null;
  const keys = Array.isArray(value) ? undefined : sorted(Object.keys(value));
  const length = keys?.length ?? (value as readonly unknown[]).length; // an array may have members called `keys`
  let text = keys === undefined ? '[' : '{';
  for (let index = 0; index < length; index += 1) {
    const key = keys?.[index];
    const named = key === undefined ? '' : keyText(key);
    const member: unknown = isSafe
      ? (value as Readonly<Record<string | number, unknown>>)[key ?? index]
      : Object.getOwnPropertyDescriptor(value, key ?? index)?.value; // none of a hole or a getter
    const written = typeof member === 'string' ? stringText(member) : usualText(member, isSafe, level + 1);
    if (written === null || named === null) return null;
    if (index > 0) text += ',';
    text += named;
    text += written;
  }
  return text + (keys === undefined ? ']' : '}');
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
  usualText(value, false) ?? walkedText(value, document);

/**
 * Returns the canonical text of a part of a frozen copy, or of a document that the engine made. Throws `input_unreadable` as
 * `canonicalize` does, for a text in it that is no I-JSON.
 */
export const textOfFixed = (value: unknown, document = 'value'): string =>
  usualText(value, true) ?? walkedText(value, document);
