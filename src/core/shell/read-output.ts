import type { z } from 'zod';
import type { Fact, FactOf } from '../../../machines/index.ts';
import { JsonObject, type UpFeedback } from '../../../schema/index.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { checkData, issueInDocument } from '../../base/boundary/issues-of.ts';
import { readValue } from '../../base/boundary/read-json.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { notAnObject } from '../../base/canonical/json-value.ts';
import { recordedName } from '../../base/define/formerly.ts';
import { isCharterError, type Issue } from '../../base/errors.ts';
import type { AdoptedDocument, RecordPayload } from '../../base/ports/ledger.ts';
import { oneLine } from '../../base/text/foreign-text.ts';
import {
  CallsOutput,
  CorrectionOutput,
  DraftOutput,
  PlanOutput,
  digestOfOutput,
  outputDocument,
} from '../kernel/outputs.ts';
import { unclearDocument, type UnclearCall } from '../kernel/words.ts';
import { resolveCalls, type CallPorts } from './calls.ts';
import { unknownTools } from './declared-tools.ts';
import { meaningOf } from './meaning.ts';
import { readWith, rejected, type RejectedOutput } from './read-arguments.ts';
import type { LiveTask } from './live-task.ts';

/** The fact of an output, or its issues. */
export type Reading<Type extends Fact['type']> =
  RejectedOutput | { readonly fact: FactOf<Type>; readonly brought: RecordPayload };

/** Returns the first ten issues as text. */
export const issueText = (issues: readonly Issue[]): string => {
  const words = issues.slice(0, 10).map(issueInDocument);
  const more = issues.length > 10 ? [`and ${issues.length - 10} more`] : [];
  return oneLine([...words, ...more].join('; ').replaceAll(/\s+/gu, ' '));
};

/** Reads an output of a model or a person like bytes from outside: bounded, plain, exact. */
export const readOutput = readValue;

export const parseOutput = <Schema extends z.ZodType>(schema: Schema, value: unknown) => {
  const read = checkData(schema, value);
  return read.issues === undefined ? { value: deepFreeze(read.value) } : rejected(read.issues, read.cause);
};

const unreadableIssues = (error: unknown): RejectedOutput => {
  const path = isCharterError(error, 'input_unreadable') ? error.details.path : '';
  return rejected(
    [{ path, message: error instanceof Error ? error.message : 'it could not be read' }],
    error,
  );
};

/** Converts an error of a tool's schema to issues. `value_not_json` is thrown, because the developer must fix it. */
export const guarded = async <Result>(read: () => Promise<Result>): Promise<Result | RejectedOutput> => {
  try {
    return await read();
  } catch (error) {
    if (isCharterError(error, 'value_not_json')) throw error;
    return unreadableIssues(error);
  }
};

/** Reads a model's choice after its output was rejected. An object without a `choice` is the corrected output. */
export const readCorrection = (value: unknown): { readonly value: CorrectionOutput } | RejectedOutput => {
  try {
    const output = readOutput('CorrectionOutput', value);
    if (isObject(output) && !Object.hasOwn(output, 'choice'))
      return { value: { choice: 'fixed', output, explanation: '' } };
    return parseOutput(CorrectionOutput, output);
  } catch (error) {
    return unreadableIssues(error);
  }
};

/** What an output was taken from: another agent's review that the model adopted, or a person's edit. */
export interface TakenFrom {
  readonly adopted?: AdoptedDocument;
  readonly feedback?: UpFeedback;
}

/** Returns an output in which tools have the names that the task knows them by. */
const inNamesOf = <Output extends PlanOutput | CallsOutput>(
  { view: { allowed } }: LiveTask,
  { tools }: CallPorts,
  output: Output,
): Output => {
  const named = (name: string): string => recordedName(tools, allowed, name);
  const calls = output.calls.map((call) => ({ ...call, tool: named(call.tool) }));
  return { ...output, calls, ...(output.declares && { declares: output.declares.map(named) }) };
};

/** Returns the issues of declared tools that are no tools of the task. */
const undeclarable = (
  { view: { allowed } }: LiveTask,
  { declares = [] }: PlanOutput | CallsOutput,
): readonly Issue[] =>
  unknownTools(declares, allowed).map((issue) => ({ ...issue, path: `/declares${issue.path}` }));

