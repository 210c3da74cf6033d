import { ownCopy } from '../../../base/canonical/deep-freeze.ts';
import { causeOf } from '../../../base/errors.ts';
import type { RecordPayload, CallDocument } from '../../../base/ports/ledger.ts';
import { isRollbackQuarantined, isUndoneInTasks, timeToUndo } from '../../kernel/deadlines.ts';
import { mayRollBackLate, type LateWrite } from '../../kernel/projection/writes.ts';
import { isUndoneByHand, isUndoneByLedger, rollbackKey } from '../../kernel/view.ts';
import { emitCallbackFailed } from '../events.ts';
import { shareWork } from '../share-work.ts';
import { inTime } from '../slots.ts';
import type { Task } from '../task.ts';
import { workOn } from '../tracing.ts';
import { WorkAbort, withHostSignal, type WorkSignal } from '../work-signal.ts';
import { actingOf, isOver, isRenewed, leaseOver, quarantine } from './acting.ts';
import { unlessTooMany } from './attempts.ts';
import { undoChild, undoExplanation, type Undoing } from './undo-child.ts';
import { lateRecoveryIn, recoveryIn, resolutionFor } from './doubt.ts';
import { isClosing, performerOf, type Performer, type RollbackPorts } from './performer.ts';

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
export const resolveRollback = async (undoing: Undoing, why: string): Promise<string | null> => {
  const { task, environment, tool, call, requestId, signal } = undoing;
  const elsewhere = undoneElsewhere(undoing);
  if (elsewhere !== null) return elsewhere;
  const { doubt = 'unsafe', lookup = null } = tool?.rollback ?? {};
  if (tool === undefined || call === undefined) return why;
  const { digest } = call;
  const recovery = undoing.isLate
    ? lateRecoveryIn(task, { request: requestId, digest })
    : recoveryIn(task, { request: requestId, effect: 'rollback', digest });
  const effect = {
    ...recovery,
    key: rollbackKey(call.digest),
    tool: tool.name,
    doubt,
    lookup: lookup && unlessTooMany(environment, task, 'its rollback was looked up', lookup),
    context: { requestId, signal, ...actingOf(environment, task.taskId, signal) },
    mayRepeat: () => Promise.resolve(true),
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
  const { is } = await resolutionFor(effect);
  if (is === 'adopted') return null;
  return is === 'repeated' && !signal.aborted ? runRollback(undoing) : why;
};

/** Runs a rollback; returns why it failed, or `null`. */
export const runRollback = async (undoing: Undoing): Promise<string | null> => {
  const elsewhere = undoneElsewhere(undoing);
  if (elsewhere !== null) return elsewhere;
  try {
    await runOnce(undoing);
    return null;
  } catch (error) {
    if (undoing.signal.aborted) return causeOf(error); // the duty was aborted
    return resolveRollback(undoing, causeOf(error));
  }
};

/** The explanation of a rollback that began before a crash and has no known outcome. */
export const unknownRollback = 'it began, and whether it ended is not known';

/** Waits until the rollback of an earlier holder can no longer take effect. */
const quarantineRollback = (
  task: Task,
  call: CallDocument | undefined,
  environment: RollbackPorts,
  signal: WorkSignal,
): Promise<void> => {
  const tool = environment.tools.get(call?.tool ?? '');
  if (!isRollbackQuarantined(tool, call)) return Promise.resolve();
  return quarantine(environment, task.taskId, task.taskClass.deadlines.rollback, signal);
};

/** Rolls back one write: records the intent, runs the declared rollback, records the outcome (UAICP 5.3). */
export const undo: Performer<'undo', RollbackPorts> = (task, { digest }, environment, signal) => {
  const call = Object.values(task.view.projection.calls).find((one) => one.digest === digest);
  const work = async (): Promise<void> => {
    const { request, effects } = task.view.context;
    const tool = environment.tools.get(call?.tool ?? '');
    const actor = performerOf(task, call);
    const isCommitted = effects.some((one) => one.digest === digest && one.status === 'committed');
    const undoing = { task, tool, call, environment, requestId: request, isLate: false, signal };
    const explanationText = undoExplanation(task, tool, digest);
    const statement = {
      actor,
      ...(explanationText !== undefined && { brought: { explanation: explanationText } }),
    };
    if (
      isCommitted &&
      !(await task.submitWithRetry({ type: 'rollback.started', request, digest }, statement))
    )
      return;
    if (!isCommitted) await quarantineRollback(task, call, environment, signal);
    const explanation = await (isCommitted
      ? runRollback(undoing)
      : resolveRollback(undoing, unknownRollback));
    if (explanation !== null && isClosing(signal)) return; // its outcome is unknown: it is due again
    await (explanation === null
      ? task.submitWithRetry({ type: 'rollback.succeeded', request, digest }, { actor })
      : task.submitWithRetry(
          { type: 'rollback.failed', request, digest },
          { actor, brought: { explanation } },
        ));
  };
  // without a slot: a caller or a person may take days
  if (call?.performs !== undefined) return environment.callers.recording(call, work());
  return isUndoneByHand(call) ? work() : environment.slots(work, signal);
};

type Rollback = (undoing: Undoing) => Promise<string | null>;

/** Runs a rollback with its timeout, unless other tasks make it, which have their own. */
const withTimeout = async (undoing: Omit<Undoing, 'signal'>, rollback: Rollback): Promise<string | null> => {
  const { task, tool, environment } = undoing;
  const abort = new WorkAbort();
  const work = (): Promise<string | null> => rollback({ ...undoing, signal: abort });
  if (isUndoneInTasks(tool, undoing.call)) return work();
  try {
    return await inTime(environment.clock, timeToUndo(task.taskClass, undoing.call), work());
  } catch (error) {
    abort.abort(error);
    return causeOf(error);
  }
};

/** Rolls back a late write, and records the outcome. */
const rollBackAndRecord = async (
  task: Task,
  { request, digest, call }: LateWrite,
  environment: RollbackPorts,
  rollback: Rollback,
): Promise<void> => {
  const tool = environment.tools.get(call?.tool ?? '');
  const explanation = await withTimeout(
    { task, tool, call, environment, requestId: request, isLate: true },
    rollback,
  );
  const actor = performerOf(task, call);
  const recorded =
    explanation === null
      ? task.recordOrphan({ type: 'rollback.succeeded', request, digest }, { actor })
      : task.recordOrphan({ type: 'rollback.failed', request, digest }, { actor, brought: { explanation } });
  await environment.callers.recording(call, recorded);
};

const rollBackOnce = async (
  task: Task,
  late: LateWrite,
  environment: RollbackPorts,
  because: string | undefined,
): Promise<void> => {
  const { request, digest, call, status } = late;
  if (status === 'undoing') {
    const fence = environment.holds.fenceOf(task.taskId);
    await quarantineRollback(task, call, environment, new WorkAbort());
    if (environment.holds.fenceOf(task.taskId) !== fence || isOver(environment, task.taskId)) return; // another process does it
    return rollBackAndRecord(task, late, environment, (undoing) => resolveRollback(undoing, unknownRollback));
  }
  const explanationText = because ?? undoExplanation(task, environment.tools.get(call?.tool ?? ''), digest);
  const brought: RecordPayload = {
    ...(call !== undefined && { calls: [call] }), // its request may be over
    ...(explanationText !== undefined && { explanation: explanationText }),
  };
  const isFirst = await task.recordOrphan(
    { type: 'rollback.started', request, digest },
    { actor: performerOf(task, call), brought },
    () => mayRollBackLate(task.view.projection, digest),
  );
  if (isFirst) await rollBackAndRecord(task, late, environment, runRollback);
};

/** The late rollbacks under way of each task: loading it and undoing it for its parent may begin the same. */
const underWay = new WeakMap<Task, Map<string, Promise<void>>>();

/** Rolls back a write outside its run. Intent and outcome are orphan records (UAICP 5.3). */
export const rollBackLate = (
  task: Task,
  late: LateWrite,
  environment: RollbackPorts,
  because?: string,
): Promise<void> => {
  const ofTask = underWay.get(task) ?? new Map<string, Promise<void>>();
  underWay.set(task, ofTask);
  return shareWork(ofTask, late.digest, () => rollBackOnce(task, late, environment, because));
};
