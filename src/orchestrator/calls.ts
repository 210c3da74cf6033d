import { isDeepStrictEqual } from 'node:util';
import type { ProposedCall } from '../../machines/index.ts';
import type { RollbackAction } from '../../schema/index.ts';
import { actionDigest } from '../approvals/subject.ts';
import { didYouMean } from '../boundary/did-you-mean.ts';
import { oneLine } from '../boundary/foreign-text.ts';
import { issueOf, validated } from '../define/validated.ts';
import { jsonValue } from '../canonical/json-value.ts';
import { describeRollback } from '../define/rollback.ts';
import { summarize } from '../define/summary.ts';
import { causeOf, type Issue } from '../errors.ts';
import { subjectsOf } from '../evidence/checks.ts';
import type { CallDocument } from '../ports/ledger.ts';
import type { StandardSchema } from '../ports/schema.ts';
import type { Tool } from '../ports/tool.ts';
import type { Environment } from './environment.ts';
import { emitCallbackFailed } from './events.ts';
import type { UnclearCall } from './mapping-words.ts';
import { mediatedArguments, type MediationPorts } from './mediation.ts';
import type { ProposedCallOutput } from './outputs.ts';
import { recordedText, redactedText } from './redact.ts';
import type { Task } from './task.ts';

/** The ports of describing an action. */
type ActionPorts = Pick<Environment, 'emit' | 'redact'>;

/** The ports of reading calls. */
export type CallPorts = ActionPorts & MediationPorts & Pick<Environment, 'ids'>;

/** A value after a schema, frozen; `raw` is the input if it differs. */
export interface Read {
  readonly value: unknown;
  readonly raw?: unknown;
}

interface Described {
  readonly rollback: RollbackAction | null;
  readonly rollbackFault?: string;
}

/**
 * Describes the rollback of a call, or returns why it could not. The tool's author must fix such an error; the model
 * cannot.
 */
const describedBy = (task: Task, environment: ActionPorts, tool: Tool, input: unknown): Described => {
  if (tool.rollback === null) return { rollback: null };
  try {
    return { rollback: describeRollback(tool.name, tool.rollback, input) };
  } catch (error) {
    const callback = `rollback.describe of tool ${JSON.stringify(tool.name)}`;
    emitCallbackFailed(environment, task, callback, 'ROLLBACK_REQUIRED', error);
    const rollbackFault = redactedText(environment.redact, `${callback} failed: ${causeOf(error)}`);
    return { rollback: null, rollbackFault };
  }
};

/** Returns the sentence of a call, or why its tool could not say it; nothing if the tool has none. */
const summarizedBy = (
  task: Task,
  environment: ActionPorts,
  { name, summary }: Tool,
  input: unknown,
): Pick<CallDocument, 'summary' | 'summaryFault'> => {
  if (summary === undefined) return {};
  const { redact } = environment;
  try {
    return { summary: oneLine(redactedText(redact, summarize(name, summary, input))) };
  } catch (error) {
    const callback = `summary of tool ${JSON.stringify(name)}`;
    emitCallbackFailed(environment, task, callback, 'GUARD_ERROR', error);
    return { summaryFault: recordedText(redact, `${callback} failed: ${causeOf(error)}`) };
  }
};

/**
 * Returns the action of a call: its digest covers the request, the tool, its version, the arguments and the
 * rollback.
 *
 * A write whose declared rollback cannot be described is proposed as `write_high_risk` without one, so that the gate
 * refuses it.
 */
export const actionOf = (
  task: Task,
  environment: ActionPorts,
  tool: Tool,
  { value: input, raw }: Read,
  identity: Pick<CallDocument, 'id' | 'ref' | 'mapping'>,
): { readonly document: CallDocument; readonly proposed: ProposedCall } => {
  const described = describedBy(task, environment, tool, input);
  const { rollback, rollbackFault } = described;
  const { name, version } = tool;
  const digest = actionDigest(task.view.context.request, {
    tool: name,
    version,
    arguments: input,
    rollback,
  });
  const isRaised = rollbackFault !== undefined && tool.tier !== 'read_only';
  const tier = isRaised ? 'write_high_risk' : tool.tier;
  return {
    document: {
      ...identity,
      tool: name,
      version,
      arguments: input,
      ...(raw !== undefined && { raw }),
      ...summarizedBy(task, environment, tool, input),
      ...described,
      doubt: tool.doubt,
      digest,
    },
    proposed: {
      id: identity.id,
      tool: name,
      tier,
      digest,
      rollback: rollback !== null,
      ...subjectsOf(task.taskClass.checks, input),
    },
  };
};

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

/** Reads arguments; those of another form that has a meaning are mapped first (UpFormat 3.2). */
const readOrMapped = async (
  task: Task,
  environment: CallPorts,
  tool: Tool,
  { arguments: given }: ProposedCallOutput,
  path: string,
): Promise<(Read & Pick<CallDocument, 'mapping'>) | RejectedOutput | Omit<UnclearCall, 'at'>> => {
  const read = await readArguments(tool, given, path);
  if (!('issues' in read)) return read;
  const mediated = await mediatedArguments(task, environment, tool, given);
  if (mediated === null) return read;
  if ('questions' in mediated) return { unclear: mediated };
  const mapped = await readArguments(tool, mediated.arguments, path);
  return 'issues' in mapped ? read : { value: mapped.value, raw: given, mapping: mediated.mapping };
};

interface Resolved {
  readonly documents: readonly CallDocument[];
  readonly proposed: readonly ProposedCall[];
}

const resolveCall = async (task: Task, environment: CallPorts, call: ProposedCallOutput, path: string) => {
  const { tools, ids } = environment;
  const { allowed } = task.view;
  const tool = allowed.includes(call.tool) ? tools.get(call.tool) : undefined;
  if (tool === undefined) {
    const message = `unknown tool ${JSON.stringify(call.tool)}: expected one of ${allowed.join(', ')}${didYouMean(call.tool, allowed)}`;
    return rejected([{ path: `${path}/tool`, message }]);
  }
  const read = await readOrMapped(task, environment, tool, call, `${path}/arguments`);
  if ('issues' in read || 'unclear' in read) return read;
  const id = ids.uuid();
  task.knownCalls.set(id, { ...task.knownCalls.get(id), reader: tool });
  return actionOf(task, environment, tool, read, {
    id,
    ...(call.ref !== undefined && { ref: call.ref }),
    ...(read.mapping && { mapping: read.mapping }),
  });
};

/** Resolves every call of an output to an allowed tool, with arguments read by the tool's schema. */
export const resolveCalls = async (
  task: Task,
  environment: CallPorts,
  calls: readonly ProposedCallOutput[],
): Promise<Resolved | RejectedOutput | UnclearCall> => {
  const read = await Promise.all(
    calls.map((call, at) => resolveCall(task, environment, call, `/calls/${at}`)),
  );
  const faulty = read.filter((one) => 'issues' in one);
  const causes = faulty.flatMap(({ cause }) => (cause === undefined ? [] : [cause]));
  if (faulty.length > 0)
    return rejected(
      faulty.flatMap(({ issues }) => issues),
      causes[0],
    );
  const at = read.findIndex((one) => 'unclear' in one);
  const unclear = read[at];
  if (unclear !== undefined && 'unclear' in unclear) return { ...unclear, at };
  const actions = read.flatMap((one) => ('document' in one ? [one] : []));
  return {
    documents: actions.map(({ document }) => document),
    proposed: actions.map(({ proposed }) => proposed),
  };
};
