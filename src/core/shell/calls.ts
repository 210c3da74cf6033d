import { isDeepStrictEqual } from 'node:util';
import type { Context, ProposedCall } from '../../../machines/index.ts';
import type { RiskTier, RollbackAction, UpFeedback } from '../../../schema/index.ts';
import { actionDigest } from '../../gates/approvals/subject.ts';
import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import { withDates } from '../../base/define/dates.ts';
import { describeRollback } from '../../base/define/rollback.ts';
import { summarize } from '../../base/define/summary.ts';
import { causeOf, isCharterError, type Issue } from '../../base/errors.ts';
import { subjectsOf } from '../../gates/evidence/checks.ts';
import type { CallDocument } from '../../base/ports/ledger.ts';
import type { Tool } from '../../base/ports/tool.ts';
import { oneLine } from '../../base/text/foreign-text.ts';
import type { ProposedCallOutput } from '../kernel/outputs.ts';
import type { Lookup } from '../kernel/projection/provenance.ts';
import type { UnclearCall } from '../kernel/words.ts';
import type { Environment } from './environment.ts';
import { emitCallbackFailed } from './events.ts';
import { lookupFor, resolvedArguments, tracedCall, withoutHidden, type Traced } from './origins.ts';
import { readArguments, rejected, type Mediate, type Read, type RejectedOutput } from './read-arguments.ts';
import { recordedText, redactedText } from './redact.ts';
import type { LiveTask } from './live-task.ts';

/** The ports of describing an action. */
export type ActionPorts = Pick<Environment, 'emit' | 'redact'>;

/** The part of a task that makes an action of arguments. */
export interface ActionOwner extends Pick<LiveTask, 'taskId'> {
  readonly taskClass: Pick<LiveTask['taskClass'], 'checks'>;
  readonly view: { readonly context: Pick<Context, 'request'> };
}

/** The ports of reading calls. */
export type CallPorts = ActionPorts &
  Pick<Environment, 'tools' | 'taskClassOf' | 'model' | 'ids'> & { readonly mediate: Mediate };

interface Described {
  readonly rollback: RollbackAction | null;
  readonly rollbackFault?: string;
}

/**
 * Describes the rollback of a call, or returns why it could not. The tool's author must fix such an error; the model
 * cannot.
 */
