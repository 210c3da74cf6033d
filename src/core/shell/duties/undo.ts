import { ownCopy } from '../../../base/canonical/deep-freeze.ts';
import { causeOf } from '../../../base/errors.ts';
import type { CallDocument, RecordPayload } from '../../../base/ports/ledger.ts';
import { isRollbackQuarantined, isUndoneInTasks, timeToUndo } from '../../kernel/deadlines.ts';
import { mayRollBackLate, type LateWrite } from '../../kernel/projection/writes.ts';
import { isUndoneByHand, isUndoneByLedger, rollbackKey } from '../../kernel/view.ts';
import { emitCallbackFailed } from '../events.ts';
import { shareWork } from '../share-work.ts';
import { inTime } from '../slots.ts';
import { stated, statedLate, type LiveTask, type Stating } from '../live-task.ts';
import { workOn } from '../tracing.ts';
import { WorkAbort, withHostSignal } from '../work-signal.ts';
import { actingOf, isOver, isRenewed, leaseOver, quarantine } from './acting.ts';
import { unlessTooMany } from './attempts.ts';
import { undoChild, undoExplanation, type Undoing } from './undo-child.ts';
import { lateRecoveryIn, recoveryIn, resolutionFor } from './doubt.ts';
import {
  inSlot,
  isClosing,
  isEnding,
  performerOf,
  type Performer,
  type Ports,
  type Work,
} from './performer.ts';

/** Work that returns why a write is not undone, or `null`. */
type Rollback = Stating<string | null>;

/** Runs the declared rollback of a call once, and throws its error. */
const runOnce = async ({ task, environment, tool, call, requestId, signal }: Undoing): Promise<void> => {
  const action = call?.rollback;
  const rollback = tool?.rollback;
  if (!action || !rollback) throw new TypeError('its rollback is not declared');
  if (!(await isRenewed(environment, task.taskId, signal))) throw new Error(leaseOver);
  const { attempt } = task.view.context;
  const span = task.tracing.span(workOn('rollback', call, tool.tier, attempt), signal);
  try {
    await span.run(() =>
      rollback.run(
        ownCopy(action),
        withHostSignal(
          {
            key: rollbackKey(call.digest),
            requestId,
            ...span.at,
            ...actingOf(environment, task.taskId, signal),
          },
          signal,
        ),
      ),
    );
    span.end('succeeded');
  } catch (error) {
    span.end('failed');
    throw error;
  }
};

/** Undoes what is not undone here: a child records what is already undone, a person is asked, the caller of a write knows. `null` for any other. */
const undoneElsewhere = (undoing: Undoing): Promise<string | null> | null => {
  const { task, environment, tool, call, signal } = undoing;
  if (isUndoneByLedger(tool)) return undoChild(undoing);
  if (call !== undefined && isUndoneByHand(call)) return environment.byHand.undone(task, call, signal);
  return call?.performs === undefined ? null : environment.callers.undone(task.taskId, call, signal);
};

/** Resolves a rollback in doubt as it declares; returns why it stays in doubt, or `null` if it is done. */
async function* resolveRollback(undoing: Undoing, why: string): Rollback {
  const { task, environment, tool, call, digest, requestId, signal } = undoing;
  const elsewhere = undoneElsewhere(undoing);
  if (elsewhere !== null) return await elsewhere;
  const { doubt = 'unsafe', lookup = null } = tool?.rollback ?? {};
  if (tool === undefined || call === undefined) return why;
  const recovery = undoing.isLate
    ? lateRecoveryIn(task, { request: requestId, digest })
    : recoveryIn(task, { request: requestId, effect: 'rollback', digest });
  const effect = {
    ...recovery,
    key: rollbackKey(digest),
    tool: tool.name,
    doubt,
    lookup: lookup && unlessTooMany(undoing, 'its rollback was looked up', lookup),
    context: { requestId, signal, ...actingOf(environment, task.taskId, signal) },
    mayRepeat: null,
    mayAdopt: () => true,
    isStillValid: () => true,
    onLookupFailed: (error: unknown) =>
      emitCallbackFailed(
        environment,
        task,
        `rollback lookup of tool ${JSON.stringify(tool.name)}`,
        null,
        error,
      ),
  };
  const { is } = yield* resolutionFor(effect);
  if (is === 'adopted') return null;
  return is === 'repeated' && !signal.aborted ? yield* runRollback(undoing) : why;
}

/** Runs a rollback; returns why it failed, or `null`. */
async function* runRollback(undoing: Undoing): Rollback {
  const elsewhere = undoneElsewhere(undoing);
  if (elsewhere !== null) return await elsewhere;
  try {
    await runOnce(undoing);
    return null;
  } catch (error) {
    if (undoing.signal.aborted) return causeOf(error); // the duty was aborted
    return yield* resolveRollback(undoing, causeOf(error));
  }
}

