import { types } from 'node:util';
import * as z from 'zod';
import { DateTime } from '../../../schema/index.ts';
import { isObject } from '../boundary/is-object.ts';
import { isPlain, ownCopy } from '../canonical/deep-freeze.ts';
import { pointerTo } from '../canonical/unreadable.ts';
import { mostRecursion } from '../canonical/walk.ts';
import type { Issue } from '../errors.ts';
import { splitPointer, valueAt } from '../feedback/place.ts';

// A Date stands on record as its RFC 3339 text: that is what models send, what people read, and what a digest covers.

/** Returns data without undefined members, and with each Date as its text; adds the places of the dates. */
const asTexts = (value: unknown, path: readonly (string | number)[], dates: string[]): unknown => {
  if (types.isDate(value)) {
    const own = new Date(value); // of a subclass, the time alone counts
    if (Number.isNaN(own.getTime())) return value; // no time at all: it is refused
    dates.push(pointerTo(path));
    return own.toISOString();
  }
  if (!isPlain(value) || path.length > mostRecursion) return value;
  if (Array.isArray(value)) return value.map((one, at) => asTexts(one, [...path, at], dates));
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(members.map(([name, one]) => [name, asTexts(one, [...path, name], dates)]));
};

/**
 * Returns what a schema returned without undefined members, with each Date as its RFC 3339 text, and where they were, as JSON
 * Pointers.
 */
export const withoutDates = (
  given: unknown,
): { readonly value: unknown; readonly dates: readonly string[] } => {
  const dates: string[] = [];
  return { value: asTexts(given, [], dates), dates };
};

/** Returns a copy of an object in which the texts at these places are dates. */
export const withDates = (data: unknown, dates: readonly string[]): unknown => {
  const copy = ownCopy(data);
  for (const pointer of dates) {
    const { holder, name } = splitPointer(pointer);
    const [container, text] = [valueAt(copy, holder, ''), valueAt(copy, pointer, '')];
    if (isPlain(container) && DateTime.safeParse(text).success)
      Object.assign(container, { [name]: new Date(String(text)) });
  }
  return copy;
};

/** Returns where a zod schema refused what it takes only as a Date. */
export const datesWanted = (error: unknown): readonly string[] => {
  const issues =
    isObject(error) && Array.isArray(error['issues']) ? (error['issues'] as readonly unknown[]) : [];
  return issues.flatMap((issue) => {
    if (!isObject(issue) || issue['expected'] !== 'date' || !Array.isArray(issue['path'])) return [];
    return pointerTo((issue['path'] as readonly PropertyKey[]).map(String));
  });
};

const digits =
  'a bigint is no JSON, and no model can send one: expected a text of digits, such as z.string().regex(/^\\d+$/)';

/** What no text of a model can become and stay JSON. */
const unsendable: Readonly<Partial<Record<string, string>>> = {
  bigint: digits,
  map: 'a Map is no JSON, and no model can send one: expected an object, such as z.record()',
  set: 'a Set is no JSON, and no model can send one: expected a list, such as z.array()',
  symbol: 'a symbol is no JSON, and no model can send one: expected a text, such as z.enum()',
  file: 'a File is no JSON, and no model can send one: expected the text that names it',
};

/** Returns the issues of what a zod schema returns that no model can send. Nothing is known of other schemas, nor of lazy ones that cannot be read yet. */
export const unsendableIn = (input: unknown): readonly Issue[] => {
  if (!isObject(input) || input['_zod'] === undefined) return [];
  const issues: Issue[] = [];
  const override: z.core.ToJSONSchemaParams['override'] = ({ zodSchema, path }) => {
    const members = path.filter((_, at) => path[at - 1] === 'properties');
    const message = unsendable[zodSchema._zod.def.type];
    if (message !== undefined) issues.push({ path: pointerTo(['input', ...members]), message });
  };
  try {
    z.toJSONSchema(input as unknown as z.core.$ZodType, { io: 'output', unrepresentable: 'any', override });
  } catch {
    // a lazy schema may name what is not there yet
  }
  return issues;
};
