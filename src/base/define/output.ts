import { issueInCode } from '../boundary/issues-of.ts';
import { CharterError } from '../errors.ts';
import type { StandardSchema } from '../ports/schema.ts';
import { ToolOutcome, type Found, type Tool } from '../ports/tool.ts';
import { issueOf, validated } from './validated.ts';

/** Reads the result of a tool with its `output` schema. Throws `document_invalid`. */
export const readResult = async (tool: string, output: StandardSchema, result: unknown): Promise<unknown> => {
  if (result instanceof ToolOutcome) return result;
  const read = await validated(output, result);
  if (read.issues === undefined) return read.value;
  const { cause } = read;
  const issues = read.issues.map(issueOf);
  const [first] = issues;
  const document = `the result of tool ${tool}`;
  const message = `${document} does not fit its output schema${first ? `: ${issueInCode(first)}` : ''}; return what the schema accepts, or change the schema`;
  throw new CharterError('document_invalid', message, { document, issues }, { cause });
};

/** Returns the functions of a tool with their results read by its `output` schema. */
export const withOutput = (
  { name, output }: { readonly name: string; readonly output?: StandardSchema | undefined },
  { call, lookup }: Pick<Tool, 'call' | 'lookup'>,
): Pick<Tool, 'call' | 'lookup' | 'output'> => {
  if (output === undefined) return { call, lookup };
  const read = async (found: Found): Promise<Found> =>
    found.found === 'done' && found.result !== undefined
      ? { found: 'done', result: await readResult(name, output, found.result) }
      : found;
  return {
    output,
    call: async (input, context) => readResult(name, output, await call(input, context)),
    lookup: lookup === null ? null : async (key, context) => read(await lookup(key, context)),
  };
};
