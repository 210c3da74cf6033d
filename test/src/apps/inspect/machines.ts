import { assign, createActor, fromPromise, setup, type InspectionEvent } from 'xstate';

/** States in an order that no alphabet has, nested deep, with actions and a history. */
export const order = setup({
  types: { context: {} as { count: number; secret: string; note: unknown }, input: {} as { secret: string } },
  actions: { count: assign({ count: ({ context }) => context.count + 1 }), tell: () => undefined },
  guards: { isNew: () => true },
}).createMachine({
  id: 'order',
  initial: 'zeta',
  context: ({ input }) => ({ count: 0, secret: input.secret, note: null }),
  on: { note: { actions: assign({ note: ({ event }) => (event as unknown as { note: unknown }).note }) } },
  states: {
    zeta: { on: { go: 'middle' } },
    middle: {
      initial: 'one',
      on: { pause: 'alpha' },
      states: {
        back: { type: 'history', history: 'deep' },
        one: {
          initial: 'two',
          states: {
            two: {
              initial: 'three',
              states: {
                three: {
                  on: {
                    count: {
                      actions: [
                        'count',
                        { type: 'tell', params: { to: { whom: ['a', { deep: { deeper: 1 } }] } } },
                      ],
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
    alpha: { on: { resume: 'middle.back', end: 'done' } },
    done: { type: 'final' },
  },
});

type Inspect = (event: InspectionEvent) => void;

export const orderActor = (inspect: Inspect, secret = 'hunter2') =>
  createActor(order, { inspect, input: { secret } });

/** A parent that invokes a promise which fails, with its secret as input. */
export const family = setup({
  actors: {
    child: fromPromise<string, { secret: string }>(async ({ input }) => {
      throw new Error(`no, ${input.secret.length} letters`);
    }),
  },
}).createMachine({
  id: 'family',
  initial: 'asking',
  states: {
    asking: {
      invoke: { id: 'kid', src: 'child', input: { secret: 'hunter2' }, onError: 'sorry' },
    },
    sorry: {},
  },
});