/** The explanation of a rollback that began before a crash and has no known outcome. */
const unknownRollback = 'it began, and whether it ended is not known';

const rollbackOf = (undoing: Undoing, isBegun: boolean): Rollback =>
  isBegun ? resolveRollback(undoing, unknownRollback) : runRollback(undoing);

/** Makes a late rollback within its timeout: no deadline of the chart runs for it. What other tasks do has theirs. */
const inItsTime = async (undoing: Undoing, isBegun: boolean): Promise<string | null> => {
  const { task, tool, call, environment } = undoing;
  const abort = new WorkAbort();
  const work = task.carryOut(rollbackOf({ ...undoing, signal: abort }, isBegun));
  if (isUndoneInTasks(tool, call)) return work;
  try {
    return await inTime(environment.clock, timeToUndo(task.taskClass, call), work);
  } catch (error) {
    if (isEnding(error)) throw error; // another process undoes it, or the next one
    abort.abort(error);
    return causeOf(error);
  }
};

/** Waits until the rollback of an earlier holder can no longer take effect. Returns whether the task is still held as before. */
const isOursAfterQuarantine = async ({
  task,
  environment,
  tool,
  call,
  signal,
}: Undoing): Promise<boolean> => {
  const fence = environment.holds.fenceOf(task.taskId);
  if (isRollbackQuarantined(tool, call))
    await quarantine(environment, task.taskId, task.taskClass.deadlines.rollback, signal);
  return environment.holds.fenceOf(task.taskId) === fence && !isOver(environment, task.taskId);
};

/** Rolls back a write: states the intent unless it is on record, runs the declared rollback, states the outcome (UAICP 5.3). */
async function* rollBack(undoing: Undoing, isBegun: boolean, because = undoExplanation(undoing)): Stating {
  const { task, call, requestId: request, digest, isLate, signal } = undoing;
  const states = isLate ? statedLate : stated;
  const actor = performerOf(task, call);
  if (isBegun) {
    if (!(await isOursAfterQuarantine(undoing)) && isLate) return; // another process does it
  } else {
    const brought: RecordPayload = {
      ...(isLate && call && { calls: [call] }), // its request may be over
      ...(because !== undefined && { explanation: because }),
    };
    const isDue = (): boolean => !isLate || mayRollBackLate(task.view.projection, digest);
    const started = states({ type: 'rollback.started', request, digest }, { actor, brought }, isDue);
    if (!(yield started)) return;
  }
  const explanation = isLate ? await inItsTime(undoing, isBegun) : yield* rollbackOf(undoing, isBegun);
  if (explanation !== null && isClosing(signal)) return; // its outcome is unknown: it is due again
  yield explanation === null
    ? states({ type: 'rollback.succeeded', request, digest }, { actor })
    : states({ type: 'rollback.failed', request, digest }, { actor, brought: { explanation } });
}

async function* rollBackInRun(work: Work, call: CallDocument | undefined, digest: string): Stating {
  const { request: requestId, effects } = work.task.view.context;
  const tool = work.environment.tools.get(call?.tool ?? '');
  const isBegun = effects.every((one) => one.digest !== digest || one.status !== 'committed');
  yield* rollBack({ ...work, tool, call, digest, requestId, isLate: false }, isBegun);
}

/** Rolls back one write of the run. */
export const undo: Performer<'undo'> = async function* (work, { digest }) {
  const { task, environment } = work;
  const call = Object.values(task.view.projection.calls).find((one) => one.digest === digest);
  const undone = rollBackInRun(work, call, digest);
  // without a slot: a caller or a person may take days
  if (call?.performs !== undefined) await environment.callers.recording(call, task.carryOut(undone));
  else yield* isUndoneByHand(call) ? undone : inSlot(work, undone);
};

/** The late rollbacks under way of each task: loading it and undoing it for its parent may begin the same. */
const underWay = new WeakMap<LiveTask, Map<string, Promise<void>>>();

/** Rolls back a write outside its run. Intent and outcome are orphan records (UAICP 5.3). */
export const rollBackLate = (
  task: LiveTask,
  { request, digest, call, status }: LateWrite,
  environment: Ports,
  because?: string,
): Promise<void> => {
  const ofTask = underWay.get(task) ?? new Map<string, Promise<void>>();
  underWay.set(task, ofTask);
  const signal = new WorkAbort();
  const tool = environment.tools.get(call?.tool ?? '');
  const undoing = { task, environment, signal, tool, call, digest, requestId: request, isLate: true };
  return shareWork(ofTask, digest, () => {
    const work = task.carryOut(rollBack(undoing, status === 'undoing', because));
    return environment.callers.recording(call, work);
  });
};
