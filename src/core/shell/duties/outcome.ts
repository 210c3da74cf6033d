import * as z from 'zod';
import { EvidenceObject, Identifier, JsonObject, type ReasonCode } from '../../../../schema/index.ts';
import { deepFreeze } from '../../../base/canonical/deep-freeze.ts';
import { digest } from '../../../base/canonical/digest.ts';
import { frozenCopy } from '../../../base/canonical/freeze.ts';
import type { Kept } from '../../../base/canonical/kept.ts';
import { shownPointer } from '../../../base/canonical/unreadable.ts';
import { causeOf, CharterError } from '../../../base/errors.ts';
import { checkedEvidence, errorWords, isErrorResult } from '../../../gates/evidence/checks.ts';
import { callKey, evidenceFault } from '../../../gates/evidence/fault.ts';
import { lowered, unlabelled } from '../../../gates/origins/label.ts';
import { hiddenKey, labelsKey } from '../../../gates/origins/sources.ts';
import type { RecordPayload } from '../../../base/ports/ledger.ts';
import type { Label } from '../../../base/ports/origin.ts';
import type { NotYet, Tool, ToolOutcome } from '../../../base/ports/tool.ts';
import { rfc3339 } from '../../kernel/now.ts';
import type { TaskView } from '../../kernel/view.ts';
import { keepResult, recordable } from '../blobs.ts';
import type { Environment } from '../environment.ts';
import { stated, type Stating } from '../live-task.ts';
import { compensate } from './late-writes.ts';
import { performerOf, systemOf, type CallRun } from './performer.ts';

/** Returns the enclosing trace of a run, for its evidence (UAICP 4.3). */
const parentTraceOf = ({ projection }: TaskView): Pick<EvidenceObject, 'parent_trace_id'> => {
  const { parentTraceId } = projection.request;
  return parentTraceId === undefined ? {} : { parent_trace_id: parentTraceId };
};

/**
 * Returns what evidence of a call says of itself: its labels as they were declared when it was proposed, and no more
 * trust than the task that made it had.
 */
const labelsOf = ({ call, tool }: CallRun, by?: Label): Pick<EvidenceObject, string> => ({
  ...((call.labels ?? by) && { [labelsKey]: by ? lowered(call.labels ?? {}, by, unlabelled) : call.labels }),
  ...(tool.isHidden === true && { [hiddenKey]: true }),
});

/** Tells the host at once what of a result no record can hold. */
const reportLost = ({ task, environment, tool }: CallRun, { lost }: Kept): void => {
  if (lost.length === 0) return;
  const name = `the result of tool ${JSON.stringify(tool.name)}`;
  const words = lost.slice(0, 3).map(({ at, what }) => `${at === '' ? 'it' : shownPointer(at)} is ${what}`);
  const message = `${name} is kept without what JSON cannot hold: ${words.join('; ')}; return plain objects, arrays, strings, finite numbers, booleans and null`;
  const [{ at: path, what: reason } = { at: '', what: '' }] = lost;
  const error = new CharterError('value_not_json', message, { value: name, path, reason });
  environment.emit('error', { taskId: task.taskId, error });
};

/** Returns evidence of a tool's result: hashed over its canonical form, with request, trace and call. */
const evidenceOf = async (run: CallRun, result: unknown, by?: Label): Promise<EvidenceObject> => {
  const { task, environment, tool, call, of } = run;
  const { redact, blobs, meter } = environment;
  // what is hidden is looked for in what the model says: it stays whole in the record
  const ports = { redact, meter, blobs: tool.isHidden === true ? null : blobs };
  const recorded = await keepResult(task.taskId, recordable(result, tool.name, 'result', ports), ports);
  reportLost(run, recorded);
  const payload = recorded.value as EvidenceObject['payload'];
  return deepFreeze({
    evidence_id: environment.ids.uuid(),
    evidence_type: tool.evidenceType,
    source: tool.name,
    request_id: of.request,
    trace_id: task.view.projection.traceId,
    ...parentTraceOf(task.view),
    actor: performerOf(task, call, tool.name).id,
    hash: digest(payload),
    collected_at: rfc3339(environment.clock.now()),
    payload,
    [callKey]: call.id,
    ...labelsOf(run, by),
  });
};

