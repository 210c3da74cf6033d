import type { JsonObject } from '../../../schema/formats.ts';
import { namespaces } from './vocabulary.ts';

export type Scalar = string | number | boolean | null;

export const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** A literal of RDF: its text, and the IRI of its datatype. */
export interface Literal {
  readonly text: string;
  readonly datatype: string;
}

const { rdf, xsd } = namespaces;

// What JSON-LD 1.1 writes for a number of JSON: 16 digits, where some doubles need 17.
const sixteenDigits = (value: number): string => value.toExponential(15).replace(/(\d)0*e\+?/u, '$1E');

const isIntegral = (value: number): boolean => Number.isInteger(value);

const isExact = (value: number): boolean => Number(sixteenDigits(value)) === value;

/** All 17 digits without an exponent; one that is written is negative, or the number would be whole. */
const decimalText = (value: number): string => {
  const [, sign = '', first = '', more = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e-(\d+))?$/u.exec(String(value)) ?? [];
  return exponent === undefined
    ? String(value)
    : `${sign}0.${'0'.repeat(Number(exponent) - 1)}${first}${more}`;
};

/**
 * A scalar as RDF has it: whole numbers are `xsd:integer`, null is `rdf:JSON`, other numbers `xsd:double` or, where
 * that would be rounded on its way (`jsonld` writes 16 digits of any double), `xsd:decimal`.
 */
export function literalOf(value: Scalar): Literal {
  if (value === null) return { text: 'null', datatype: `${rdf}JSON` };
  if (typeof value === 'string') return { text: value, datatype: `${xsd}string` };
  if (typeof value === 'boolean') return { text: String(value), datatype: `${xsd}boolean` };
  if (isIntegral(value)) return { text: String(BigInt(value)), datatype: `${xsd}integer` };
  return isExact(value)
    ? { text: sixteenDigits(value), datatype: `${xsd}double` }
    : { text: decimalText(value), datatype: `${xsd}decimal` };
}

/** Whether JSON-LD makes the same literal of a number as it stands; `jsonld` reads 1e-7 as 0, having no dot. */
const isNative = (value: number): boolean =>
  isIntegral(value) ? Math.abs(value) < 1e21 : String(value).includes('.') && isExact(value);

/** A scalar as JSON-LD has it: itself, or a value object where JSON-LD would drop it or round it. */
export function valueOf(value: Scalar): Scalar | JsonObject {
  if (value === null) return { '@type': '@json', '@value': null };
  if (typeof value !== 'number' || isNative(value)) return value;
  const { text, datatype } = literalOf(value);
  return { '@type': datatype, '@value': text };
}
