import { TaskState } from '@a2a-js/sdk';
import { AgentEvent, type ExecutionEventBus } from '@a2a-js/sdk/server';
import type { UpFormatMessage } from '../../../../schema/index.ts';
import type { Orchestrator } from '../../../orchestrator/surface.ts';
import { meaningOf } from '../states.ts';
import type { Place } from './place.ts';
import { standingOf, type Standing } from './standing.ts';
import { artifactsOf, metadataOf, statusOf, updateOf, type Named } from './telling.ts';

/** Tells when something that a task says, or is asked within it, may have changed. */
const changesOf = (orchestrator: Orchestrator, taskId: string) => {
  let hasChanged = false;
  let wake: (() => void) | undefined;
  const tell = (): void => {
    hasChanged = true;
    wake?.();
  };
  const stops = [
    orchestrator.on('record', (record) => {
      if (record.taskId === taskId) tell();
    }),
    orchestrator.on('question', ({ path }) => {
      if (path.includes(taskId)) tell();
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

/** A task that is followed: whom it is told to, and how much of what it said was told before. */
export interface Followed {
  readonly named: Named;
  readonly place: Place;
  readonly bus: ExecutionEventBus;
  readonly told: number;
}

/** What was said on the way; a question that was answered elsewhere asks nobody any more. */
const tellProgress = (
  { named, place, bus }: Followed,
  messages: readonly UpFormatMessage[],
  isFirst: boolean,
): void =>
  messages.forEach((message, at) => {
    const state = isFirst && at === 0 ? TaskState.TASK_STATE_SUBMITTED : TaskState.TASK_STATE_WORKING;
    const status = statusOf(named, { state, says: [message] });
    bus.publish(AgentEvent.statusUpdate(updateOf(named, status, metadataOf(place))));
  });

/** The last word of a turn: what is asked, or how it ended, what was delivered before it. */
const tellEnd = ({ named, place, bus }: Followed, standing: Standing): void => {
  const { id: taskId, contextId } = named;
  const whole = { append: false, lastChunk: true, metadata: undefined };
  for (const artifact of artifactsOf(standing))
    bus.publish(AgentEvent.artifactUpdate({ taskId, contextId, artifact, ...whole }));
  const status = statusOf(named, standing);
  bus.publish(AgentEvent.statusUpdate(updateOf(named, status, metadataOf(place, standing))));
};

/** Tells what a task says until it asks somebody or is over. */
export const follow = async (orchestrator: Orchestrator, followed: Followed): Promise<Standing> => {
  const changes = changesOf(orchestrator, followed.place.taskId);
  let { told } = followed;
  try {
    for (;;) {
      const standing = await standingOf(orchestrator, followed.place.taskId);
      const { messages, says, state } = standing;
      const goesOn = meaningOf(state) === 'works';
      const fresh = messages.slice(told).filter((one) => goesOn || !says.includes(one));
      tellProgress(followed, fresh, told === 0);
      told = messages.length;
      if (!goesOn) {
        tellEnd(followed, standing);
        return standing;
      }
      await changes.next();
    }
  } finally {
    changes.stop();
  }
};
