import type { RequestContext } from '@a2a-js/sdk/server';
import type { UpFeedback } from '../../../../schema/index.ts';
import { CharterError } from '../../../errors.ts';
import { messageIdOf } from '../../../feedback/target.ts';
import type { Orchestrator } from '../../../orchestrator/surface.ts';
import { answerIn } from './incoming.ts';
import { approvalIn, keyOf } from './options.ts';
import type { Place } from './place.ts';
import { taskReportOf } from './task-report.ts';

/** Tells the orchestrator what somebody says, in the name that the host authenticated. */
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
      'nobody is signed in: expected an authenticated user',
      details,
    );
  }
  const approval = approvalIn(request);
  const who = { by, key: keyOf(request, by), ...(approval !== undefined && { approval }) };
  await orchestrator.respond(feedback, who);
};

/** Answers what a task asks with what a message says; throws, and the question stays open, where it does not. */
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
