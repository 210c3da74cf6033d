import { walk, type Key } from './walk.ts';

/**
 * Returns the canonical JSON text of a value (RFC 8785, JCS): equal data has the same text, whatever the order of
 * its keys.
 *
 * Throws `input_unreadable` if the value is not plain I-JSON data (RFC 7493); `document` names it in the error.
 */
export function canonicalize(value: unknown, document = 'value'): string {
  let text = '';
  let separator = '';
  const begin = (key: Key): void => {
    text += typeof key === 'string' ? `${separator}${JSON.stringify(key)}:` : separator;
  };
  // JSON.stringify writes numbers and well-formed strings as RFC 8785 3.2.2 requires.
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
    true, // Array.prototype.sort compares UTF-16 code units, as RFC 8785 3.2.3 requires
  );
  return text;
}
