import type { z } from 'zod';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { shownPointer } from '../canonical/unreadable.ts';
import { CharterError, type Issue } from '../errors.ts';
import { issuesOf } from './issues-of.ts';

const issueText = ({ path, message }: Issue): string =>
  path === '' ? message : `${shownPointer(path)}: ${message}`;

function refusal(document: string, issues: readonly Issue[], options?: ErrorOptions): CharterError {
  const rest = issues.length > 3 ? `; and ${issues.length - 3} more` : '';
  const message = `${document} is not valid: ${issues.slice(0, 3).map(issueText).join('; ')}${rest}`;
  return new CharterError('document_invalid', message, { document, issues }, options);
}

const outputOf = <Schema extends z.ZodType>(
  document: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> => {
  let result;
  try {
    result = schema.safeParse(value);
  } catch (cause) {
    // The value is too deep for zod's call stack, or a refinement threw: the document is not valid.
    throw refusal(document, [{ path: '', message: 'its schema threw' }], { cause });
  }
  if (!result.success) throw refusal(document, issuesOf(result.error));
  return result.data;
};

/** Checks a value against a schema. Throws `document_invalid` as `parseDocument` does. */
export const checkDocument = (document: string, schema: z.ZodType, value: unknown): void =>
  void outputOf(document, schema, value);

/**
 * Parses a value with a schema and freezes the result deeply.
 *
 * Throws `document_invalid` with at most 1,000 issues, three of them in the message; `document` names it in the
 * error.
 */
export function parseDocument<Schema extends z.ZodType>(
  document: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const output = outputOf(document, schema, value);
  try {
    return deepFreeze(output);
  } catch (cause) {
    // A loose schema passes unknown members on: a throwing getter, a proxy, or a value too deep for the call stack.
    throw refusal(document, [{ path: '', message: 'a member cannot be read' }], { cause });
  }
}
