import { isDeepStrictEqual } from 'node:util';
import { jsonValue } from '../../canonical/json-value.ts';
import { issueOf, validated } from '../../define/validated.ts';
import type { Issue } from '../../errors.ts';
import type { StandardSchema } from '../../ports/schema.ts';
import type { Tool } from '../../ports/tool.ts';

/** A value after a schema, frozen; `raw` is the input if it differs. */
export interface Read {
  readonly value: unknown;
  readonly raw?: unknown;
}

/** Why an output was rejected; `cause` is the error of its schema's library, if there is one. */
export interface RejectedOutput {
  readonly issues: readonly Issue[];
  readonly cause?: unknown;
}

export const rejected = (issues: readonly Issue[], cause?: unknown): RejectedOutput => ({ issues, cause });

/** The schema's name for errors, and the value's path in its output. */
export interface Place {
  readonly schema: string;
  readonly path: string;
}

/**
 * Reads a value with a schema of any library, or returns its issues. The schema receives a copy.
 *
 * Throws `value_not_json` if the schema returns a value that is not JSON.
 */
export const readWith = async (
  schema: StandardSchema,
  value: unknown,
  { schema: name, path }: Place,
): Promise<Read | RejectedOutput> => {
  const result = await validated(schema, value);
  if (result.issues === undefined) {
    const read = jsonValue(result.value, `what ${name} returns`);
    return isDeepStrictEqual(read, value) ? { value: read } : { value: read, raw: value };
  }
  const issues = result.issues.map(issueOf).map((issue) => ({ ...issue, path: path + issue.path }));
  return rejected(issues, result.cause);
};

/** Reads the arguments of a call with the schema of its tool. */
export const readArguments = (tool: Tool, given: unknown, path: string) =>
  readWith(tool.input, given, { schema: `the input schema of tool ${tool.name}`, path });