/** Reads evidence from another party. It must match this call; its own claims are recomputed (UAICP 5.1). */
const readEvidence = (run: CallRun, given: unknown) => {
  const { task, environment, tool, call, of } = run;
  const evidence = frozenCopy(given, tool.name);
  const fault = evidenceFault(evidence, {
    requestId: of.request,
    traceId: task.view.projection.traceId,
    type: tool.evidenceType,
    tool: tool.name,
    call: call.id,
    now: environment.clock.now(),
    skew: environment.skew,
  });
  if (fault !== null) return fault;
  const read = EvidenceObject.parse(evidence);
  const { parentTraceId } = task.view.projection.request;
  if ((read.parent_trace_id ?? parentTraceId) !== parentTraceId)
    return { code: 'EVIDENCE_FOREIGN', explanation: 'it is nested in another trace' } as const;
  // its own labels do not count: another party may not say that it is trusted
  const { [labelsKey]: _labels, [hiddenKey]: _hidden, ...claimed } = read;
  const own = { ...parentTraceOf(task.view), ...labelsOf(run) };
  return Identifier.safeParse(read.evidence_id).success
    ? { evidence: redacted(environment, EvidenceObject.parse({ ...claimed, ...own })) }
    : ({ code: 'EVIDENCE_INVALID', explanation: 'its evidence_id is no identifier' } as const);
};

/** Redacts another party's evidence and hashes it again. */
const redacted = ({ redact }: Pick<Environment, 'redact'>, evidence: EvidenceObject): EvidenceObject => {
  const payload = redact(evidence.payload, 'result') as EvidenceObject['payload'];
  return deepFreeze({ ...evidence, payload, hash: digest(payload) });
};

/**
 * Returns whether an outcome is stated: not that of an aborted call which a retry has started again. Once the attempt is over it is,
 * and the chart records it as too late.
 */
export const isCurrent =
  ({ task, of, signal }: CallRun) =>
  (): boolean =>
    !signal.aborted || task.view.context.calls[of.call]?.status !== 'started';

/** States a failure. A read has failed; a write may have happened, unless the tool returned `notDone`. */
export async function* fail(
  run: CallRun,
  explanation: string,
  isCertain: boolean,
  code?: ReasonCode,
): Stating<boolean> {
  const { task, tool, call, of, span } = run;
  const statement = { actor: performerOf(task, call, tool.name), brought: { explanation } };
  const hasFailed = tool.tier === 'read_only' || isCertain;
  const reason = code ?? (hasFailed ? 'TOOL_FAILED' : 'EFFECT_IN_DOUBT');
  span?.end(hasFailed ? 'failed' : 'doubted', reason);
  const failed = { ...of, code: reason };
  return yield hasFailed
    ? stated({ type: 'call.failed', ...failed }, statement, isCurrent(run))
    : stated({ type: 'call.doubted', ...failed }, statement, isCurrent(run));
}

/** Returns the explanation of a result that its tool marked as an error, with what it says. */
const saidError = ({ tool }: CallRun, how: string, result: unknown): string => {
  const words = errorWords(result);
  return `${tool.name} ${how} an error (isError)${words === '' ? '' : `: ${words}`}`;
};

/** States the result of a call; `by` is the label of what its task was shown, if it is one. */
export async function* succeed(run: CallRun, result: unknown, by?: Label): Stating<boolean> {
  if (isErrorResult(result)) return yield* succeedWithoutEvidence(run, saidError(run, 'returned', result));
  let evidence: EvidenceObject;
  try {
    evidence = await evidenceOf(run, result, by);
  } catch (error) {
    return yield* succeedWithoutEvidence(run, causeOf(error));
  }
  return yield* succeedWith(run, evidence);
}

/** States a result without valid evidence: the write happened, but is not proven. */
async function* succeedWithoutEvidence(
  run: CallRun,
  explanation: string,
  code?: ReasonCode,
): Stating<boolean> {
  const isTaken = yield* fail(run, explanation, false, code);
  if (!isTaken) await compensate(run);
  return isTaken;
}

