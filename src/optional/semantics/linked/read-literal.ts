import { shownName } from '../../../base/text/foreign-text.ts';
import type { LiteralValue } from './graph.ts';
import { exactText, type Scalar } from './literal.ts';
import { refuseLinked, type Keys } from './refuse-linked.ts';
import { namespaces } from './vocabulary.ts';

const { rdf, xsd } = namespaces;

/** The maximum length of a number. The longest that JSON needs has 345 characters. */
const longestNumber = 1_100;

const forms: ReadonlyMap<string, RegExp> = new Map([
  [`${xsd}integer`, /^[+-]?\d+$/u],
  [`${xsd}decimal`, /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/u],
  [`${xsd}double`, /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/u],
]);

/** Returns a decimal text without superfluous zeros. */
const plain = (text: string): string => {
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)0*(\d*)\.?(\d*)$/u.exec(text) ?? [];
  const kept = fraction.replace(/0+$/u, '');
  const digits = `${whole === '' ? '0' : whole}${kept === '' ? '' : `.${kept}`}`;
  return sign === '-' && digits !== '0' ? `-${digits}` : digits;
};

function numberOf(text: string, datatype: string, form: RegExp, at: Keys): number {
  if (text.length > longestNumber || !form.test(text))
    throw refuseLinked(at, `expected a number in the form of ${datatype}`);
  const value = Number(text);
  const isKept = Number.isFinite(value) && (datatype === `${xsd}double` || plain(text) === exactText(value));
  if (!isKept) throw refuseLinked(at, 'expected a number that JSON holds exactly');
  return value;
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const accepted = 'a string, boolean, integer, decimal or double of XML Schema, or null as rdf:JSON';

function textOf(text: string, datatype: string, at: Keys): Scalar | undefined {
  const form = forms.get(datatype);
  if (form !== undefined) return numberOf(text, datatype, form, at);
  if (datatype === `${xsd}boolean`) return booleans.get(text);
  return datatype === `${xsd}string` ? text : undefined;
}

/** Returns the JSON value of a literal of a payload. Throws `document_invalid` for other datatypes. */
export function scalarOf({ value, datatype }: LiteralValue, at: Keys): Scalar {
  if (value === null && datatype === `${rdf}JSON`) return null;
  if (typeof value === 'string') {
    const found = datatype === undefined ? value : textOf(value, datatype, at);
    if (found !== undefined) return found;
  }
  const isOf = (...datatypes: string[]): boolean => datatype === undefined || datatypes.includes(datatype);
  if (typeof value === 'boolean' && isOf(`${xsd}boolean`)) return value;
  if (typeof value === 'number' && isOf(...forms.keys())) return value;
  const found = datatype === undefined ? '' : `, not ${shownName(datatype)}`;
  throw refuseLinked(at, `expected ${accepted}${found}`);
}