/** Reads a plan: resolves each call to a declared tool, with arguments read by the tool's schema. */
export const readPlan = (
  task: LiveTask,
  environment: CallPorts,
  value: unknown,
  { adopted, feedback }: TakenFrom = {},
): Promise<Reading<'plan.proposed' | 'information.requested'>> =>
  guarded(async () => {
    const read = parseOutput(PlanOutput, readOutput('PlanOutput', value));
    if ('issues' in read) return read;
    const output = inNamesOf(task, environment, read.value);
    const unknown = undeclarable(task, output);
    if (unknown.length > 0) return rejected(unknown);
    const document = outputDocument(output, undefined, adopted);
    const brought: RecordPayload = { output: document };
    const { canProceed, confidence } = output;
    if (!canProceed && Object.keys(output.missing ?? {}).length > 0)
      return { fact: { type: 'information.requested', question: environment.ids.uuid() }, brought };
    const calls = await resolveCalls(task, environment, output.calls, feedback);
    if ('issues' in calls) return calls;
    if ('unclear' in calls) return unclear('plan.proposed', output, calls, adopted);
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

/** Returns calls that wait for a person, who chooses how one of them is mapped. */
const unclear = <Type extends 'plan.proposed' | 'calls.proposed'>(
  type: Type,
  output: PlanOutput | CallsOutput,
  calls: UnclearCall,
  adopted: AdoptedDocument | undefined,
) => {
  const document = deepFreeze({ ...unclearDocument(output, calls), ...(adopted && { adopted }) });
  const digest = digestOfOutput(document);
  return {
    fact: { type, digest, canProceed: false, confidence: 0, calls: [] },
    brought: { output: document },
  };
};

type Payload = DraftOutput['payload'];

/** Reads the payload of a draft with the schema of its task class; exactly once. */
const readPayload = async (
  { taskClass: { id, output } }: LiveTask,
  payload: Payload,
): Promise<{ readonly value: Payload; readonly raw?: Payload } | RejectedOutput> => {
  if (output === undefined) return { value: payload };
  const schema = `the output schema of task class ${id}`;
  const read = await readWith(output, payload, { schema, path: '/payload' });
  if ('issues' in read) return read;
  const { data: value } = JsonObject.safeParse(read.value);
  if (value === undefined) throw notAnObject(`what ${schema} returns`);
  return { value: deepFreeze(value), ...(read.raw !== undefined && { raw: payload }) };
};

const readDraft = async (
  task: LiveTask,
  value: unknown,
  adopted: AdoptedDocument | undefined,
): Promise<Reading<'draft.proposed'>> => {
  const read = parseOutput(DraftOutput, value);
  if ('issues' in read) return read;
  const output = read.value;
  const payload = await readPayload(task, output.payload);
  if ('issues' in payload) return payload;
  const meaning = await meaningOf(task.taskClass.output, output.upContext);
  if ('issues' in meaning)
    return rejected(meaning.issues.map(({ path, message }) => ({ path: `/upContext${path}`, message })));
  const { upContext: _claim, ...given } = output;
  const said = { ...given, ...(meaning.context && { upContext: meaning.context }) };
  const document = outputDocument({ ...said, payload: payload.value }, payload.raw, adopted);
  const { canProceed, confidence } = output;
  return {
    fact: { type: 'draft.proposed', digest: digestOfOutput(document), canProceed, confidence },
    brought: { output: document },
  };
};

/** Reads a draft, or the further calls that a model wants first. */
export const readConclusion = (
  task: LiveTask,
  environment: CallPorts,
  value: unknown,
  { adopted, feedback }: TakenFrom = {},
): Promise<Reading<'draft.proposed' | 'calls.proposed'>> =>
  guarded(async (): Promise<Reading<'draft.proposed' | 'calls.proposed'>> => {
    const output = readOutput('DraftOutput', value);
    const wantsCalls = typeof output === 'object' && output !== null && 'calls' in output;
    if (!wantsCalls) return readDraft(task, output, adopted);
    const read = parseOutput(CallsOutput, output);
    if ('issues' in read) return read;
    const wanted = inNamesOf(task, environment, read.value);
    const unknown = undeclarable(task, wanted);
    if (unknown.length > 0) return rejected(unknown);
    const calls = await resolveCalls(task, environment, wanted.calls, feedback);
    if ('issues' in calls) return calls;
    if ('unclear' in calls) return unclear('calls.proposed', wanted, calls, adopted);
    const { canProceed, confidence } = wanted;
    const document = outputDocument(wanted, undefined, adopted);
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
