import type { CallerOutcome } from '../../../base/ports/caller.ts';
import { json } from '../../../optional/server/problem.ts';
import { CallOutcome, OutcomeRequest, Rollbacks } from '../documents.ts';
import { get, post, type Route } from '../route.ts';
import { visibleOutcome } from '../visible-outcome.ts';

/** The routes for agents that perform calls themselves. */
export const callerRoutes: readonly Route[] = [
  post({
    path: '/runs/{taskId}/calls/{ref}/outcome',
    operation: 'reportCall',
    summary:
      'Reports what came of a call that was cleared for the agent, and returns its outcome. The first report counts.',
    admits: 'owner',
    body: OutcomeRequest,
    status: 200,
    response: CallOutcome,
    errorStatuses: [404, 409],
    answer: async (asked, outcome: CallerOutcome) => {
      const run = await asked.guard.resume(asked.id);
      return json(await visibleOutcome(asked, await run.report(asked.ref, outcome)));
    },
  }),
  get({
    path: '/runs/{taskId}/rollbacks',
    operation: 'listRollbacks',
    summary:
      'Returns the rollbacks that the agent performs now, of calls that it performed itself (UAICP 5.3).',
    admits: 'owner',
    status: 200,
    response: Rollbacks,
    errorStatuses: [404],
    answer: async ({ guard, id }) => json({ rollbacks: await (await guard.resume(id)).rollbacks() }),
  }),
  post({
    path: '/runs/{taskId}/rollbacks/{ref}/outcome',
    operation: 'reportRollback',
    summary: 'Reports what came of such a rollback, and returns those that wait.',
    admits: 'owner',
    body: OutcomeRequest,
    status: 200,
    response: Rollbacks,
    errorStatuses: [404],
    answer: async ({ guard, id, ref }, outcome: CallerOutcome) => {
      const run = await guard.resume(id);
      await run.reportRollback(ref, outcome);
      return json({ rollbacks: await run.rollbacks() });
    },
  }),
];
