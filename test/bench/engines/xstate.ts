import { assign, createActor, fromPromise, setup, waitFor, type Actor } from 'xstate';
import {
  decide,
  evidenceOf,
  intake,
  isVerified,
  plan,
  reverseWire,
  type Approval,
  type Engine,
  type WireArguments,
  type WireEvidence,
  type WireRequest,
} from '../work.ts';

interface Context {
  readonly request: WireRequest;
  readonly given: WireArguments | null;
  readonly evidence: WireEvidence | null;
  readonly approval: Approval | null;
}

/** The work as a small chart, as a user of XState alone would write it. */
const machine = setup({
  types: {
    context: {} as Context,
    input: {} as WireRequest,
    events: {} as { readonly type: 'answered'; readonly approval: Approval },
  },
  actors: { reverseWire: fromPromise<unknown, WireArguments>(({ input }) => reverseWire(input)) },
  guards: {
    isVerified: ({ context: { request, evidence } }) => isVerified(request, evidence!),
    isAllowed: ({ context: { request, approval } }) => decide(request, approval) === 'allow',
    needsReview: ({ context: { request, approval } }) => decide(request, approval) === 'needs_review',
  },
}).createMachine({
  id: 'wire',
  initial: 'intake',
  context: ({ input }) => ({ request: input, given: null, evidence: null, approval: null }),
  states: {
    intake: { entry: ({ context }) => void intake(context.request), always: 'plan' },
    plan: { entry: assign({ given: ({ context }) => plan(context.request) }), always: 'execute' },
    execute: {
      invoke: {
        src: 'reverseWire',
        input: ({ context }) => context.given!,
        onDone: {
          target: 'verify',
          actions: assign({ evidence: ({ context, event }) => evidenceOf(context.request, event.output) }),
        },
        onError: 'fail_safe',
      },
    },
    verify: { always: [{ guard: 'isVerified', target: 'policy' }, { target: 'fail_safe' }] },
    policy: {
      always: [
        { guard: 'isAllowed', target: 'deliver' },
        { guard: 'needsReview', target: 'waiting' },
        { target: 'fail_safe' },
      ],
    },
    waiting: {
      on: { answered: { target: 'policy', actions: assign({ approval: ({ event }) => event.approval }) } },
    },
    deliver: { type: 'final' },
    fail_safe: { type: 'final' },
  },
});

const begin = (request: WireRequest): Actor<typeof machine> =>
  createActor(machine, { input: request }).start();

const end = async (actor: Actor<typeof machine>): Promise<string> =>
  (await waitFor(actor, ({ status }) => status === 'done')).value;

export const engine: Engine = {
  gated: async (request, approval) => {
    const actor = begin(request);
    await waitFor(actor, ({ value }) => value === 'waiting');
    actor.send({ type: 'answered', approval });
    return end(actor);
  },
  straight: async (request) => end(begin(request)),
};
