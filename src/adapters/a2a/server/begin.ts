import { v5 } from 'uuid';
import type { RequestContext } from '@a2a-js/sdk/server';
import type { UpFeedback } from '../../../../schema/index.ts';
import { messageIdOf } from '../../../base/feedback/target.ts';
import { labelBy } from '../../../core/shell/labelled-request.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';
import { feedbackIn, requestIn } from './incoming.ts';
import { identityFor, keyOf, placesIn, type TaskExecutorOptions } from './options.ts';
import { placeOf, type Place } from './place.ts';
import { messagesOf } from './task-report.ts';

/**
 * Returns the thread of a context (UpFormat Table 1), separate for each user, because clients choose context
 * ids.
 */
export const threadOf = ({ contextId, context }: RequestContext, by: string | undefined): string =>
  v5(JSON.stringify([context.tenant ?? null, by ?? null, contextId]), v5.URL);

/** Returns the last task that a message refers to. */
const referred = (request: RequestContext): Place | undefined =>
  request.referenceTasks?.flatMap((task) => placeOf(task) ?? []).at(-1);

/** Begins a task with a message, in the thread of the task that it refers to, if any. */
export const begin = async (
  orchestrator: Orchestrator,
  options: TaskExecutorOptions,
  request: RequestContext,
  by: string | undefined,
): Promise<Place> => {
  const before = referred(request);
  const lastMessage = before && (await messagesOf(orchestrator, before.taskId)).at(-1);
  const submission = {
    taskClass: options.taskClass,
    ...requestIn(request.userMessage),
    identity: identityFor(options, request, by),
    ...labelBy(options.trusts?.(request) === true),
    threadId: before?.threadId ?? threadOf(request, by),
    ...(lastMessage !== undefined && { parentMessageId: lastMessage.messageId }),
    linkedTraces: placesIn(request),
  };
  const { taskId, threadId } = await orchestrator.submit(submission, { key: keyOf(request, by) });
  return { taskId, threadId };
};

/** A refinement: the task it refers to, and the feedback on that task's offer (UpFormat Table 2). */
export interface Refinement {
  readonly place: Place;
  readonly feedback: UpFeedback;
}

/** Returns the refinement in a message; `undefined` if it begins an unrelated task. */
export const refinementIn = async (
  orchestrator: Orchestrator,
  request: RequestContext,
): Promise<Refinement | undefined> => {
  const place = referred(request);
  const feedback = place && feedbackIn(request.userMessage);
  if (place === undefined || feedback === undefined) return undefined;
  const offers = (await messagesOf(orchestrator, place.taskId)).filter(({ state }) => state === 'followup');
  const isOffered = offers.some(({ messageId }) => messageId === messageIdOf(feedback));
  return isOffered ? { place, feedback } : undefined;
};
