import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { frozenCopy } from '../../../base/canonical/freeze.ts';
import { pointerTo } from '../../../base/canonical/unreadable.ts';
import { CharterError } from '../../../base/errors.ts';
import type { StandardSchema } from '../../../base/ports/schema.ts';
import { JsonObject } from '../../../../schema/formats.ts';
import { built, type Passing } from './build.ts';
import { convertedBy, type Units, type ValueConversion } from './fit.ts';
import { readMapping, type Conversion, type Mapping } from './mapping.ts';
import { shapeOf } from './shape.ts';
import { checkTarget } from './target.ts';
import { segmentsOf } from '../path.ts';

/** Options of `applyMapping`. */
export interface ApplicationOptions {
  /** Validates the result instead of the target's JSON Schema. It must be synchronous. */
  readonly schema?: StandardSchema;
  /** Converts units of measure. Pass what you passed to `mediate`. */
  readonly units?: Units;
}

const isOfValue = (conversion: Conversion): conversion is ValueConversion =>
  conversion.kind === 'format' || conversion.kind === 'unit';

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

const moment = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d\S*)$/u;

/** Returns the converted value; `undefined` if conversion fails. */
function convertValue(
  { kind, from, to }: ValueConversion,
  value: unknown,
  units: Units | undefined,
): unknown {
  if (kind === 'unit')
    return typeof value === 'number' && units ? convertedBy(units, value, from, to) : undefined;
  if (from === 'number') return typeof value === 'number' ? String(value) : value;
  if (typeof value !== 'string') return to === 'number' && typeof value === 'number' ? value : undefined;
  if (to === 'number') return number.test(value) ? Number(value) : undefined;
  const [, day, time] = moment.exec(value) ?? [];
  return to === 'date' ? day : time;
}

const crossed = (paths: readonly string[]): CharterError<'document_invalid'> => {
  const message = `expected paths of which none is another, or leads through it: ${paths.slice(0, 5).join(', ')}`;
  const issues = [{ path: '/links', message }];
  return new CharterError('document_invalid', `mapping is not valid: ${message}`, {
    document: 'mapping',
    issues,
  });
};

/**
 * Converts a payload by a mapping, checks it against the target, and freezes it. UpFormat 2.2, 3.2.
 *
 * Throws `document_invalid` if the payload lacks a mapped value, a value cannot be converted, or the target
 * rejects the result. Throws `input_unreadable` for a payload that is not plain, bounded JSON.
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
      steps: segmentsOf(from) ?? [],
      conversion: conversions.find(isOfValue) ?? null,
    })),
    ...constants.map(({ to, value }) => ({
      from: '$',
      to,
      steps: [],
      conversion: null,
      constant: { value },
    })),
  ];
  const { shape, astray } = shapeOf(passings);
  if (astray.length > 0) throw crossed(astray.map(({ to }) => to));
  const convert = (value: unknown, { from, to, conversion }: Passing): unknown => {
    if (conversion === null) return value;
    const converted = convertValue(conversion, value, options.units);
    if (converted !== undefined) return converted;
    const message = `expected a ${conversion.from} that becomes a ${conversion.to} (${to})`;
    const issues = [{ path: pointerTo([from]), message }];
    throw new CharterError('document_invalid', `payload is not valid: ${from}: ${message}`, {
      document: 'payload',
      issues,
    });
  };
  const result = built(shape, given, convert) ?? {};
  return checkTarget(result, target, options.schema);
}
