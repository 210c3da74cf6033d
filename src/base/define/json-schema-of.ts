import * as z from 'zod';
import { causeOf } from '../errors.ts';
import type { JsonObject } from '../../../schema/formats.ts';
import { frozen, refused } from './refused.ts';

/** The limits of one JSON Schema. */
const schemaBounds = { depth: 64, members: 20_000, text: 524_288 };

/** JSON Schema versions, in order of preference. */
const targets = ['draft-2020-12', 'draft-07'] as const;

const accepted =
  'a schema that provides JSON Schema by ~standard.jsonSchema, as those of zod and arktype do, and those of valibot through ' +
  'toStandardJsonSchema (@valibot/to-json-schema); or a JSON Schema object';

/** What zod does not print. */
const unprinted: ReadonlySet<string> = new Set(
  'bigint custom date file function map nan promise set symbol transform undefined void'.split(' '),
);

type Print = (options: { readonly target: string }) => unknown;

const isFunction = (value: unknown): value is Print => typeof value === 'function';

const member = (value: unknown, key: string): unknown =>
  (typeof value === 'object' || typeof value === 'function') && value !== null
    ? (value as JsonObject)[key]
    : undefined;

/** The values that a schema takes, or those that it returns. */
export type Side = 'input' | 'output';

/**
 * Returns a function that prints one side of a schema: by Standard JSON Schema 1, or by zod for its schemas without
 * it.
 */
function printerOf(source: unknown, side: Side): Print | undefined {
  const converter = member(member(source, '~standard'), 'jsonSchema');
  const print = member(converter, side);
  if (isFunction(print)) return (options) => print.call(converter, options);
  if (member(source, '_zod') === undefined) return undefined;
  return () => z.toJSONSchema(source as z.core.$ZodType, { io: side });
}

/** Returns the JSON Schema of a zod schema whose dates are texts; `null` for one without dates, or with what JSON lacks. */
function printedWithDates(source: unknown, side: Side): unknown {
  if (member(source, '_zod') === undefined) return null;
  const found = new Set<string>();
  const override: z.core.ToJSONSchemaParams['override'] = ({ zodSchema, jsonSchema }) => {
    const { type } = zodSchema._zod.def;
    if (unprinted.has(type)) found.add(type);
    if (type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
  };
  const printed = z.toJSONSchema(source as z.core.$ZodType, { io: side, unrepresentable: 'any', override });
  return found.size === 1 && found.has('date') ? printed : null;
}

function printed(source: unknown, side: Side, takesDates: boolean): unknown {
  const print = printerOf(source, side);
  if (print === undefined) throw refused([{ path: '', message: 'it provides no JSON Schema' }], accepted);
  let failure: unknown;
  for (const target of targets) {
    try {
      return print({ target });
    } catch (error) {
      failure ??= error;
    }
  }
  const dated = takesDates ? printedWithDates(source, side) : null;
  if (dated !== null) return dated;
  const issues = [{ path: '', message: `its library does not print it: ${causeOf(failure)}` }];
  throw refused(issues, 'types that JSON has', { cause: failure });
}

/**
 * Returns the JSON Schema of one side of a schema, frozen; with `takesDates`, a Date of zod is a text. A JSON Schema object is
 * returned as it is.
 *
 * Throws `definition_invalid` if the schema cannot be printed, or is not plain, bounded JSON data.
 */
export function jsonSchemaOf(source: unknown, side: Side = 'input', takesDates = false): JsonObject {
  const isStandard = member(source, '~standard') !== undefined;
  const schema = isStandard ? printed(source, side, takesDates) : source;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw refused([{ path: '', message: 'it is not a schema' }], accepted);
  }
  return frozen('schema', schema, schemaBounds) as JsonObject;
}
