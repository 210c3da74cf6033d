import type { z } from 'zod';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { CharterError, type Issue } from '../errors.ts';
import { checkData, issueInDocument, type Checked } from './issues-of.ts';

/** Returns the message of `document_invalid`: the first three issues, and the number of the others. */
export const invalidText = (document: string, issues: readonly Issue[]): string => {
  const rest = issues.length > 3 ? `; and ${issues.length - 3} more` : '';
  return `${document} is not valid: ${issues.slice(0, 3).map(issueInDocument).join('; ')}${rest}`;
};

/** Returns the error of a document that does not fit its schema. */
export const refusal = (document: string, issues: readonly Issue[], options?: ErrorOptions): CharterError =>
  new CharterError('document_invalid', invalidText(document, issues), { document, issues }, options);

const outputOf = <Schema extends z.ZodType>(
  document: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> => {
  let checked: Checked<z.output<Schema>>;
  try {
    checked = checkData(schema, value);
  } catch (cause) {
    // The value is too deep for zod's call stack, or a refinement threw: the document is not valid.
    throw refusal(document, [{ path: '', message: 'its schema threw' }], { cause });
  }
  if (checked.issues !== undefined) throw refusal(document, checked.issues);
  return checked.value;
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
