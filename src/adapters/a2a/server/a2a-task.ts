import type { Artifact, Message, Task, TaskState, TaskStatus, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import type { UpFormatMessage } from '../../../../schema/index.ts';
import { upFormatUri } from '../extension.ts';
import { a2aMessage, artifactOf, dataPart, textPart } from '../parts.ts';
import type { Place } from './place.ts';
import type { TaskReport } from './task-report.ts';

/** The A2A ids of a task. */
export interface TaskIds {
  readonly id: string;
  readonly contextId: string;
}

/** Why a message was rejected. The task is unchanged. */
export interface Refusal {
  readonly code: string;
  readonly reason: string;
}

/** Returns UpFormat messages as one A2A message: text and data part of each. */
export const messageOf = (
  { id, contextId }: TaskIds,
  messages: readonly UpFormatMessage[],
): Message | undefined => {
  const [first] = messages;
  if (first === undefined) return undefined;
  const parts = messages.flatMap((one) => [
    ...(one.explanation === '' ? [] : [textPart(one.explanation)]),
    dataPart(one, 'UpFormatMessage'),
  ]);
  return a2aMessage({ messageId: first.messageId, contextId, taskId: id, parts });
};

export const statusOf = (
  ids: TaskIds,
  { state, current: messages }: Pick<TaskReport, 'state' | 'current'>,
): TaskStatus => ({
  state,
  message: messageOf(ids, messages),
  timestamp: messages.at(-1)?.timestamp ?? new Date().toISOString(),
});

/** Returns the metadata of a task, under our URI. */
export const metadataOf = (
  place: Place | undefined,
  report: Partial<Pick<TaskReport, 'reasonCodes' | 'followup'>> = {},
  refused?: Refusal,
): Record<string, unknown> => {
  const { reasonCodes, followup } = report;
  return {
    [upFormatUri]: {
      ...place,
      ...(reasonCodes !== undefined && { reasonCodes }),
      ...(followup !== undefined && { followup }),
      ...(refused !== undefined && { refused }),
    },
  };
};

/** Returns the delivered result as an artifact. */
export const artifactsOf = ({ result }: Pick<TaskReport, 'result'>): Artifact[] =>
  result === undefined ? [] : [artifactOf(result.messageId, result.payload)];

/** Returns the A2A task. */
export const taskOf = ({ id, contextId }: TaskIds, place: Place, report: TaskReport): Task => ({
  id,
  contextId,
  status: statusOf({ id, contextId }, report),
  artifacts: artifactsOf(report),
  history: [],
  metadata: metadataOf(place, report),
});

/** Returns the first event of a turn: the task. Later events are never published after its end. */
export const acceptedTask = ({ id, contextId }: TaskIds, place: Place, state: TaskState): Task => ({
  id,
  contextId,
  status: { state, message: undefined, timestamp: new Date().toISOString() },
  artifacts: [],
  history: [],
  metadata: metadataOf(place),
});

export const updateOf = (
  ids: TaskIds,
  status: TaskStatus,
  metadata: Record<string, unknown>,
): TaskStatusUpdateEvent => ({ taskId: ids.id, contextId: ids.contextId, status, metadata });

/** Returns a status with the reason of a rejection and the open questions. */
export const rejectedStatus = (
  ids: TaskIds,
  { state, current: messages }: Pick<TaskReport, 'state' | 'current'>,
  { reason }: Refusal,
  messageId: string,
): TaskStatus => {
  const parts = [textPart(reason), ...(messageOf(ids, messages)?.parts ?? [])];
  const message = a2aMessage({ messageId, contextId: ids.contextId, taskId: ids.id, parts });
  return { state, message, timestamp: new Date().toISOString() };
};
