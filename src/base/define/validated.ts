import * as z from 'zod';
import { ownCopy } from '../canonical/deep-freeze.ts';
import { pointerTo } from '../canonical/unreadable.ts';
import type { Issue } from '../errors.ts';
import type { StandardIssue, StandardSchema } from '../ports/schema.ts';
import { issueWords } from '../boundary/issue-words.ts';
import { issuesOf, membersOf } from '../boundary/issues-of.ts';

/** A value as its schema reads it, or the issues, with what the schema's library reported as `cause`. */
export type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[]; readonly cause: unknown };

/** Returns an issue with its path as a JSON Pointer. */
export const issueOf = ({ path = [], message }: StandardIssue): Issue => ({
  path: pointerTo(path.map((part) => (typeof part === 'object' ? part.key : part))),
  message,
});

const isZod = (schema: object): schema is z.core.$ZodType => '_zod' in schema;

/**
 * Validates a copy of a value with a schema of any library. A zod schema that rejects it is asked again for issues in
 * our words; messages of its author stay as they are.
 */
export const validated = async <Output>(
  schema: StandardSchema<Output>,
  value: unknown,
): Promise<Validated<Output>> => {
  const result = await schema['~standard'].validate(ownCopy(value));
  if (result.issues === undefined) return { value: result.value };
  const { error } = isZod(schema) ? await z.safeParseAsync(schema, ownCopy(value), issueWords.data) : {};
  if (error === undefined) return { issues: result.issues, cause: result.issues };
  const issues = issuesOf(error).map(({ path, message }) => ({ path: membersOf(path), message }));
  return { issues, cause: error };
};
