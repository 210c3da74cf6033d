import { recoveryKey } from '../../../../machines/facts/recovery.ts';
import type { ReasonCode, UpFeedback } from '../../../../schema/index.ts';
import { ownCopy } from '../../../base/canonical/deep-freeze.ts';
import { withDates } from '../../../base/define/dates.ts';
import { causeOf, CharterError } from '../../../base/errors.ts';
import { messageIdOf } from '../../../base/feedback/target.ts';
import type { CallDocument } from '../../../base/ports/ledger.ts';
import type { TraceContext } from '../../../base/ports/telemetry.ts';
import { ToolOutcome, type CallContext, type Tool } from '../../../base/ports/tool.ts';
import { isCallQuarantined } from '../../kernel/deadlines.ts';
import { askedBy } from '../../kernel/projection/thread.ts';
import { isUndoneLate, standsLate } from '../../kernel/projection/writes.ts';
import { orchestratorActor } from '../../kernel/statement.ts';
import type { TaskView } from '../../kernel/view.ts';
import { approvalsOf } from '../approvals.ts';
import { emitCallbackFailed } from '../events.ts';
import { ApprovalSpent } from '../journal.ts';
import { Held } from '../quotas.ts';
import { isSameAs } from '../keyed.ts';
import type { Task } from '../task.ts';
import { workOn } from '../tracing.ts';
import { WorkAbort, withHostSignal, type WorkSignal } from '../work-signal.ts';
import { actingOf, isOver, leaseOver, quarantine } from './acting.ts';
import { unlessTooMany } from './attempts.ts';
import { clear, contractFault, mayBegin, refuseCall } from './clearance.ts';
import { leaveToCaller } from './caller.ts';
import { delegate } from './delegate.ts';
import { recoveryIn, resolutionFor, type Doubtful } from './doubt.ts';
import { untilUndone } from './late-writes.ts';
import { conclude, fail, isCurrent, succeed } from './outcome.ts';
import type { Run } from './performer.ts';
import { isClosing, type Performer, type RunPorts } from './performer.ts';
import { senderFor } from './tool-messages.ts';

const questionPayload = ({ projection }: TaskView, answer: UpFeedback): CallContext['asked'] =>
  ownCopy(askedBy(projection, messageIdOf(answer))?.message.payload ?? null);

const contextFor = (run: Run, at: TraceContext): CallContext => {
  const { task, call, of, signal } = run;
  const resumed = task.view.projection.resumed[call.id];
  const context = {
    key: call.digest,
    call: call.id,
    attempt: of.attempt,
    requestId: of.request,
    traceId: task.view.projection.traceId,
    ...at,
    ...actingOf(run.environment, task.taskId, signal),
    answer: ownCopy(resumed?.answer ?? null),
    asked: resumed?.answer ? questionPayload(task.view, resumed.answer) : null,
    met: ownCopy(resumed?.met ?? null),
    send: senderFor(run),
    notYet: (wait) => new ToolOutcome('notYet', wait),
    needsHuman: (need) => new ToolOutcome('needsHuman', need),
    evidence: (evidence) => new ToolOutcome('evidence', { explanation: '', evidence }),
    notDone: (explanation) => new ToolOutcome('notDone', { explanation }),
  } satisfies Omit<CallContext, 'signal'>;
  return withHostSignal(context, signal, run.tool.stops === true ? task.cancelled : task.urgently);
};

/** Why a call is not made whose key was used by a write that landed late and was undone. */
const usedKey = 'it happened under this key before and was undone, so that its tool would not make it again';

/** Why a call is not made whose write landed late and stands. */
const stands = 'it happened under this key before and was not undone, so that it would happen twice';

/** Whether a call or its rollback would do nothing, because a late write used their keys. */
const isKeyUsed = ({ task, tool, call }: Run): boolean =>
  [tool.doubt, tool.rollback?.doubt].includes('idempotent') &&
  isUndoneLate(task.view.projection, call.digest);

/** Makes a call. A call that is made again may have happened before. */
const performCall = async (prepared: Run, isAgain = false): Promise<void> => {
  const { task, tool, call, of, signal } = prepared;
  const isTask = tool.child !== undefined; // the duty ends as soon as the call waits, but the call goes on
  const until = isTask ? new WorkAbort() : signal;
  const span = task.tracing.span(workOn('tool', call, tool.tier, of.attempt), until);
  const run: Run = { ...prepared, span };
  if (standsLate(task.view.projection, call.digest))
    return void (await fail(run, stands, true, 'ROLLBACK_REQUIRED'));
  if (isTask) return delegate(run, tool.child).finally(() => span.end('waiting')); // no effect if it has ended
  if (isOver(run.environment, task.taskId)) return void (await fail(run, leaseOver, !isAgain));
  if (isKeyUsed(run)) return void (await fail(run, usedKey, true));
  if (call.performs !== undefined) return leaveToCaller(run).finally(() => span.end('waiting'));
  let result: unknown;
  try {
    result = await span.run(() =>
      tool.call(withDates(call.arguments, call.dates ?? []), contextFor(run, span.at)),
    );
  } catch (error) {
    // on close the outcome is unknown: the open intent is resolved after a restart
    if (isClosing(signal)) return;
    if (!signal.aborted)
      emitCallbackFailed(run.environment, task, `tool ${JSON.stringify(tool.name)}`, 'TOOL_FAILED', error);
    const isKnown = tool.tier === 'read_only' || signal.aborted; // an aborted call is resolved when it is next looked at
    if (isKnown || !(await resolveDoubt(run))) await fail(run, causeOf(error), false);
    return;
  }
  await (result instanceof ToolOutcome ? conclude(run, result) : succeed(run, result));
};

