import { TaskState } from '@a2a-js/sdk';
import { AgentEvent, type ExecutionEventBus } from '@a2a-js/sdk/server';
import type { UpFormatMessage } from '../../../../schema/index.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';
import { meaningOf } from '../states.ts';
import type { Place } from './place.ts';
import { taskReportOf, type TaskReport } from './task-report.ts';
import { artifactsOf, metadataOf, statusOf, updateOf, type TaskIds } from './a2a-task.ts';

/** Returns notifications of changes in a task and in the questions within it. */
const changesOf = (orchestrator: Orchestrator, taskId: string) => {
  let hasChanged = false;
  let wake: (() => void) | undefined;
  const notify = (): void => {
    hasChanged = true;
    wake?.();
  };
  const stops = [
    orchestrator.on('record', (record) => {
      if (record.taskId === taskId) notify();
    }),
    orchestrator.on('question', ({ path }) => {
      if (path.includes(taskId)) notify();
    }),
  ];
  return {
    next: async (): Promise<void> => {
      if (!hasChanged) await new Promise<void>((resolve) => (wake = resolve));
      hasChanged = false;
    },
    stop: (): void => stops.forEach((stop) => stop()),
  };
};

/** A published task: its event bus, and the number of messages already published. */
export interface Followed {
  readonly named: TaskIds;
  readonly place: Place;
  readonly bus: ExecutionEventBus;
  readonly published: number;
}

/** Publishes messages as progress. */
const publishProgress = (
  { named, place, bus }: Followed,
  messages: readonly UpFormatMessage[],
  isFirst: boolean,
): void =>
  messages.forEach((message, at) => {
    const state = isFirst && at === 0 ? TaskState.TASK_STATE_SUBMITTED : TaskState.TASK_STATE_WORKING;
    const status = statusOf(named, { state, current: [message] });
    bus.publish(AgentEvent.statusUpdate(updateOf(named, status, metadataOf(place))));
  });

/** Publishes the end of a turn: the result, then the question or outcome. */
const publishEnd = ({ named, place, bus }: Followed, report: TaskReport): void => {
  const { id: taskId, contextId } = named;
  const whole = { append: false, lastChunk: true, metadata: undefined };
  for (const artifact of artifactsOf(report))
    bus.publish(AgentEvent.artifactUpdate({ taskId, contextId, artifact, ...whole }));
  const status = statusOf(named, report);
  bus.publish(AgentEvent.statusUpdate(updateOf(named, status, metadataOf(place, report))));
};

/** Publishes the messages of a task until it asks a person or settles. */
export const follow = async (orchestrator: Orchestrator, followed: Followed): Promise<TaskReport> => {
  const changes = changesOf(orchestrator, followed.place.taskId);
  let { published } = followed;
  try {
    for (;;) {
      const report = await taskReportOf(orchestrator, followed.place.taskId);
      const { messages, current, state } = report;
      const goesOn = meaningOf(state) === 'works';
      const fresh = messages.slice(published).filter((one) => goesOn || !current.includes(one));
      publishProgress(followed, fresh, published === 0);
      published = messages.length;
      if (!goesOn) {
        publishEnd(followed, report);
        return report;
      }
      await changes.next();
    }
  } finally {
    changes.stop();
  }
};
