import type { Acting } from '../../../base/ports/tool.ts';
import type { Environment } from '../environment.ts';
import type { WorkSignal } from '../work-signal.ts';

/** Returns the hold of a task for host code, as it is now: `mayAct` does not answer for a later hold. */
export const actingOf = (
  { holds }: Pick<Environment, 'holds'>,
  taskId: string,
  signal: WorkSignal,
): Acting => {
  const fence = holds.fenceOf(taskId);
  return {
    fence,
    mayAct: () =>
      !signal.aborted && (fence === null || (holds.fenceOf(taskId) === fence && holds.mayAct(taskId))),
  };
};

/** The explanation of an effect that its process was too slow to make. */
export const leaseOver = 'the lease of the task had passed before it was made';

/** Returns whether a task is held here and its lease may have passed, so that another process may perform it. */
export const isOver = ({ holds }: Pick<Environment, 'holds'>, taskId: string): boolean =>
  holds.fenceOf(taskId) !== null && !holds.mayAct(taskId);

/** Milliseconds between two looks whether a lease was renewed. */
const pause = 20;

/** Waits while the lease of a task may have passed, until it is renewed or lost. Returns whether the task is held as before. */
export const isRenewed = async (
  environment: Pick<Environment, 'holds' | 'clock'>,
  taskId: string,
  signal: WorkSignal,
): Promise<boolean> => {
  const { holds, clock } = environment;
  const fence = holds.fenceOf(taskId);
  while (!signal.aborted && isOver(environment, taskId))
    await new Promise<void>((resolve) => void clock.wakeAfter(pause, resolve));
  return !signal.aborted && holds.fenceOf(taskId) === fence;
};

/**
 * Waits until an effect that an earlier holder began, with this deadline in milliseconds, can no longer happen. An effect
 * without a deadline is not waited for. Throws the reason of the signal.
 */
export const quarantine = async (
  { holds, clock }: Pick<Environment, 'holds' | 'clock'>,
  taskId: string,
  deadline: number,
  signal: WorkSignal,
): Promise<void> => {
  const left = Number.isFinite(deadline) ? holds.quarantineOf(taskId, deadline) : 0;
  if (left === 0) return;
  await new Promise<void>((resolve) => {
    const stop = clock.wakeAfter(left, resolve);
    signal.onAbort(() => {
      stop();
      resolve();
    });
  });
  signal.throwIfAborted();
};
