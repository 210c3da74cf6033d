import type { Context } from '../../../../machines/index.ts';
import { isKnownEffect, lateWriteOf, type LateWrite } from '../../kernel/projection/writes.ts';
import { emitCallbackFailed } from '../events.ts';
import type { LiveTask } from '../live-task.ts';
import type { WorkSignal } from '../work-signal.ts';
import { isRenewed } from './acting.ts';
import { isEnding, type Ports, type CallRun, type Work } from './performer.ts';
import { rollBackLate } from './undo.ts';

/** Returns whether the run goes on, and whether this effect happened is asked or looked up. */
const isUnresolved = ({ calls, reasons }: Context, digest: string): boolean =>
  reasons.length === 0 &&
  Object.values(calls).some((call) => call.digest === digest && call.status === 'doubted');

/** Rolls back a late write. One that its caller undoes is not waited for: its caller may not be here. */
const rollBack = async (task: LiveTask, late: LateWrite, environment: Ports): Promise<void> => {
  const work = rollBackLate(task, late, environment);
  if (late.call?.performs === undefined) return work;
  work.catch((error: unknown) => {
    if (!isEnding(error)) environment.emit('error', { taskId: task.taskId, error });
  });
};

/** Reports that an unsafe write of which a result is on record has another: to roll it back could undo either. */
const reportTwice = ({ task, environment, tool, call }: CallRun): void => {
  const made = task.view.context.effects.find(({ digest }) => digest === call.digest)?.evidence ?? null;
  if (tool.doubt !== 'unsafe' || made === null || made.byPerson === true) return;
  const message = `its call succeeded after it was made again, because it was said not to have happened: unless its service takes key ${call.digest} once, it happened twice; undo one by hand`;
  emitCallbackFailed(environment, task, `tool ${JSON.stringify(tool.name)}`, 'EFFECT_IN_DOUBT', message);
};

/** Rolls back a write that finished after its run had aborted it; once, and never while its doubt is open. */
export const compensate = async (run: CallRun): Promise<void> => {
  const { task, environment, tool, call, of } = run;
  const { digest } = call;
  const { context, projection } = task.view;
  if (tool.tier === 'read_only') return;
  if (isKnownEffect(context, projection, digest)) return reportTwice(run);
  if (isUnresolved(context, digest)) return;
  await rollBack(task, lateWriteOf(of.request, digest, call), environment);
};

/** Returns whether a late write is rolled back now: no question is open about it, or its rollback began. */
const isDue = ({ view: { context } }: LiveTask, late: LateWrite): boolean =>
  late.status === 'undoing' || !isUnresolved(context, late.digest);

/** Rolls back the late writes about which no question is open: after a crash, or once a person has answered it. */
export const resumeLateRollbacks = async (task: LiveTask, environment: Ports): Promise<void> => {
  for (const late of task.view.projection.lateWrites)
    if (isDue(task, late)) await rollBack(task, late, environment);
};

/** Settles as work does; throws the reason of the signal if that aborts first. */
const unlessAborted = (work: Promise<void>, signal: WorkSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = signal.onAbort(() => reject(signal.reason));
    work.then(resolve, reject).finally(stop);
  });

/**
 * Waits until a late write of this action is undone, or cannot be: a call of the same action is not made beside its rollback.
 * Throws the reason of the signal.
 */
export const untilUndone = async ({ task, environment, signal }: Work, digest: string): Promise<void> => {
  for (;;) {
    const late = task.view.projection.lateWrites.find((one) => one.digest === digest);
    if (late === undefined || !isDue(task, late)) return;
    await unlessAborted(rollBackLate(task, late, environment), signal);
    if (!(await isRenewed(environment, task.taskId, signal))) return; // another process does it
  }
};
