import { isCharterError } from '../../../base/errors.ts';
import { digest } from '../../../base/canonical/digest.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';
import { messageIdOf } from '../../../base/feedback/target.ts';
import { eventOf, eventStream } from '../../../optional/server/events.ts';
import { follow, type RunName } from '../ag-ui/follow.ts';
import { interruptsOf } from '../ag-ui/interrupts.ts';
import { feedbackOf, RunInput, type Resumed } from '../ag-ui/resume.ts';
import { isAgent, nameOf, type PersonCaller } from '../caller.ts';
import { isRefusal, problem, type Problem } from '../../../optional/server/problem.ts';
import { readsOf } from '../reads.ts';
import { get, post, type Asked, type Route } from '../route.ts';

type Interrupts = NonNullable<Problem['interrupts']>;

/** Returns the error that prevents all answers; `null` if there is none. */
const obstacle = async (
  { guard, id }: Asked,
  answers: readonly { readonly interruptId: string }[],
): Promise<Response | null> => {
  const { orchestrator } = guard;
  const isAnswered = new Set(answers.map(({ interruptId }) => interruptId));
  // an open question of another run is reported as unknown, because the caller may not be allowed to read
  // that run
  for (const messageId of isAnswered)
    if ((await orchestrator.questionPath(messageId))?.includes(id) !== true)
      return problem('not_found', 'An answer names no open interrupt of this run; no answer was accepted.');
  const unanswered = interruptsOf(await orchestrator.inbox(id)).filter(
    (interrupt) => !isAnswered.has(interrupt.id),
  );
  if (unanswered.length === 0) return null;
  const interrupts = unanswered.map(({ id: open, reason }) => ({
    id: open,
    code: 'interrupts_open',
    detail: reason,
  }));
  return problem('interrupts_open', 'Expected an answer to every open interrupt; no answer was accepted.', {
    interrupts,
  });
};

/** Submits each answer. A rejected one does not affect the others. */
const submitAnswers = async (
  orchestrator: Orchestrator,
  caller: PersonCaller,
  runId: string,
  answers: readonly Resumed[],
): Promise<Interrupts> => {
  const refusals: Interrupts = [];
  for (const { feedback, approval } of answers) {
    const id = messageIdOf(feedback);
    const sent = {
      by: caller.person,
      key: digest([nameOf(caller), runId, id]),
      ...(approval !== undefined && { approval }),
    };
    try {
      await orchestrator.respond(feedback, sent);
    } catch (error) {
      if (!isRefusal(error) || error.code === 'closed') throw error;
      const code = (isCharterError(error, 'feedback_refused') && error.details.code) || error.code;
      refusals.push({ id, code, detail: error.message });
    }
  }
  return refusals;
};

/** Answers with the events of a run, as JSON. */
const streamRun = async (asked: Asked, name: RunName): Promise<Response> => {
  const { guard, id, link, onError } = asked;
  const reads = await readsOf(asked, id);
  const frames = async function* () {
    for await (const event of follow(guard.orchestrator, id, reads, name, link.gone))
      yield eventOf(JSON.stringify(event));
  };
  return eventStream(frames(), link, onError);
};

/** The routes for user interfaces (AG-UI 1.0). */
export const agUiRoutes: readonly Route[] = [
  get({
    path: '/runs/{taskId}/ag-ui',
    operation: 'followRun',
    summary: 'Streams a run as AG-UI 1.0 events until it delivers, ends, or is interrupted by questions.',
    admits: 'reader',
    status: 200,
    response: 'events',
    errorStatuses: [404],
    answer: async (asked) => {
      const { threadId } = await asked.guard.orchestrator.task(asked.id);
      return streamRun(asked, { threadId, runId: asked.id });
    },
  }),
  post({
    path: '/runs/{taskId}/ag-ui',
    operation: 'resumeRun',
    summary:
      'Submits answers to all open interrupts, if any are given, and then streams the run as `followRun` does.',
    admits: 'reader',
    body: RunInput,
    status: 200,
    response: 'events',
    errorStatuses: [404],
    answer: async (asked, { threadId, runId, resume = [] }) => {
      const { guard, caller, id } = asked;
      const { orchestrator } = guard;
      if ((await orchestrator.task(id)).threadId !== threadId)
        return problem('not_found', 'This run belongs to another thread.');
      if (resume.length > 0) {
        if (isAgent(caller)) return problem('identity_refused', 'Expected a person.');
        const answers = feedbackOf(resume);
        const refusal = await obstacle(asked, resume);
        if (refusal !== null) return refusal;
        const interrupts = await submitAnswers(orchestrator, caller, runId, answers);
        if (interrupts.length > 0)
          return problem('feedback_refused', 'Some answers were refused; the others were accepted.', {
            interrupts,
          });
      }
      return streamRun(asked, { threadId, runId });
    },
  }),
];
