import { expect, test } from 'vitest';
import { assign, setup } from 'xstate';
import { callOf, explore, inWorld, replaySaved } from 'agentcharter/testing';
import { taskMachine } from '../../../../machines/index.ts';

test('takes every step of a graph from the saved state before it', () => {
  const graph = explore(
    taskMachine,
    inWorld({
      name: 'a read',
      taskClass: { limits: { repairs: 0, revisions: 0, pauses: 0, rounds: 1 } },
      plans: [[callOf.read('r')]],
    }),
  );
  expect(graph.edges.length).toBeGreaterThan(50);
  expect(replaySaved(graph)).toBe(graph.edges.length);
});

/** A chart whose context does not survive being saved: the explorer sees a date as text, and so does what is saved. */
// oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- it is what XState infers its types from
const clock = setup({ types: {} as { context: { at: unknown; ticks: number } } }).createMachine({
  id: 'clock',
  context: { at: new Date(0), ticks: 0 },
  initial: 'running',
  states: {
    running: {
      on: {
        tick: {
          guard: ({ context }) => context.ticks < 2,
          actions: assign(({ context }) => ({
            ticks: context.ticks + 1,
            at: context.at instanceof Date ? context.at : 'lost',
          })),
        },
      },
    },
  },
});

test('reports a context that changes when it is saved', () => {
  const graph = explore(clock, { events: [{ type: 'tick' }] });
  expect(graph.edges).toHaveLength(2);
  expect(() => replaySaved(graph)).toThrow('lost');
});
