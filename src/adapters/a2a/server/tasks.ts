import { TaskState, type Task } from '@a2a-js/sdk';
import { TaskNotCancelableError } from '@a2a-js/sdk/errors';
import type { ServerCallContext, TaskStore } from '@a2a-js/sdk/server';
import { isCharterError } from '../../../base/errors.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';
import { isOver, meaningOf } from '../states.ts';
import { unauthenticatedName } from './options.ts';
import { placeOf, type Place } from './place.ts';
import { taskReportOf } from './task-report.ts';
import { taskOf } from './a2a-task.ts';
import type { Turns } from './turns.ts';

/** Returns a task with the state of its ledger. */
const asRecorded = async (orchestrator: Orchestrator, place: Place, task: Task): Promise<Task> => {
  const report = await taskReportOf(orchestrator, place.taskId);
  const isSame = report.state === task.status?.state;
  return isSame ? task : { ...task, ...taskOf(task, place, report), history: task.history };
};

/** Returns a stored task with its current state. A terminal A2A state stays. */
const current = async (orchestrator: Orchestrator, task: Task): Promise<Task> => {
  const place = placeOf(task);
  const stays = place === undefined || isOver(task.status?.state);
  return stays ? task : asRecorded(orchestrator, place, task);
};

/** Cancels a task. Throws if it has settled or does not end as cancelled. */
const cancel = async (orchestrator: Orchestrator, { taskId }: Place, by: string): Promise<void> => {
  const isCancelled = async (): Promise<boolean> =>
    (await taskReportOf(orchestrator, taskId)).state === TaskState.TASK_STATE_CANCELED;
  if (await isCancelled()) return;
  try {
    await orchestrator.cancel(taskId, { by });
    await orchestrator.settled(taskId);
  } catch (error) {
    if (!isCharterError(error, 'fact_refused')) throw error;
  }
  if (!(await isCancelled())) throw new TaskNotCancelableError(`Task not cancelable: ${taskId}`);
};

/**
 * Wraps your store so that the ledger decides the state. Tasks that are being published follow their events.
 */
export const currentTasks = (
  orchestrator: Orchestrator,
  store: TaskStore,
  turns: Turns,
  byOf: (context: ServerCallContext) => string | undefined,
): TaskStore => {
  const read = async (task: Task): Promise<Task> =>
    turns.isPublishing(task.id) ? task : current(orchestrator, task);
  return {
    load: async (id, context) => {
      const task = await store.load(id, context);
      return task && read(task);
    },
    list: async (params, context) => {
      const listed = await store.list(params, context);
      return { ...listed, tasks: await Promise.all(listed.tasks.map(read)) };
    },
    save: async (given, context) => {
      const place = placeOf(given);
      const state = given.status?.state;
      if (place !== undefined && state === TaskState.TASK_STATE_CANCELED)
        await cancel(orchestrator, place, byOf(context) ?? unauthenticatedName);
      // the SDK saves a failure for any error of its own process, and `failed` is terminal
      const isFailed = place !== undefined && state === TaskState.TASK_STATE_FAILED;
      const task = isFailed ? await asRecorded(orchestrator, place, given) : given;
      await store.save(task, context);
      if (meaningOf(task.status?.state) !== 'works') turns.stored(task.id);
    },
  };
};