const describedBy = (task: ActionOwner, environment: ActionPorts, tool: Tool, input: unknown): Described => {
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
  task: ActionOwner,
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

/** A write without its rollback is of high risk. */
const raisedTier = ({ tier }: Tool, lacksRollback: boolean): RiskTier =>
  tier !== 'read_only' && lacksRollback ? 'write_high_risk' : tier;

/**
 * Returns the action of a call: its digest covers the request, the tool, its version, the arguments and the
 * rollback.
 *
 * A write whose declared rollback cannot be described is proposed as `write_high_risk` without one, so that the gate
 * refuses it.
 */
export const actionOf = (
  task: ActionOwner,
  environment: ActionPorts,
  tool: Tool,
  { value: recorded, raw, dates }: Read,
  { performs, ...identity }: Pick<CallDocument, 'id' | 'ref' | 'mapping' | 'performs'>,
  { document: traced, held }: Traced = { document: {} },
): { readonly document: CallDocument; readonly proposed: ProposedCall } => {
  const input = dates === undefined ? recorded : withDates(recorded, dates);
  const described = describedBy(task, environment, tool, input);
  const { rollback, rollbackFault } = described;
  const { name, version } = tool;
  const told = {
    ...(tool.repeats === true && identity.ref !== undefined && { occurrence: identity.ref }),
    ...(performs && { performs }),
  };
  const digest = actionDigest(task.view.context.request, {
    tool: name,
    version,
    arguments: recorded,
    rollback,
    ...told,
  });
  const tier = raisedTier(tool, rollbackFault !== undefined);
  return {
    document: {
      ...identity,
      tool: name,
      version,
      arguments: recorded,
      ...(raw !== undefined && { raw }),
      ...(dates !== undefined && { dates }),
      ...summarizedBy(task, environment, tool, input),
      ...described,
      ...traced,
      doubt: tool.doubt,
      ...told,
      digest,
    },
    proposed: {
      id: identity.id,
      tool: name,
      tier,
      digest,
      rollback: rollback !== null,
      ...subjectsOf(task.taskClass.checks, recorded),
      ...(held && { held: [...held] }),
    },
  };
};

/** Reads arguments; those of another form that has a meaning are mapped first (UpFormat 3.2). */
const readOrMapped = async (
  task: LiveTask,
  environment: CallPorts,
  tool: Tool,
  given: unknown,
  path: string,
): Promise<(Read & Pick<CallDocument, 'mapping'>) | RejectedOutput | Omit<UnclearCall, 'at'>> => {
  const read = await readArguments(tool, given, path);
  if (!('issues' in read)) return read;
  if (isCharterError(read.cause)) environment.emit('error', { taskId: task.taskId, error: read.cause });
  const mediated = await environment.mediate(task, environment, tool, given);
  if (mediated === null) return read;
  if ('questions' in mediated) return { unclear: mediated };
  const mapped = await readArguments(tool, mediated.arguments, path);
  return 'issues' in mapped ? read : { value: mapped.value, raw: given, mapping: mediated.mapping };
};

interface Resolved {
  readonly documents: readonly CallDocument[];
  readonly proposed: readonly ProposedCall[];
}

/** Returns why a call is not performed by its caller, or by nobody else; `null` if it may be. */
const misplacedCall = (
  { performs }: ProposedCallOutput,
  tool: Tool,
  { model }: Pick<CallPorts, 'model'>,
): string | null => {
  if (performs === undefined)
    return tool.performs === undefined ? null : `its caller performs ${tool.name}: expected "caller"`;
  if (model.isElsewhere !== true) return 'only an agent of a host performs calls itself';
  return tool.tier === 'read_only' && tool.performs === undefined
    ? `the result of ${tool.name} is evidence, and would be in the words of its caller: define it with defineCallerTool`
    : null;
};

const madeOtherwise =
  'an identical write of this request is performed by another, the host or its caller: propose it as that one';

/** Returns whether an identical write of the request stands, or may be made, that another performs. */
const isMadeOtherwise = (
  { view: { context, projection } }: LiveTask,
  tool: Tool,
  { performs }: ProposedCallOutput,
  value: unknown,
): boolean =>
  tool.tier !== 'read_only' &&
  tool.performs === undefined &&
  tool.repeats !== true &&
  Object.values(projection.calls).some(
    (one) =>
      one.tool === tool.name &&
      one.performs !== performs &&
      (context.effects.some(({ digest, status }) => digest === one.digest && status === 'committed') ||
        !['refused', 'failed', 'dropped', undefined].includes(context.calls[one.id]?.status)) &&
      isDeepStrictEqual(one.arguments, value),
  );

const resolveCall = async (
  task: LiveTask,
  environment: CallPorts,
  call: ProposedCallOutput,
  { lookup, path }: { readonly lookup: Lookup; readonly path: string },
) => {
  const { tools, ids } = environment;
  const { allowed } = task.view;
  const tool = allowed.includes(call.tool) ? tools.get(call.tool) : undefined;
  if (tool === undefined) {
    const message = `unknown tool ${JSON.stringify(call.tool)}: expected one of ${allowed.join(', ')}${didYouMean(call.tool, allowed)}`;
    return rejected([{ path: `${path}/tool`, message }]);
  }
  const misplaced = misplacedCall(call, tool, environment);
  if (misplaced !== null) return rejected([{ path: `${path}/performs`, message: misplaced }]);
  const place = `${path}/arguments`;
  const resolved = resolvedArguments(lookup, call.arguments, place);
  if ('issues' in resolved) return resolved;
  const read = await readOrMapped(task, environment, tool, resolved.value, place);
  if ('unclear' in read) return read;
  if (!('issues' in read) && isMadeOtherwise(task, tool, call, read.value))
    return rejected([{ path: `${path}/performs`, message: madeOtherwise }]);
  if ('issues' in read) return withoutHidden(read, resolved, call.arguments, place);
  const id = ids.uuid();
  task.knownCalls.set(id, { ...task.knownCalls.get(id), reader: tool });
  const identity = {
    id,
    ...(call.ref !== undefined && { ref: call.ref }),
    ...(read.mapping && { mapping: read.mapping }),
    ...(call.performs && { performs: call.performs }),
  };
  const traced = tracedCall(task, tool, read, { lookup, resolved });
  const { document, proposed } = actionOf(task, environment, tool, read, identity, traced);
  return { document, proposed: { ...proposed, ...(call.together && { together: call.together }) } };
};

type Action = Pick<ReturnType<typeof actionOf>, 'document' | 'proposed'>;

/** Returns proposed calls with the ids of the calls that they come after: earlier ones of this output, or of the attempt. */
const inSequence = (
  { view: { context, projection } }: LiveTask,
  calls: readonly ProposedCallOutput[],
  actions: readonly Action[],
): readonly ProposedCall[] | RejectedOutput => {
  const ids = new Map<string, string>();
  const add = ({ id, ref }: CallDocument): void => void (ref !== undefined && ids.set(ref, id));
  for (const call of Object.values(projection.calls)) if (call.id in context.calls) add(call);
  const issues: Issue[] = [];
  const proposed = actions.map((action, at) => {
    const { after: refs = [] } = calls[at] ?? {};
    const after = refs.flatMap((ref, index) => {
      const path = `/calls/${at}/after/${index}`;
      const id = ids.get(ref);
      if (id === undefined)
        issues.push({
          path,
          message: `no earlier call has the ref ${JSON.stringify(ref)}${didYouMean(ref, ids.keys())}`,
        });
      return id ?? [];
    });
    if (refs.length > 0 && action.proposed.tier === 'read_only')
      issues.push({
        path: `/calls/${at}/after`,
        message: 'a read comes before the writes of its step: propose it in the next one',
      });
    add(action.document);
    return after.length === 0 ? action.proposed : { ...action.proposed, after };
  });
  return issues.length === 0 ? proposed : rejected(issues);
};

/**
 * Resolves every call of an output to an allowed tool, with arguments read by the tool's schema. `feedback` is the
 * person's edit that brings them.
 */
export const resolveCalls = async (
  task: LiveTask,
  environment: CallPorts,
  calls: readonly ProposedCallOutput[],
  feedback?: UpFeedback,
): Promise<Resolved | RejectedOutput | UnclearCall> => {
  const lookup = lookupFor(task, feedback);
  const read = await Promise.all(
    calls.map((call, at) => resolveCall(task, environment, call, { lookup, path: `/calls/${at}` })),
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
  const documents = actions.map(({ document }) => document);
  const proposed = inSequence(task, calls, actions);
  return 'issues' in proposed ? proposed : { documents, proposed };
};
