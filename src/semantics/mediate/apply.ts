import { parseDocument } from '../../boundary/parse-document.ts';
import { frozenCopy } from '../../canonical/freeze.ts';
import { pointerTo } from '../../canonical/unreadable.ts';
import { CharterError } from '../../errors.ts';
import type { StandardSchema } from '../../ports/schema.ts';
import { JsonObject } from '../../../schema/formats.ts';
import { built, type Passing } from './build.ts';
import type { Units, ValueConversion } from './fit.ts';
import { readMapping, type Conversion, type Mapping } from './mapping.ts';
import { shapeOf } from './shape.ts';
import { checkTarget } from './target.ts';

/** What applying a mapping is given beside it. */
export interface ApplicationOptions {
  /** Reads the result in place of the target's JSON Schema; it must answer at once. */
  readonly schema?: StandardSchema;
  /** Converts between units of measure, as `mediate` was given it. */
  readonly units?: Units;
}

const isOfValue = (conversion: Conversion): conversion is ValueConversion =>
  conversion.kind === 'format' || conversion.kind === 'unit';

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

/** The value in its new form; `undefined` where it has none. */
function convertedBy({ kind, from, to }: ValueConversion, value: unknown, units: Units | undefined): unknown {
  if (kind === 'unit') return typeof value === 'number' ? units?.convert(value, from, to) : undefined;
  if (from === 'number') return typeof value === 'number' ? String(value) : value;
  if (typeof value !== 'string') return to === 'number' && typeof value === 'number' ? value : undefined;
  if (to === 'number') return number.test(value) ? Number(value) : undefined;
  const [day, time] = value.split(/[Tt ]/u);
  return to === 'date' ? day : time;
}

/**
 * The payload that a mapping makes of another one, checked against the target, and frozen. UpFormat 2.2, 3.2.
 *
 * Throws `document_invalid` for a payload that lacks what the mapping goes through or whose values cannot be converted, and for a result that the
 * target does not take; `input_unreadable` for what is not plain, bounded JSON data.
 */
export function applyMapping(
  mapping: Mapping,
  payload: unknown,
  options: ApplicationOptions = {},
): JsonObject {
  const { links, constants, target } = readMapping(mapping);
  const given = parseDocument('payload', JsonObject, frozenCopy(payload, 'payload'));
  const passings: Passing[] = [
    ...links.map(({ from, to, conversions }) => ({
      from,
      to,
      conversion: conversions.find(isOfValue) ?? null,
    })),
    ...constants.map(({ to, value }) => ({ from: '$', to, conversion: null, constant: { value } })),
  ];
  const convert = (value: unknown, { from, to, conversion }: Passing): unknown => {
    if (conversion === null) return value;
    const converted = convertedBy(conversion, value, options.units);
    if (converted !== undefined) return converted;
    const message = `expected a ${conversion.from} that becomes a ${conversion.to} (${to})`;
    const issues = [{ path: pointerTo([from]), message }];
    throw new CharterError('document_invalid', `payload is not valid: ${from}: ${message}`, {
      document: 'payload',
      issues,
    });
  };
  const result = built(shapeOf(passings).shape, given, convert) ?? {};
  return checkTarget(frozenCopy(result, 'result'), target, options.schema);
}
