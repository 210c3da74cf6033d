import * as z from 'zod';
import { isObject } from '../boundary/is-object.ts';
import { pointerTo } from '../canonical/unreadable.ts';
import type { Issue } from '../errors.ts';

const message =
  'a Date is no JSON, and no model can send one: expected a text, such as z.iso.datetime(), which you read with new Date(text)';

/** Returns the issues of the dates in what a zod schema returns. Nothing is known of other schemas, nor of lazy ones that cannot be read yet. */
export const datesIn = (input: unknown): readonly Issue[] => {
  if (!isObject(input) || input['_zod'] === undefined) return [];
  const issues: Issue[] = [];
  const override: z.core.ToJSONSchemaParams['override'] = ({ zodSchema, path }) => {
    const members = path.filter((_, at) => path[at - 1] === 'properties');
    if (zodSchema._zod.def.type === 'date') issues.push({ path: pointerTo(['input', ...members]), message });
  };
  try {
    z.toJSONSchema(input as unknown as z.core.$ZodType, { io: 'output', unrepresentable: 'any', override });
  } catch {
    // a lazy schema may name what is not there yet
  }
  return issues;
};
