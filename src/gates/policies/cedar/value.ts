import type { CedarValueJson } from '@cedar-policy/cedar-wasm/nodejs';
import { canonicalize } from '../../../base/canonical/canonicalize.ts';

const escapes = ['__entity', '__extn', '__expr'];

/** Returns whether a text is a Cedar decimal: at most four fraction digits, within 64 bits. */
const isDecimal = (text: string): boolean => /^-?\d{1,14}\.\d{1,4}$/.test(text);

const numeral = (value: number): CedarValueJson | null => {
  if (Number.isSafeInteger(value)) return value;
  const text = String(value);
  return isDecimal(text) ? { __extn: { fn: 'decimal', arg: text } } : null;
};

/**
 * Converts a JSON value to Cedar. Strings, booleans, integers and objects stay as they are. An array becomes a set,
 * a fraction of at most four digits a `decimal`.
 *
 * Any other value (`null`, another number, an object with a reserved key) becomes the entity `Json::"<its canonical
 * text>"`. It equals only itself, and any other operation on it is an error: a policy that reads it denies.
 *
 * Throws `input_unreadable` if such a value is not JSON.
 */
export const cedarValue = (value: unknown): CedarValueJson => {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(cedarValue);
  const held = typeof value === 'number' ? numeral(value) : null;
  if (held !== null) return held;
  if (typeof value === 'object' && value !== null && !escapes.some((key) => Object.hasOwn(value, key)))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cedarValue(member)]));
  return { __entity: { type: 'Json', id: canonicalize(value, 'arguments') } };
};
