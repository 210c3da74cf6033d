import type { RequestContext } from '@a2a-js/sdk/server';
import type { UpFeedback } from '../../../../schema/index.ts';
import { CharterError } from '../../../base/errors.ts';
import { messageIdOf } from '../../../base/feedback/target.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';
import { answerIn } from './incoming.ts';
import { approvalIn, keyOf } from './options.ts';
import type { Place } from './place.ts';
import { taskReportOf } from './task-report.ts';

/** Submits an answer under the authenticated name. */
export const respond = async (
  orchestrator: Orchestrator,
  { taskId }: Place,
  request: RequestContext,
  by: string | undefined,
  feedback: UpFeedback,
): Promise<void> => {
  if (by === undefined) {
    const details = { taskId, question: messageIdOf(feedback), identity: '' };
    throw new CharterError(
      'identity_refused',
      'no user is signed in: expected an authenticated user',
      details,
    );
  }
  const approval = approvalIn(request);
  const who = { by, key: keyOf(request, by), ...(approval !== undefined && { approval }) };
  await orchestrator.respond(feedback, who);
};

/**
 * Answers the open question of a task with a message. Throws if the message is no valid answer; the question
 * stays open.
 */
export const answer = async (
  orchestrator: Orchestrator,
  place: Place,
  request: RequestContext,
  by: string | undefined,
): Promise<void> => {
  const { open, messages } = await taskReportOf(orchestrator, place.taskId);
  const asked = [...messages, ...open.map(({ message }) => message)];
  const ids = asked.filter(({ state }) => state === 'needsHumanDecision').map(({ messageId }) => messageId);
  await respond(orchestrator, place, request, by, answerIn(request.userMessage, open, ids));
};
