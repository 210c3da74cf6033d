import { parseDocument } from '../../boundary/parse-document.ts';
import { frozenCopy } from '../../canonical/freeze.ts';
import { pointerTo } from '../../canonical/unreadable.ts';
import { CharterError } from '../../errors.ts';
import type { StandardSchema } from '../../ports/schema.ts';
import { JsonObject } from '../../../schema/formats.ts';
import { built, type Passing } from './build.ts';
import { convertedBy, type Units, type ValueConversion } from './fit.ts';
import { readMapping, type Conversion, type Mapping } from './mapping.ts';
import { shapeOf } from './shape.ts';
import { checkTarget } from './target.ts';
import { segmentsOf } from '../path.ts';

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

const moment = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d\S*)$/u;

/** The value in its new form; `undefined` where it has none. */
function made({ kind, from, to }: ValueConversion, value: unknown, units: Units | undefined): unknown {
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
    const converted = made(conversion, value, options.units);
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