/** States a result. A write that finished after its duty was aborted is rolled back. */
async function* succeedWith(run: CallRun, evidence: EvidenceObject): Stating<boolean> {
  const { task, tool, call, of, span } = run;
  const { evidence_id: id, evidence_type: type } = evidence;
  const summary = await checkedEvidence(
    task.taskClass.checks,
    evidence,
    task.view.projection.request.payload,
  );
  const isNew = () => !(id in task.view.projection.evidence); // checked when its turn comes: results arrive together
  if (isNew()) span?.end('succeeded'); // before the task moves on and aborts the call
  const isTaken = yield stated(
    { type: 'call.succeeded', ...of, evidence: { id, type, ...summary } },
    { actor: performerOf(task, call, tool.name), brought: { evidence } },
    isNew,
  );
  if (!isTaken && !isNew())
    return yield* succeedWithoutEvidence(run, 'other evidence has its evidence_id', 'EVIDENCE_INVALID');
  if (!isTaken) await compensate(run);
  return isTaken;
}

/** States a tool's special result. */
export async function* conclude(run: CallRun, outcome: ToolOutcome): Stating<boolean> {
  if (outcome.kind !== 'evidence') return yield* interrupt(run, outcome);
  let read: ReturnType<typeof readEvidence>;
  try {
    read = readEvidence(run, outcome.evidence);
  } catch (error) {
    return yield* succeedWithoutEvidence(run, causeOf(error), 'EVIDENCE_INVALID');
  }
  if (!('evidence' in read)) return yield* succeedWithoutEvidence(run, read.explanation, read.code);
  return yield* isErrorResult(read.evidence.payload)
    ? succeedWithoutEvidence(run, saidError(run, 'brought', read.evidence.payload))
    : succeedWith(run, read.evidence);
}

const OutcomeData = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('notDone'), explanation: z.string() }),
  z.object({ kind: z.literal('needsHuman'), explanation: z.string(), payload: JsonObject }),
  z.object({
    kind: z.literal('notYet'),
    explanation: z.string(),
    dependency: Identifier,
    agent: z.union([z.string().min(1), z.object({ agent_id: Identifier, owner_id: Identifier })]).optional(),
  }),
]);

/** Reads a tool's special result as plain data. Throws if it cannot be read. */
const readOutcome = (
  { agent, evidence: _evidence, ...outcome }: ToolOutcome,
  tool: Tool,
): z.infer<typeof OutcomeData> =>
  OutcomeData.parse(frozenCopy({ ...outcome, ...(agent !== undefined && { agent }) }, tool.name));

/** Returns the agent that can meet a dependency, as it is recorded. */
const namedAgent = (agent: NotYet['agent']): Pick<RecordPayload, 'agent' | 'owner'> => {
  if (agent === undefined) return {};
  return typeof agent === 'string' ? { agent } : { agent: agent.agent_id, owner: agent.owner_id };
};

async function* interrupt(run: CallRun, outcome: ToolOutcome): Stating<boolean> {
  const { environment, tool, of, span } = run;
  const actor = systemOf(tool.name);
  let data: z.infer<typeof OutcomeData>;
  let redacted: unknown;
  try {
    data = readOutcome(outcome, tool);
    redacted = data.kind === 'needsHuman' ? environment.redact(data.payload, 'result') : {};
  } catch {
    return yield* fail(run, 'its outcome cannot be read', outcome.kind !== 'notYet');
  }
  const { explanation } = data;
  switch (data.kind) {
    case 'notDone':
      return yield* fail(run, explanation, true);
    case 'needsHuman':
      span?.end('asking');
      return yield stated(
        { type: 'question.raised', ...of, question: environment.ids.uuid() },
        { actor, brought: { explanation, payload: JsonObject.parse(redacted) } },
        isCurrent(run),
      );
    case 'notYet': {
      const { dependency, agent } = data;
      span?.end('waiting');
      return yield stated(
        { type: 'dependency.awaited', ...of, dependency },
        { actor, brought: { explanation, ...namedAgent(agent) } },
        isCurrent(run),
      );
    }
  }
}