const runOf = (task: Task, environment: RunPorts, id: string, signal: WorkSignal): Run | undefined => {
  const call = task.view.projection.calls[id];
  const tool = call === undefined ? undefined : environment.tools.get(call.tool);
  const { request, attempt } = task.view.context;
  return call === undefined || tool === undefined
    ? undefined
    : { task, environment, tool, call, of: { request, attempt, call: id }, signal };
};

/** Records the intent and uses up its approvals, in one step. Returns what it is held by, unless it was recorded or refused, or its caller left. */
const recordIntent = async (run: Run): Promise<boolean | Held> => {
  const { task, call, of, environment } = run;
  const consumedApprovals = approvalsOf(run).map(({ jti }) => ({ jti, action: call.digest }));
  try {
    const statement = { actor: task.view.agent, consumedApprovals };
    const fact = { type: 'call.started', ...of, digest: call.digest } as const;
    return await task.submitWithRetry(fact, statement, () => isPerformed(task, environment, call));
  } catch (error) {
    if (error instanceof Held) {
      const { obstacle, message: explanation } = error;
      const isSpent = obstacle !== null && 'full' in obstacle && obstacle.full.window !== '';
      if (!isSpent) return error;
      await refuseCall(run, { code: 'POLICY_CHANGED', explanation });
      return false;
    }
    if (!(error instanceof ApprovalSpent)) throw error;
    await refuseCall(run, {
      code: 'APPROVAL_SPENT',
      explanation: 'its approval was used for another action',
    });
    return false;
  }
};

/** Reports a cleared call without its tool as an error, once a process; the call waits for its deadline. */
const reportMissing = (task: Task, { emit }: RunPorts, id: string): void => {
  const tool = task.view.projection.calls[id]?.tool ?? id;
  const message = `a call of tool ${JSON.stringify(tool)} is cleared, and no such tool is here: expected it among the tools of this orchestrator before the deadline \`start\` passes`;
  emit('error', {
    taskId: task.taskId,
    error: new CharterError('not_found', message, { kind: 'tool', id: tool, known: [] }),
  });
};

/** Returns whether somebody is here to perform a call: this process, or the caller that claims it. */
const isPerformed = ({ taskId }: Task, { callers }: Pick<RunPorts, 'callers'>, call: CallDocument): boolean =>
  call.performs === undefined || callers.isClaimed(taskId, call);

/** Waits until somebody is here to perform a call. Returns `false` if it is no longer due. */
const isHere = async (
  task: Task,
  environment: RunPorts,
  id: string,
  signal: WorkSignal,
): Promise<boolean> => {
  const call = task.view.projection.calls[id];
  if (call?.performs === undefined) return true;
  return environment.callers.claimed(task.taskId, call, signal);
};

const deadlineOf = ({ taskClass }: Task, tool: Tool | undefined): number =>
  tool?.deadline ?? taskClass.deadlines.call;

/** Waits until the call of an earlier holder can no longer take effect. */
const quarantineCall = (task: Task, id: string, environment: RunPorts, signal: WorkSignal): Promise<void> => {
  const tool = environment.tools.get(task.view.projection.calls[id]?.tool ?? '');
  if (!isCallQuarantined(tool)) return Promise.resolve();
  return quarantine(environment, task.taskId, deadlineOf(task, tool), signal);
};

/** Waits until nothing earlier of this action is under way: a late write that is undone, or a call that a recovery made again. */
const untilAlone = async (
  task: Task,
  id: string,
  environment: RunPorts,
  signal: WorkSignal,
): Promise<void> => {
  const digest = task.view.projection.calls[id]?.digest ?? '';
  const { recoveries } = task.view.context;
  if (Object.hasOwn(recoveries, recoveryKey('call', digest)))
    await quarantineCall(task, id, environment, signal);
  await untilUndone(task, digest, environment, signal);
};

