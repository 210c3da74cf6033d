import type { Artifact, Message, Task, TaskState, TaskStatus, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import type { UpFormatMessage } from '../../../../schema/index.ts';
import { upFormatUri } from '../extension.ts';
import { a2aMessage, artifactOf, dataPart, textPart } from '../parts.ts';
import type { Place } from './place.ts';
import type { TaskReport } from './task-report.ts';

/** A task of A2A, by its own names. */
export interface Named {
  readonly id: string;
  readonly contextId: string;
}

/** Why a message was not taken; the task stays as it is. */
export interface Refusal {
  readonly code: string;
  readonly reason: string;
}

/** Returns UpFormat messages as one A2A message: for each its explanation, and itself as a data part. */
export const messageOf = (
  { id, contextId }: Named,
  says: readonly UpFormatMessage[],
): Message | undefined => {
  const [first] = says;
  if (first === undefined) return undefined;
  const parts = says.flatMap((one) => [
    ...(one.explanation === '' ? [] : [textPart(one.explanation)]),
    dataPart(one, 'UpFormatMessage'),
  ]);
  return a2aMessage({ messageId: first.messageId, contextId, taskId: id, parts });
};

export const statusOf = (named: Named, { state, says }: Pick<TaskReport, 'state' | 'says'>): TaskStatus => ({
  state,
  message: messageOf(named, says),
  timestamp: says.at(-1)?.timestamp ?? new Date().toISOString(),
});

/** What stands in the metadata of a task under our URI. */
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

/** What was delivered, as an artifact. */
export const artifactsOf = ({ result }: Pick<TaskReport, 'result'>): Artifact[] =>
  result === undefined ? [] : [artifactOf(result.messageId, result.payload)];

/** A task of A2A as it stands. */
export const taskOf = ({ id, contextId }: Named, place: Place, report: TaskReport): Task => ({
  id,
  contextId,
  status: statusOf({ id, contextId }, report),
  artifacts: artifactsOf(report),
  history: [],
  metadata: metadataOf(place, report),
});

/** The first word of a turn: whose task this is. What it says follows, and is never told after its end. */
export const taskTaken = ({ id, contextId }: Named, place: Place, state: TaskState): Task => ({
  id,
  contextId,
  status: { state, message: undefined, timestamp: new Date().toISOString() },
  artifacts: [],
  history: [],
  metadata: metadataOf(place),
});

export const updateOf = (
  named: Named,
  status: TaskStatus,
  metadata: Record<string, unknown>,
): TaskStatusUpdateEvent => ({ taskId: named.id, contextId: named.contextId, status, metadata });

/** A status that says why a message was not taken, and asks again what is open. */
export const refusalIn = (
  named: Named,
  { state, says }: Pick<TaskReport, 'state' | 'says'>,
  { reason }: Refusal,
  messageId: string,
): TaskStatus => {
  const parts = [textPart(reason), ...(messageOf(named, says)?.parts ?? [])];
  const message = a2aMessage({ messageId, contextId: named.contextId, taskId: named.id, parts });
  return { state, message, timestamp: new Date().toISOString() };
};
