import { sizeOfCopy } from './freeze.ts';
import { isPlainContainer, isUsualKey, mostRecursion, walk, type Key } from './walk.ts';

// JSON.stringify writes numbers and well-formed strings as RFC 8785 3.2.2 requires, and -0 as 0.
// Array.prototype.toSorted compares UTF-16 code units, as RFC 8785 3.2.3 requires.

/** Returns the canonical text of a part of a frozen copy, which was checked when it was made. */
export const textOfCopy = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(textOfCopy).join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>; // a copy holds plain objects
  let text = '';
  for (const key of Object.keys(members).toSorted()) {
    const member = members[key];
    const written = typeof member === 'string' ? JSON.stringify(member) : textOfCopy(member);
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${written}`;
  }
  return `{${text}}`;
};

/** Returns the canonical text of a container by recursion; `null` for an unusual one, which `walk` judges. */
const containerText = (container: object, level: number): string | null => {
  if (sizeOfCopy(container) !== undefined) return textOfCopy(container);
  if (level === mostRecursion || !isPlainContainer(container)) return null;
  const isArray = Array.isArray(container);
  let text = '';
  const keys = isArray ? undefined : Object.keys(container).toSorted();
  const length = keys?.length ?? (isArray ? container.length : 0); // an array may have members called `keys`
  for (let index = 0; index < length; index += 1) {
    const key = keys?.[index] ?? index;
    if (typeof key === 'string' && !isUsualKey(key)) return null;
    const member: unknown = Object.getOwnPropertyDescriptor(container, key)?.value; // none of a hole or a getter
    const written = usualText(member, level + 1);
    if (written === null) return null;
    text += `${text === '' ? '' : ','}${isArray ? '' : `${JSON.stringify(key)}:`}${written}`;
  }
  return isArray ? `[${text}]` : `{${text}}`;
};

const usualText = (value: unknown, level: number): string | null => {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? JSON.stringify(value) : null;
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
