import { isDeepStrictEqual } from 'node:util';
import { jsonValue } from '../../base/canonical/json-value.ts';
import { datesWanted, withDates, withoutDates } from '../../base/define/dates.ts';
import { issueOf, validated } from '../../base/define/validated.ts';
import { isCharterError, type Issue } from '../../base/errors.ts';
import type { StandardIssue, StandardSchema } from '../../base/ports/schema.ts';
import type { Tool } from '../../base/ports/tool.ts';
import type { MappedArguments, UnclearArguments } from '../kernel/words.ts';
import type { Environment } from './environment.ts';
import type { LiveTask } from './live-task.ts';

/** A value after a schema, frozen; `raw` is the input if it differs. */
export interface Read {
  readonly value: unknown;
  readonly raw?: unknown;
  /** Where the schema returned a Date, of which the value has the text. */
  readonly dates?: readonly string[];
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
  validate = validated,
): Promise<Read | RejectedOutput> => {
  const result = await validate(schema, value);
  if (result.issues === undefined) {
    const read = jsonValue(result.value, `what ${name} returns`);
    return isDeepStrictEqual(read, value) ? { value: read } : { value: read, raw: value };
  }
  const issues = result.issues.map(issueOf).map((issue) => ({ ...issue, path: path + issue.path }));
  return rejected(issues, result.cause);
};

/** Returns issues in which those of a date say what a date is here. */
const ofDates = (issues: readonly StandardIssue[], dates: readonly string[]): readonly StandardIssue[] =>
  issues.map((issue) =>
    dates.includes(issueOf(issue).path)
      ? { ...issue, message: 'must be a date and time, such as "2026-12-24T08:00:00Z"' }
      : issue,
  );

/** Validates arguments with a schema that takes dates as texts and returns them so, and notes where it returned them. */
const withTexts =
  (dates: string[]): typeof validated =>
  async (schema, given) => {
    let result = await validated(schema, given);
    const wanted = result.issues === undefined ? [] : datesWanted(result.cause);
    if (wanted.length > 0) result = await validated(schema, withDates(given, wanted));
    if (result.issues !== undefined)
      return { ...result, issues: ofDates(result.issues, datesWanted(result.cause)) };
    const read = withoutDates(result.value);
    dates.push(...read.dates);
    return { value: read.value as typeof result.value }; // but for its dates
  };

/**
 * Reads the arguments of a call with the schema of its tool; a Date in them is its RFC 3339 text. What the schema makes of them
 * and JSON cannot hold is an issue: no call of the tool can have it.
 */
export const readArguments = async (
  tool: Tool,
  given: unknown,
  path: string,
): Promise<Read | RejectedOutput> => {
  const dates: string[] = [];
  const place = { schema: `the input schema of tool ${tool.name}`, path };
  try {
    const read = await readWith(tool.input, given, place, withTexts(dates));
    return 'issues' in read || dates.length === 0 ? read : { ...read, dates };
  } catch (error) {
    if (!isCharterError(error, 'value_not_json')) throw error;
    return rejected([{ path: path + error.details.path, message: error.message }], error);
  }
};

/** Maps arguments that their tool refuses, by the contexts of both; returns `null` if nothing maps. */
export type Mediate = (
  task: LiveTask,
  ports: Pick<Environment, 'tools' | 'taskClassOf' | 'model'>,
  tool: Tool,
  given: unknown,
) => Promise<MappedArguments | UnclearArguments | null>;

/** Maps only where a task has data of a known meaning: what a tool or its class declares, or a message with a context. */
export const whereMeant =
  (mediate: Mediate): Mediate =>
  async (task, ports, tool, given) => {
    const isMeant =
      task.taskClass.output !== undefined ||
      task.view.allowed.some((name) => ports.tools.get(name)?.output ?? ports.tools.get(name)?.child) ||
      task.view.projection.thread.some(({ upContext }) => upContext !== undefined);
    return isMeant ? mediate(task, ports, tool, given) : null;
  };
