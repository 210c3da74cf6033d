import { walk, type Key } from './walk.ts';

/**
 * The canonical JSON text of a value (RFC 8785, JCS): equal data has one text, whatever the order of its keys.
 *
 * Throws `input_unreadable` for what is not plain I-JSON data (RFC 7493); `document` names the value in that error.
 */
export function canonicalize(value: unknown, document = 'value'): string {
  let text = '';
  let separator = '';
  const begin = (key: Key): void => {
    text += typeof key === 'string' ? `${separator}${JSON.stringify(key)}:` : separator;
  };
  // JSON.stringify writes a number or a well-formed string exactly as RFC 8785 3.2.2 asks.
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
    true, // Array.prototype.sort compares UTF-16 code units, as RFC 8785 3.2.3 asks
  );
  return text;
}
