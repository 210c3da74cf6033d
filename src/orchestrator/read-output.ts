import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Fact, FactOf, ProposedCall } from '../../machines/index.ts';
import { JsonObject } from '../../schema/index.ts';
import { oneLine } from '../boundary/foreign-text.ts';
import { issuesOf } from '../boundary/issues-of.ts';
import { readValue } from '../boundary/read-json.ts';
import { deepFreeze, ownCopy } from '../canonical/deep-freeze.ts';
import { jsonValue, notAnObject } from '../canonical/json-value.ts';
import { isCharterError, type Issue } from '../errors.ts';
import type { Brought, CallDocument } from '../ports/ledger.ts';
import type { StandardSchema } from '../ports/schema.ts';
import type { Tool } from '../ports/tool.ts';
import { actionOf, type Read } from './action.ts';
import type { Environment } from './environment.ts';
import {
  CallsOutput,
  CorrectionOutput,
  digestOfOutput,
  DraftOutput,
  outputDocument,
  PlanOutput,
  type ProposedCallOutput,
} from './outputs.ts';
import { noteReader } from './seen.ts';
import type { Task } from './task.ts';

/** What an output says, or why it says nothing that counts. */
export type Reading<Type extends Fact['type']> =
  { readonly issues: readonly Issue[] } | { readonly fact: FactOf<Type>; readonly brought: Brought };

const rejected = (issues: readonly Issue[]) => ({ issues });

/** Whose schema reads: the name for errors, and where in its output the value stands. */
export interface Place {
  readonly schema: string;
  readonly path: string;
}

/**
 * Reads a value once with a schema of any library, or says what is wrong with it. The schema gets a copy of its own.
 *
 * Throws `value_not_json` where the schema returns what is not JSON.
 */
export const readWith = async (
  schema: StandardSchema,
  value: unknown,
  { schema: name, path }: Place,
): Promise<Read | { readonly issues: readonly Issue[] }> => {
  const result = await schema['~standard'].validate(ownCopy(value));
  if (result.issues === undefined) {
    const read = jsonValue(result.value, `what ${name} returns`);
    return isDeepStrictEqual(read, value) ? { value: read } : { value: read, raw: value };
  }
  return rejected(
    result.issues.map((issue) => ({
      path: [
        path,
        ...(issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)),
      ].join('/'),
      message: issue.message,
    })),
  );
};

/** The first ten of what is wrong, for people. */
export const inWords = (issues: readonly Issue[]): string => {
  const words = issues.slice(0, 10).map(({ path, message }) => `${path} ${message}`.trim());
  const more = issues.length > 10 ? [`and ${issues.length - 10} more`] : [];
  return oneLine([...words, ...more].join('; ').replaceAll(/\s+/gu, ' '));
};

/** What a model or a person put in an output's place, read as bytes from outside are: bounded, plain, exact. */
export const readOutput = readValue;

const parse = <Schema extends z.ZodType>(schema: Schema, value: unknown) => {
  const result = schema.safeParse(value);
  return result.success ? { value: deepFreeze(result.data) } : rejected(issuesOf(result.error));
};

/** The arguments of a call, read by the schema of its tool. */
export const readArguments = (tool: Tool, given: unknown, path: string) =>
  readWith(tool.input, given, { schema: `the input schema of tool ${tool.name}`, path });

interface Resolved {
  readonly documents: readonly CallDocument[];
  readonly proposed: readonly ProposedCall[];
}

const resolveCall = async (task: Task, environment: Environment, call: ProposedCallOutput, path: string) => {
  const { tools, ids } = environment;
  const { allowed } = task.view;
  const tool = allowed.includes(call.tool) ? tools.get(call.tool) : undefined;
  if (tool === undefined) {
    const message = `unknown tool ${JSON.stringify(call.tool)}: expected one of ${allowed.join(', ')}`;
    return rejected([{ path: `${path}/tool`, message }]);
  }
  const read = await readArguments(tool, call.arguments, `${path}/arguments`);
  if ('issues' in read) return read;
  const id = ids.uuid();
  noteReader(task, id, tool);
  return actionOf(task, environment, tool, read, {
    id,
    ...(call.ref !== undefined && { ref: call.ref }),
  });
};

const resolveCalls = async (
  task: Task,
  environment: Environment,
  calls: readonly ProposedCallOutput[],
): Promise<Resolved | { readonly issues: readonly Issue[] }> => {
  const read = await Promise.all(
    calls.map((call, at) => resolveCall(task, environment, call, `/calls/${at}`)),
  );
  const issues = read.flatMap((one) => ('issues' in one ? one.issues : []));
  if (issues.length > 0) return rejected(issues);
  const actions = read.flatMap((one) => ('issues' in one ? [] : [one]));
  return {
    documents: actions.map(({ document }) => document),
    proposed: actions.map(({ proposed }) => proposed),
  };
};

