import type { CallOutcome as CallResult, ClearedCall } from '../../../guard/outcome.ts';
import { labelBy } from '../../../core/shell/labelled-request.ts';
import { foreignPlace } from '../../../base/trace/foreign-place.ts';
import { isAgent, nameOf } from '../caller.ts';
import {
  CallOutcome,
  CallRequest,
  CancelRequest,
  Conclusion,
  ConclusionRequest,
  RoundOutcome,
  RoundRequest,
  RunRequest,
  RunView,
  ShownRun,
} from '../documents.ts';
import { keyIn } from '../keyed.ts';
import { callerRoutes } from './callers.ts';
import { visibleOutcome } from '../visible-outcome.ts';
import { readsOf } from '../reads.ts';
import { json } from '../../../optional/server/problem.ts';
import { get, post, type Asked, type Route } from '../route.ts';
import { waiting } from '../waiting.ts';

const viewOf = async (asked: Asked, id: string) => {
  const reads = await readsOf(asked, id);
  const [progress, questions] = await Promise.all([reads.progress(), reads.questions()]);
  return { ...progress, questions };
};

/** Returns a run that the caller began or ended: whole if they may read it, else its ids. */
const visibleRun = async (asked: Asked, id: string) => {
  if (await asked.access.mayRead(asked.caller, id)) return viewOf(asked, id);
  const { taskId, threadId } = await asked.guard.orchestrator.task(id);
  return { taskId, threadId };
};

/** The routes for agents: begin, call, conclude, and read the state. */
export const runRoutes: readonly Route[] = [
  post({
    path: '/runs',
    operation: 'beginRun',
    summary: 'Begins a governed run in the name of the authenticated agent.',
    admits: 'agent',
    body: RunRequest,
    isKeyed: true,
    status: 201,
    response: ShownRun,
    errorStatuses: [404],
    answer: async (asked, body) => {
      const { guard, caller, headers, trusts } = asked;
      const isTrusted: unknown = await trusts(caller); // only `true` trusts
      const label = labelBy(isTrusted === true);
      const linkedTraces = foreignPlace(headers.get('traceparent'), headers.get('tracestate'));
      const submission = { ...body, identity: caller.agent, ...label, linkedTraces };
      const { taskId } = await guard.begin(submission, keyIn(asked));
      const view = await visibleRun(asked, taskId);
      return json(view, { status: 201, headers: { location: `runs/${taskId}` } });
    },
  }),
  get({
    path: '/runs/{taskId}',
    operation: 'readRun',
    summary: 'Returns the state of a run and its open questions.',
    admits: 'reader',
    status: 200,
    response: RunView,
    errorStatuses: [404],
    answer: async (asked) => json(await viewOf(asked, asked.id)),
  }),
  post({
    path: '/runs/{taskId}/calls',
    operation: 'call',
    summary: 'Proposes a call and returns its outcome. A repeated `ref` is the same call.',
    admits: 'owner',
    body: CallRequest,
    status: 200,
    response: CallOutcome,
    errorStatuses: [404],
    answer: async (asked, { tool, arguments: input, waits, performs, ...options }) => {
      const run = await asked.guard.resume(asked.id);
      const outcome = await waiting<ClearedCall | CallResult>(asked, waits, (patience) =>
        performs === undefined
          ? run.call(tool, input, { ...patience, ...options })
          : run.clear(tool, input, { ...patience, ...options }),
      );
      return json(await visibleOutcome(asked, outcome));
    },
  }),
  ...callerRoutes,
  post({
    path: '/runs/{taskId}/rounds',
    operation: 'callTogether',
    summary: 'Proposes the calls of one step together, as one round of the chart.',
    admits: 'owner',
    body: RoundRequest,
    status: 200,
    response: RoundOutcome,
    errorStatuses: [404],
    answer: async (asked, { calls, waits }) => {
      const run = await asked.guard.resume(asked.id);
      const outcomes = await Promise.all(
        calls.map(({ tool, arguments: input, ...options }) =>
          waiting(asked, waits, (patience) => run.call(tool, input, { ...patience, ...options })),
        ),
      );
      return json({ outcomes: await Promise.all(outcomes.map((one) => visibleOutcome(asked, one))) });
    },
  }),
  post({
    path: '/runs/{taskId}/conclusion',
    operation: 'conclude',
    summary: 'Proposes the answer. Only the `deliver` state delivers it (UAICP 4.1).',
    admits: 'owner',
    body: ConclusionRequest,
    status: 200,
    response: Conclusion,
    errorStatuses: [404],
    answer: async (asked, { waits, ...draft }) => {
      const run = await asked.guard.resume(asked.id);
      const outcome = await waiting(asked, waits, (patience) => run.conclude(draft, patience));
      return json(await visibleOutcome(asked, outcome));
    },
  }),
  post({
    path: '/runs/{taskId}/cancel',
    operation: 'cancel',
    summary: 'Cancels a run. Its writes are undone, or reported.',
    admits: 'owner or person',
    body: CancelRequest,
    isKeyed: true,
    status: 200,
    response: ShownRun,
    errorStatuses: [404, 409],
    answer: async (asked, { urgent = false }) => {
      const { guard, id, caller } = asked;
      const kind = isAgent(caller) ? 'agent' : 'human';
      await guard.orchestrator.cancel(id, { by: nameOf(caller), kind, urgent, ...keyIn(asked) });
      return json(await visibleRun(asked, id));
    },
  }),
];
