import { TaskState } from '@a2a-js/sdk';
import { TaskNotCancelableError } from '@a2a-js/sdk/errors';
import {
  AgentEvent,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
  type TaskStore,
} from '@a2a-js/sdk/server';
import { isCharterError } from '../../../base/errors.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';
import { isOver, meaningOf } from '../states.ts';
import { answer, respond } from './answer.ts';
import { begin, refinementIn } from './begin.ts';
import { follow } from './follow.ts';
import { authenticatedName, unauthenticatedName, type TaskExecutorOptions } from './options.ts';
import { placeOf, type Place } from './place.ts';
import { internalError, isSenderError, publishRejected, publishUnanswered } from './refused.ts';
import { messagesOf, taskReportOf } from './task-report.ts';
import { currentTasks } from './tasks.ts';
import { acceptedTask, type TaskIds } from './a2a-task.ts';
import { Turns } from './turns.ts';

/** An A2A executor, with a task store that reads the current state from the ledger. */
export interface TaskExecutor extends AgentExecutor {
  /**
   * Wraps your task store. Reading a task updates it from the ledger, in case another process or the console
   * advanced it. An A2A cancellation cancels the task.
   */
  readonly tasks: (store: TaskStore) => TaskStore;
}

/** A task of this process, and the user of its last message. */
interface TrackedTask {
  readonly named: TaskIds;
  readonly place: Place;
  readonly by: string | undefined;
}

/** A message, and its A2A task. */
interface Turn {
  readonly request: RequestContext;
  readonly bus: ExecutionEventBus;
  readonly named: TaskIds;
  readonly by: string | undefined;
}

/** Runs the tasks of one class as A2A tasks. The orchestrator must own its store (UpFormat 4). */
export const taskExecutor = (orchestrator: Orchestrator, options: TaskExecutorOptions): TaskExecutor => {
  const tracked = new Map<string, TrackedTask>();
  const turns = new Turns();
  const byOf = options.by ?? authenticatedName;
  orchestrator.on('settled', ({ taskId }) => {
    for (const [id, { place }] of tracked) if (place.taskId === taskId) tracked.delete(id); // another process may have settled it
  });

  /** Publishes a task until it asks or settles. Only the last to finish closes the event bus. */
  const attend = async (
    { named, by, bus }: Omit<Turn, 'request'>,
    place: Place,
    published: number,
  ): Promise<void> => {
    tracked.set(named.id, { named, place, by });
    const { state } = await follow(orchestrator, { named, place, bus, published });
    if (isOver(state)) tracked.delete(named.id);
  };

  /** Refines the offer of another task, or begins a new task. */
  const refineOrBegin = async ({ request, by }: Turn): Promise<{ place: Place; published: number }> => {
    const refinement = await refinementIn(orchestrator, request);
    if (refinement === undefined)
      return { place: await begin(orchestrator, options, request, by), published: 0 };
    const { place, feedback } = refinement;
    const published = (await messagesOf(orchestrator, place.taskId)).length;
    await respond(orchestrator, place, request, by, feedback);
    return { place, published };
  };

  const beginTurn = async (turn: Turn): Promise<void> => {
    const { bus, named } = turn;
    let taken: { place: Place; published: number };
    try {
      taken = await refineOrBegin(turn);
    } catch (error) {
      if (!isSenderError(error)) throw error;
      publishRejected(bus, named, error);
      return;
    }
    bus.publish(AgentEvent.task(acceptedTask(named, taken.place, TaskState.TASK_STATE_SUBMITTED)));
    await attend(turn, taken.place, taken.published);
  };

  /** Handles an answer. Publishes the reason if it is invalid. */
  const replyTurn = async (turn: Turn, place: Place): Promise<void> => {
    const { request, bus, named, by } = turn;
    const published = (await messagesOf(orchestrator, place.taskId)).length;
    bus.publish(AgentEvent.task(acceptedTask(named, place, TaskState.TASK_STATE_WORKING)));
    try {
      await answer(orchestrator, place, request, by);
    } catch (error) {
      if (!isCharterError(error)) throw error;
      const report = await taskReportOf(orchestrator, place.taskId);
      publishUnanswered(bus, named, place, report, error);
      if (meaningOf(report.state) === 'asks') return;
    }
    await attend(turn, place, published);
  };

  const cancelTask = async (id: string, bus: ExecutionEventBus): Promise<void> => {
    const task = tracked.get(id);
    if (task === undefined) throw new TaskNotCancelableError(`Task not cancelable: ${id}`);
    const { place, named, by } = task;
    const published = (await messagesOf(orchestrator, place.taskId)).length;
    try {
      await orchestrator.cancel(place.taskId, { by: by ?? unauthenticatedName });
    } catch (error) {
      if (!isCharterError(error, 'fact_refused')) throw error; // it has settled: the outcome is published below
    }
    await attend({ named, by, bus }, place, published);
  };

  return {
    cancelTask: (id, bus) => turns.take(id, () => cancelTask(id, bus)),
    execute: async (request, bus) => {
      const named = { id: request.taskId, contextId: request.contextId };
      const turn = { request, bus, named, by: byOf(request.context) };
      const place = placeOf(request.task);
      await turns
        .take(named.id, () => (place === undefined ? beginTurn(turn) : replyTurn(turn, place)))
        .catch((error: unknown) => {
          throw internalError(error);
        });
    },
    tasks: (store) => currentTasks(orchestrator, store, turns, byOf),
  };
};