const unread = (error: unknown): { issues: readonly Issue[] } => {
  const path = isCharterError(error, 'input_unreadable') ? error.details.path : '';
  return rejected([{ path, message: error instanceof Error ? error.message : 'it could not be read' }]);
};

/** A tool's schema that throws says nothing for the output; one that returns no JSON is its developer's to mend. */
export const guarded = async <Result>(
  read: () => Promise<Result>,
): Promise<Result | { issues: readonly Issue[] }> => {
  try {
    return await read();
  } catch (error) {
    if (isCharterError(error, 'value_not_json')) throw error;
    return unread(error);
  }
};

/** A model's choice after its output was sent back. */
export const readCorrection = (
  value: unknown,
): { readonly value: CorrectionOutput } | { readonly issues: readonly Issue[] } => {
  try {
    return parse(CorrectionOutput, readOutput('CorrectionOutput', value));
  } catch (error) {
    return unread(error);
  }
};

/** A plan as the chart takes it: every call resolved to a declared tool, its arguments read by that tool's schema. */
export const readPlan = (
  task: Task,
  environment: Environment,
  value: unknown,
): Promise<Reading<'plan.proposed' | 'information.requested'>> =>
  guarded(async () => {
    const read = parse(PlanOutput, readOutput('PlanOutput', value));
    if ('issues' in read) return read;
    const output = read.value;
    const document = outputDocument(output);
    const brought: Brought = { output: document };
    const { canProceed, confidence } = output;
    if (!canProceed && Object.keys(output.missing ?? {}).length > 0)
      return { fact: { type: 'information.requested', question: environment.ids.uuid() }, brought };
    const calls = await resolveCalls(task, environment, output.calls);
    if ('issues' in calls) return calls;
    return {
      fact: {
        type: 'plan.proposed',
        digest: digestOfOutput(document),
        canProceed,
        confidence,
        calls: [...calls.proposed],
      },
      brought: { ...brought, calls: calls.documents },
    };
  });

type Payload = DraftOutput['payload'];

/** The payload of a draft as the schema of its task class reads it: once, and never again. */
const readPayload = async (
  { taskClass: { id, output } }: Task,
  payload: Payload,
): Promise<{ readonly value: Payload; readonly raw?: Payload } | { readonly issues: readonly Issue[] }> => {
  if (output === undefined) return { value: payload };
  const schema = `the output schema of task class ${id}`;
  const read = await readWith(output, payload, { schema, path: '/payload' });
  if ('issues' in read) return read;
  const { data: value } = JsonObject.safeParse(read.value);
  if (value === undefined) throw notAnObject(`what ${schema} returns`);
  return { value: deepFreeze(value), ...(read.raw !== undefined && { raw: payload }) };
};

const readDraft = async (task: Task, value: unknown): Promise<Reading<'draft.proposed'>> => {
  const read = parse(DraftOutput, value);
  if ('issues' in read) return read;
  const output = read.value;
  const payload = await readPayload(task, output.payload);
  if ('issues' in payload) return payload;
  const document = outputDocument({ ...output, payload: payload.value }, payload.raw);
  const { canProceed, confidence } = output;
  return {
    fact: { type: 'draft.proposed', digest: digestOfOutput(document), canProceed, confidence },
    brought: { output: document },
  };
};

/** A draft, or the further calls that a model wants first. */
export const readConclusion = (
  task: Task,
  environment: Environment,
  value: unknown,
): Promise<Reading<'draft.proposed' | 'calls.proposed'>> =>
  guarded(async (): Promise<Reading<'draft.proposed' | 'calls.proposed'>> => {
    const output = readOutput('DraftOutput', value);
    const wantsCalls = typeof output === 'object' && output !== null && 'calls' in output;
    if (!wantsCalls) return readDraft(task, output);
    const read = parse(CallsOutput, output);
    if ('issues' in read) return read;
    const calls = await resolveCalls(task, environment, read.value.calls);
    if ('issues' in calls) return calls;
    const { canProceed, confidence } = read.value;
    const document = outputDocument(read.value);
    return {
      fact: {
        type: 'calls.proposed',
        digest: digestOfOutput(document),
        canProceed,
        confidence,
        calls: [...calls.proposed],
      },
      brought: { output: document, calls: calls.documents },
    };
  });
