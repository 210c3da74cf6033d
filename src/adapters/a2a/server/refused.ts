import { randomUUID } from 'node:crypto';
import { TaskState } from '@a2a-js/sdk';
import { AgentEvent, type ExecutionEventBus } from '@a2a-js/sdk/server';
import { isCharterError, type CharterError, type ErrorCode } from '../../../base/errors.ts';
import { meaningOf } from '../states.ts';
import type { Place } from './place.ts';
import type { TaskReport } from './task-report.ts';
import { metadataOf, rejectedStatus, updateOf, type TaskIds, type Refusal } from './a2a-task.ts';

/** Errors of the sender. All others are internal. */
const senderErrors: readonly ErrorCode[] = [
  'document_invalid',
  'input_unreadable',
  'not_found',
  'key_reused',
  'feedback_refused',
  'identity_refused',
];

export const isSenderError = (error: unknown): error is CharterError =>
  isCharterError(error) && senderErrors.includes(error.code);

/** Returns the error that the sender sees. The SDK sends its message; `cause` is for you. */
export const internalError = (cause: unknown): Error => new Error('an internal error occurred', { cause });

const refusalOf = ({ code, message, details }: CharterError): Refusal => ({
  code: ('code' in details && details.code) || code,
  reason: message,
});

/** Publishes a rejected request, for which no task was begun. */
export const publishRejected = (bus: ExecutionEventBus, named: TaskIds, error: CharterError): void => {
  const refusal = refusalOf(error);
  const report = { state: TaskState.TASK_STATE_REJECTED, current: [] };
  const status = rejectedStatus(named, report, refusal, randomUUID());
  const metadata = metadataOf(undefined, {}, refusal);
  bus.publish(AgentEvent.task({ ...named, status, artifacts: [], history: [], metadata }));
  bus.publish(AgentEvent.statusUpdate(updateOf(named, status, metadata)));
};

/** Publishes why an answer was rejected, and the question again. */
export const publishUnanswered = (
  bus: ExecutionEventBus,
  named: TaskIds,
  place: Place,
  report: TaskReport,
  error: CharterError,
): void => {
  const refusal = refusalOf(error);
  const state = meaningOf(report.state) === 'asks' ? report.state : TaskState.TASK_STATE_WORKING;
  const status = rejectedStatus(named, { ...report, state }, refusal, randomUUID());
  bus.publish(AgentEvent.statusUpdate(updateOf(named, status, metadataOf(place, report, refusal))));
};
