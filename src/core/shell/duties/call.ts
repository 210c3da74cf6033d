import { recoveryKey } from '../../../../machines/facts/recovery.ts';
import type { ReasonCode } from '../../../../schema/index.ts';
import { withDates } from '../../../base/define/dates.ts';
import { causeOf, CharterError } from '../../../base/errors.ts';
import type { CallDocument } from '../../../base/ports/ledger.ts';
import { ToolOutcome, type Tool } from '../../../base/ports/tool.ts';
import { isCallQuarantined } from '../../kernel/deadlines.ts';
import { isUndoneLate, standsLate } from '../../kernel/projection/writes.ts';
import { orchestratorActor } from '../../kernel/statement.ts';
import type { TaskView } from '../../kernel/view.ts';
import { approvalsOf } from '../approvals.ts';
import { emitCallbackFailed } from '../events.ts';
import { ApprovalSpent } from '../journal.ts';
import { Held } from '../quotas.ts';
import { isSameAs } from '../keyed.ts';
import { stated, type LiveTask, type Stating } from '../live-task.ts';
import { workOn } from '../tracing.ts';
import { WorkAbort } from '../work-signal.ts';
import { actingOf, isOver, leaseOver, quarantine } from './acting.ts';
import { unlessTooMany } from './attempts.ts';
import { contextFor } from './call-context.ts';
import { callRefused, clear, contractFault, mayBegin } from './clearance.ts';
import { leftToCaller } from './caller.ts';
import { delegate } from './delegate.ts';
import { recoveryIn, resolutionFor, type Doubtful } from './doubt.ts';
import { untilUndone } from './late-writes.ts';
import { conclude, fail, isCurrent, succeed } from './outcome.ts';
import { inSlot, isClosing, type Performer, type CallRun, type Work } from './performer.ts';

/** Why a call is not made whose key was used by a write that landed late and was undone. */
const usedKey = 'it happened under this key before and was undone, so that its tool would not make it again';

/** Why a call is not made whose write landed late and stands. */
const stands = 'it happened under this key before and was not undone, so that it would happen twice';

/** Whether a call or its rollback would do nothing, because a late write used their keys. */
const isKeyUsed = ({ task, tool, call }: CallRun): boolean =>
  [tool.doubt, tool.rollback?.doubt].includes('idempotent') &&
  isUndoneLate(task.view.projection, call.digest);

/** Makes a call. A call that is made again may have happened before. */
async function* make(prepared: CallRun, isAgain = false): Stating {
  const { task, tool, call, of, signal } = prepared;
  const isTask = tool.child !== undefined; // the duty ends as soon as the call waits, but the call goes on
  const until = isTask ? new WorkAbort() : signal;
  const span = task.tracing.span(workOn('tool', call, tool.tier, of.attempt), until);
  const run: CallRun = { ...prepared, span };
  if (standsLate(task.view.projection, call.digest))
    return void (yield* fail(run, stands, true, 'ROLLBACK_REQUIRED'));
  if (isTask)
    try {
      return yield* delegate(run, tool.child);
    } finally {
      span.end('waiting'); // no effect if it has ended
    }
  if (isOver(run.environment, task.taskId)) return void (yield* fail(run, leaseOver, !isAgain));
  if (isKeyUsed(run)) return void (yield* fail(run, usedKey, true));
  if (call.performs !== undefined)
    try {
      yield leftToCaller(run);
      return;
    } finally {
      span.end('waiting');
    }
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
    if (isKnown || !(yield* resolveDoubt(run))) yield* fail(run, causeOf(error), false);
    return;
  }
  yield* result instanceof ToolOutcome ? conclude(run, result) : succeed(run, result);
}

const callRunOf = (work: Work, id: string): CallRun | undefined => {
  const { task, environment } = work;
  const call = task.view.projection.calls[id];
  const tool = call === undefined ? undefined : environment.tools.get(call.tool);
  const { request, attempt } = task.view.context;
  return call === undefined || tool === undefined
    ? undefined
    : { ...work, tool, call, of: { request, attempt, call: id } };
};

/** States the intent and uses up its approvals, in one step. Returns what it is held by, unless it was recorded or refused, or its caller left. */
async function* start(run: CallRun): Stating<boolean | Held> {
  const { task, call, of } = run;
  const consumedApprovals = approvalsOf(run).map(({ jti }) => ({ jti, action: call.digest }));
  try {
    const statement = { actor: task.view.agent, consumedApprovals };
    const fact = { type: 'call.started', ...of, digest: call.digest } as const;
    return yield stated(fact, statement, () => isPerformed(run, call));
  } catch (error) {
    if (error instanceof Held) {
      const { obstacle, message: explanation } = error;
      const isSpent = obstacle !== null && 'full' in obstacle && obstacle.full.window !== '';
      if (!isSpent) return error;
      yield callRefused(run, { code: 'POLICY_CHANGED', explanation });
      return false;
    }
    if (!(error instanceof ApprovalSpent)) throw error;
    yield callRefused(run, {
      code: 'APPROVAL_SPENT',
      explanation: 'its approval was used for another action',
    });
    return false;
  }
}

/** Reports a cleared call without its tool as an error, once a process; the call waits for its deadline. */
const reportMissing = ({ task, environment }: Work, id: string): void => {
  const tool = task.view.projection.calls[id]?.tool ?? id;
  const message = `a call of tool ${JSON.stringify(tool)} is cleared, and no such tool is here: expected it among the tools of this orchestrator before the deadline \`start\` passes`;
  environment.emit('error', {
    taskId: task.taskId,
    error: new CharterError('not_found', message, { kind: 'tool', id: tool, known: [] }),
  });
};

