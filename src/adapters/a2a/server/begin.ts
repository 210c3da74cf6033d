import { v5 } from 'uuid';
import type { RequestContext } from '@a2a-js/sdk/server';
import type { UpFeedback } from '../../../../schema/index.ts';
import { messageIdOf } from '../../../feedback/target.ts';
import type { Orchestrator } from '../../../orchestrator/surface.ts';
import { feedbackIn, requestIn } from './incoming.ts';
import { identityFor, keyOf, traceOf, type TaskExecutorOptions } from './options.ts';
import { placeOf, type Place } from './place.ts';
import { messagesOf } from './task-report.ts';

/**
 * A context as a thread (UpFormat Table 1): always the same one for one user. Clients choose the names of contexts, so that two
 * users who name the same one have two threads.
 */
export const threadOf = ({ contextId, context }: RequestContext, by: string | undefined): string =>
  v5(JSON.stringify([context.tenant ?? null, by ?? null, contextId]), v5.URL);

/** The task that a message refers to; the last one, where it refers to several. */
const referred = (request: RequestContext): Place | undefined =>
  request.referenceTasks?.flatMap((task) => placeOf(task) ?? []).at(-1);

/** Begins a task with a message; in the thread of the task that it refers to, where it refers to one. */
export const begin = async (
  orchestrator: Orchestrator,
  options: TaskExecutorOptions,
  request: RequestContext,
  by: string | undefined,
): Promise<Place> => {
  const before = referred(request);
  const said = before && (await messagesOf(orchestrator, before.taskId)).at(-1);
  const submission = {
    taskClass: options.taskClass,
    ...requestIn(request.userMessage),
    identity: identityFor(options, request, by),
    threadId: before?.threadId ?? threadOf(request, by),
    ...(said !== undefined && { parentMessageId: said.messageId }),
    ...traceOf(request),
  };
  const { taskId, threadId } = await orchestrator.submit(submission, { key: keyOf(request, by) });
  return { taskId, threadId };
};

/** What a message refines: the task that it refers to, and the feedback on what that one offered (UpFormat Table 2). */
export interface Refinement {
  readonly place: Place;
  readonly feedback: UpFeedback;
}

/** `undefined` for a message that begins a task of its own. */
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
