import type { JsonObject } from '../../../../schema/formats.ts';
import { namespaces } from './vocabulary.ts';

export type Scalar = string | number | boolean | null;

export const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** An RDF literal: its text and its datatype IRI. */
export interface Literal {
  readonly text: string;
  readonly datatype: string;
}

const { rdf, xsd } = namespaces;

// JSON-LD 1.1 writes 16 digits of a JSON number; some doubles need 17
const sixteenDigits = (value: number): string => value.toExponential(15).replace(/(\d)0*e\+?/u, '$1E');

const isIntegral = (value: number): boolean => Number.isInteger(value);

const isExact = (value: number): boolean => Number(sixteenDigits(value)) === value;

/** Returns a non-integer as decimal text, without an exponent. */
const decimalText = (value: number): string => {
  const [, sign = '', first = '', more = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e-(\d+))?$/u.exec(String(value)) ?? [];
  return exponent === undefined
    ? String(value)
    : `${sign}0.${'0'.repeat(Number(exponent) - 1)}${first}${more}`;
};

/** Returns a number as decimal text, which reads back as the same number. */
export const exactText = (value: number): string =>
  isIntegral(value) ? String(BigInt(value)) : decimalText(value);

/**
 * Returns a scalar as RDF. Integers are `xsd:integer`, null is `rdf:JSON`, other numbers are `xsd:double`. A
 * number that 16 digits would round is `xsd:decimal`.
 */
export function literalOf(value: Scalar): Literal {
  if (value === null) return { text: 'null', datatype: `${rdf}JSON` };
  if (typeof value === 'string') return { text: value, datatype: `${xsd}string` };
  if (typeof value === 'boolean') return { text: String(value), datatype: `${xsd}boolean` };
  if (isIntegral(value)) return { text: String(BigInt(value)), datatype: `${xsd}integer` };
  return isExact(value)
    ? { text: sixteenDigits(value), datatype: `${xsd}double` }
    : { text: exactText(value), datatype: `${xsd}decimal` };
}

/**
 * Returns whether JSON-LD converts a plain number to the same literal. `jsonld` reads 1e-7 as 0, because it
 * has no dot.
 */
const isNative = (value: number): boolean =>
  isIntegral(value) ? Math.abs(value) < 1e21 : String(value).includes('.') && isExact(value);

/** Returns a scalar for JSON-LD: itself, or a value object if JSON-LD would drop or round it. */
export function valueOf(value: Scalar): Scalar | JsonObject {
  if (value === null) return { '@type': '@json', '@value': null };
  if (typeof value !== 'number' || isNative(value)) return value;
  const { text, datatype } = literalOf(value);
  return { '@type': datatype, '@value': text };
}