/** Returns whether somebody is here to perform a call: this process, or the caller that claims it. */
const isPerformed = ({ task, environment }: Work, call: CallDocument): boolean =>
  call.performs === undefined || environment.callers.isClaimed(task.taskId, call);

/** Waits until somebody is here to perform a call. Returns `false` if it is no longer due. */
const isHere = async ({ task, environment, signal }: Work, id: string): Promise<boolean> => {
  const call = task.view.projection.calls[id];
  if (call?.performs === undefined) return true;
  return environment.callers.claimed(task.taskId, call, signal);
};

const deadlineOf = ({ taskClass }: LiveTask, tool: Tool | undefined): number =>
  tool?.deadline ?? taskClass.deadlines.call;

/** Waits until the call of an earlier holder can no longer take effect. */
const quarantineCall = ({ task, environment, signal }: Work, id: string): Promise<void> => {
  const tool = environment.tools.get(task.view.projection.calls[id]?.tool ?? '');
  if (!isCallQuarantined(tool)) return Promise.resolve();
  return quarantine(environment, task.taskId, deadlineOf(task, tool), signal);
};

/** Waits until nothing earlier of this action is under way: a late write that is undone, or a call that a recovery made again. */
const untilAlone = async (work: Work, id: string): Promise<void> => {
  const { task } = work;
  const digest = task.view.projection.calls[id]?.digest ?? '';
  const { recoveries } = task.view.context;
  if (Object.hasOwn(recoveries, recoveryKey('call', digest))) await quarantineCall(work, id);
  await untilUndone(work, digest);
};

/** Performs a call: checks the clearance, states the intent, calls the tool, states the outcome. Returns what it is held by. */
async function* performCall(work: Work, id: string): Stating<Held | undefined> {
  const run = callRunOf(work, id);
  if (run === undefined) {
    reportMissing(work, id);
    return undefined;
  }
  if (!(yield* clear(run))) return undefined;
  const intent = yield* start(run);
  if (intent instanceof Held) return intent;
  if (!intent) return undefined;
  try {
    yield* make(run);
  } finally {
    work.environment.pauses.freed();
  }
  return undefined;
}

/** Performs a call once somebody is here for it, and nothing holds it. */
export const call: Performer<'call'> = async function* (work, { call: id }) {
  const { task, environment, signal } = work;
  const of = { of: 'start', id } as const;
  while (await isHere(work, id)) {
    await untilAlone(work, id);
    const held = yield* inSlot(work, performCall(work, id));
    const call = task.view.projection.calls[id];
    if (held === undefined && (call === undefined || isPerformed(work, call))) return;
    if (held === undefined) continue;
    await environment.pauses.waitFor(task, of, held.regulated, signal);
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
async function* resolveDoubt(run: CallRun): Stating<boolean> {
  const { task, environment, tool, call, of, signal } = run;
  if ((await contractFault(run)) !== null) return false; // a changed tool cannot know what the old one did
  const effect: Doubtful = {
    key: call.digest,
    tool: tool.name,
    doubt: call.performs !== undefined && tool.doubt === 'idempotent' ? 'unsafe' : tool.doubt, // only its caller repeats it
    lookup: tool.lookup && unlessTooMany(run, 'its effect was looked up', tool.lookup),
    context: { requestId: of.request, signal, ...actingOf(environment, task.taskId, signal) },
    onLookupFailed: (error) =>
      emitCallbackFailed(environment, task, `lookup of tool ${JSON.stringify(tool.name)}`, null, error),
    mayRepeat: async function* () {
      return isRepeatable(task.view, call.id) && (yield* mayBegin(run));
    },
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
  const resolution = yield* resolutionFor(effect);
  switch (resolution.is) {
    case 'repeated':
      yield* make(run, true);
      return true;
    case 'adopted':
      yield* succeed(run, resolution.result);
      return true;
    case 'closed':
      yield* fail(run, 'it had not happened', true);
      return true;
    case 'left':
      return false;
  }
}

/** Resolves an intent whose outcome is not known here. Returns the call if it stays in doubt. */
async function* resolveIntent(work: Work, id: string): Stating<CallRun | null> {
  const run = callRunOf(work, id);
  if (run === undefined || work.task.view.context.calls[id]?.status !== 'started') return null;
  if (run.call.performs === undefined && run.tool.child === undefined)
    return (yield* resolveDoubt(run)) ? null : run;
  yield* make(run); // had it begun, the call would wait for it
  return null;
}

/** Resolves an intent of another process, whose outcome is unknown here. */
export const observe: Performer<'observe'> = async function* (work, { call: id }) {
  const { task, environment, signal } = work;
  const { pauses, quotas } = environment;
  const subjects = quotas.subjects(task.view, task.view.projection.calls[id] ?? null);
  await pauses.wait(task, { of: 'call', id }, subjects, signal); // it may be made again
  await quarantineCall(work, id);
  const left = yield* inSlot(work, resolveIntent(work, id));
  if (left === null) return;
  // a person who is asked sees what is final, also of a call that could have been repeated at once
  await quarantine(environment, task.taskId, deadlineOf(task, left.tool), signal);
  const code: ReasonCode = 'EFFECT_IN_DOUBT';
  const statement = { actor: orchestratorActor };
  yield stated({ type: 'call.doubted', ...left.of, code }, statement, isCurrent(left));
};

/** Resolves the subject of a doubt question, if its tool can. */
export const resolve: Performer<'ask'> = async function* (work, { question }) {
  const about = work.task.view.context.questions[question]?.about ?? '';
  await quarantineCall(work, about);
  const resolving = async function* (): Stating {
    const run = callRunOf(work, about);
    if (run !== undefined) yield* resolveDoubt(run);
  };
  yield* inSlot(work, resolving());
};
