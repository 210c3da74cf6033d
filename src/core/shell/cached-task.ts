import { CharterError } from '../../base/errors.ts';
import type { Store } from '../../base/ports/store.ts';
import { timesWork } from '../kernel/deadlines.ts';
import { intentsIn, isTurn, isUndoneByHand, type TaskView } from '../kernel/view.ts';
import type { Turns } from './environment.ts';
import { taskPruned } from './task-errors.ts';
import type { Task } from './task.ts';
import type { Worker } from './worker.ts';

/** A task in memory. */
export interface CachedTask {
  readonly task: Task;
  readonly worker: Worker;
  /** Whether this process performs it: it was loaded under a hold, which has this fence. */
  readonly isHeld: boolean;
  readonly fence: number | null;
  /** The number of current users. */
  uses: number;
  /** Whether another one took its place: it closes after its last use. */
  isDetached: boolean;
}

/** Returns whether nothing is in flight for a task, and no work of it is timed. */
export const isAtRest = ({ task, worker, uses }: CachedTask): boolean =>
  uses === 0 && worker.isIdle && task.isIdle && !timesWork(task.deadlines);

/** Returns whether no effect of a task can still happen: what an aborted call has sent may arrive. */
export const hasNothingInFlight = ({ task, worker, uses }: CachedTask): boolean =>
  uses === 0 && !worker.isAborting && intentsIn(task.view).length === 0;

/** Returns whether a task has no work here, and nothing in flight. */
export const hasEnded = (cached: CachedTask | undefined): boolean | undefined =>
  cached && cached.worker.isIdle && cached.task.isIdle && hasNothingInFlight(cached);

/** Returns whether a task waits for a turn of its agent, which this process does not run. */
export const waitsForAgent = ({ task }: CachedTask, { taskClasses }: Turns): boolean =>
  isTurn(task.view) && !taskClasses.includes(task.taskClass.id);

const awaitsHand = ({ context: { effects }, projection: { calls, lateWrites } }: TaskView): boolean =>
  [...effects, ...lateWrites].some(
    ({ digest, status }) =>
      status === 'undoing' &&
      Object.values(calls).some((call) => call.digest === digest && isUndoneByHand(call)),
  );

/** Returns whether a task that this process performs waits for a child, or for a person who undoes a write. */
export const waitsForOthers = ({ task: { view }, isHeld }: CachedTask): boolean =>
  isHeld && (view.unreported.length > 0 || awaitsHand(view));

/** Returns the error for a task that is not there: it was pruned, or it is `not_found`, with some that are known. */
export const unknownTask = async (
  store: Pick<Store, 'pruned'>,
  taskId: string,
  known: readonly string[],
): Promise<CharterError> => {
  const pruned = await store.pruned({ taskId });
  if (pruned !== undefined) return taskPruned(pruned);
  const message = `there is no task ${JSON.stringify(taskId)} in this store: \`list\`, or \`agentcharter tasks\`, returns its tasks`;
  return new CharterError('not_found', message, { kind: 'task', id: taskId, known: known.slice(-10) });
};

/** Stops the deadlines and the work of a task. */
export const stopWork = ({ task, worker }: CachedTask, reason?: CharterError): void => {
  task.beginClose(reason);
  void worker.close(reason);
};

/** Closes a task if it is out of use. */
export const closeDetached = ({ task, uses, isDetached }: CachedTask): void => {
  if (uses > 0 || !isDetached) return;
  task.beginClose();
  void task.close();
};

/** Ends a use of a task. */
export const endUse = (cached: CachedTask): void => {
  cached.uses -= 1;
  closeDetached(cached);
};

/** Refreshes a task that another process may have changed, so that this one does not decide by an old copy. */
export const refreshGuest = async (cached: CachedTask): Promise<void> => {
  cached.uses += 1;
  try {
    await cached.task.refresh();
  } finally {
    endUse(cached);
  }
};