/** Performs a call: takes a slot, checks the clearance, records the intent, calls the tool, records the outcome. */
export const call: Performer<'call', RunPorts> = async (task, { call: id }, environment, signal) => {
  const { pauses } = environment;
  const of = { of: 'start', id } as const;
  while (await isHere(task, environment, id, signal)) {
    await untilAlone(task, id, environment, signal);
    const held = await environment.slots(async () => {
      const run = runOf(task, environment, id, signal);
      if (run === undefined) return reportMissing(task, environment, id);
      if (!(await clear(run))) return;
      const intent = await recordIntent(run);
      if (intent instanceof Held) return intent;
      if (intent) await performCall(run).finally(pauses.freed);
      return undefined;
    }, signal);
    const call = task.view.projection.calls[id];
    if (held === undefined && (call === undefined || isPerformed(task, environment, call))) return;
    if (held === undefined) continue;
    await pauses.waitFor(task, of, held.regulated, signal);
  }
};

/** Returns whether the task class is unchanged since the task began; otherwise a person resolves doubts. */
const isUnchanged = ({ context, taskClass }: TaskView): boolean =>
  isSameAs(context.taskClass, taskClass.contract);

/** Whether a call may be made again: its run goes on, under the task class that it began with, and no person rejected it. */
const isRepeatable = (view: TaskView, call: string): boolean =>
  isUnchanged(view) &&
  view.context.calls[call]?.code !== 'HUMAN_REJECTED' &&
  view.context.reasons.length === 0 &&
  !view.snapshot.hasTag('undoing');

/** Resolves a call in doubt as its tool declares; returns `false` if it stays in doubt. */
const resolveDoubt = async (run: Run): Promise<boolean> => {
  const { task, environment, tool, call, of, signal } = run;
  if ((await contractFault(run)) !== null) return false; // a changed tool cannot know what the old one did
  const effect: Doubtful = {
    key: call.digest,
    tool: tool.name,
    doubt: call.performs !== undefined && tool.doubt === 'idempotent' ? 'unsafe' : tool.doubt, // only its caller repeats it
    lookup: tool.lookup && unlessTooMany(environment, task, 'its effect was looked up', tool.lookup),
    context: { requestId: of.request, signal, ...actingOf(environment, task.taskId, signal) },
    onLookupFailed: (error) =>
      emitCallbackFailed(environment, task, `lookup of tool ${JSON.stringify(tool.name)}`, null, error),
    mayRepeat: async () => isRepeatable(task.view, call.id) && (await mayBegin(run)),
    mayAdopt: () => !isUndoneLate(task.view.projection, call.digest),
    isStillValid: (resolution) => {
      const mayGoOn = isRepeatable(task.view, call.id);
      if (resolution === 'repeated') return mayGoOn && !signal.aborted;
      // a question is open about it, whose own look-up may still repeat it
      if (resolution === 'closed' && mayGoOn && signal.aborted) return false;
      return isCurrent(run)();
    },
    ...recoveryIn(task, { request: of.request, effect: 'call', digest: call.digest }),
  };
  const resolution = await resolutionFor(effect);
  switch (resolution.is) {
    case 'repeated':
      await performCall(run, true);
      return true;
    case 'adopted':
      await succeed(run, resolution.result);
      return true;
    case 'closed':
      await fail(run, 'it had not happened', true);
      return true;
    case 'left':
      return false;
  }
};

/** Resolves an intent of another process, whose outcome is unknown here. */
export const observe: Performer<'observe', RunPorts> = async (task, { call: id }, environment, signal) => {
  const { pauses, quotas } = environment;
  const subjects = quotas.subjects(task.view, task.view.projection.calls[id] ?? null);
  await pauses.wait(task, { of: 'call', id }, subjects, signal); // it may be made again
  await quarantineCall(task, id, environment, signal);
  const left = await environment.slots(async () => {
    const run = runOf(task, environment, id, signal);
    if (run === undefined || task.view.context.calls[id]?.status !== 'started') return null;
    if (run.call.performs === undefined && run.tool.child === undefined)
      return (await resolveDoubt(run)) ? null : run;
    await performCall(run); // had it begun, the call would wait for it
    return null;
  }, signal);
  if (left === null) return;
  // a person who is asked sees what is final, also of a call that could have been repeated at once
  await quarantine(environment, task.taskId, deadlineOf(task, left.tool), signal);
  const code: ReasonCode = 'EFFECT_IN_DOUBT';
  const statement = { actor: orchestratorActor };
  await task.submitWithRetry({ type: 'call.doubted', ...left.of, code }, statement, isCurrent(left));
};

/** Resolves the subject of a doubt question, if its tool can. */
export const resolve: Performer<'ask', RunPorts> = async (task, { question }, environment, signal) => {
  const about = task.view.context.questions[question]?.about ?? '';
  await quarantineCall(task, about, environment, signal);
  await environment.slots(async () => {
    const run = runOf(task, environment, about, signal);
    if (run !== undefined) await resolveDoubt(run);
  }, signal);
};
