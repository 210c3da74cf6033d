import type { CedarValueJson } from '@cedar-policy/cedar-wasm/nodejs';
import { canonicalize } from '../../canonical/canonicalize.ts';

const escapes = ['__entity', '__extn', '__expr'];

/** A decimal of Cedar's: four digits after the point at most, within 64 bits. */
const isDecimal = (text: string): boolean => /^-?\d{1,14}\.\d{1,4}$/.test(text);

const numeral = (value: number): CedarValueJson | null => {
  if (Number.isSafeInteger(value)) return value;
  const text = String(value);
  return isDecimal(text) ? { __extn: { fn: 'decimal', arg: text } } : null;
};

/**
 * A JSON value as Cedar holds it: strings, booleans, integers and objects as they are, an array as a set, and a fraction
 * of at most four digits as a `decimal`.
 *
 * What Cedar cannot hold (`null`, any other number, an object with a key that Cedar would read as an entity or a
 * function) is the entity `Json::"<its canonical text>"`, which equals itself alone and on which anything else is an
 * error, so that a policy that reads it denies and one that does not read it decides.
 *
 * Throws `input_unreadable` for what is no JSON in such a place.
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
