import { explore } from 'agentcharter/testing';
import { describe, expect, test } from 'vitest';
import { assign, createMachine, fromPromise, raise, setup, type AnyMachineSnapshot } from 'xstate';
import { isCharterError, type CharterError } from '../../../src/base/errors.ts';
import { stateName } from '../../../machines/index.ts';

const say = (...types: readonly string[]) => types.map((type) => ({ type }));
const names = ({ states }: { readonly states: readonly AnyMachineSnapshot[] }) =>
  states.map(({ value }) => stateName(value));
const steps = ({
  edges,
}: {
  readonly edges: readonly { from: number; event: { type: string }; to: number }[];
}) => edges.map(({ from, event, to }) => `${from} ${event.type} ${to}`);

/** The error that exploring ends with. */
const errorOf = (run: () => unknown): CharterError => {
  try {
    run();
  } catch (error) {
    if (isCharterError(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

const blind = (): never => {
  throw new Error('blind');
};

const door = createMachine({
  id: 'door',
  initial: 'shut',
  states: {
    shut: { on: { open: 'ajar', lock: 'locked' } },
    ajar: { on: { close: 'shut', push: 'open' } },
    locked: { on: { unlock: 'shut', burn: 'gone' } },
    open: { on: { close: 'shut' } },
    gone: { type: 'final' },
    walled: { on: { open: 'ajar' } },
  },
  on: { repaint: '.shut' },
});
const doorEvents = say('open', 'lock', 'close', 'push', 'unlock', 'burn', 'nonsense');

const counter = (limit: number) =>
  createMachine({
    id: 'counter',
    context: { count: 0 },
    on: {
      up: {
        guard: ({ context }) => context.count < limit,
        actions: assign({ count: ({ context }) => context.count + 1 }),
      },
    },
  });

describe('An exploration', () => {
  test('finds all states and steps of a chart, the nearest first', () => {
    const graph = explore(door, { events: doorEvents });
    expect(names(graph)).toEqual(['shut', 'ajar', 'locked', 'open', 'gone']);
    expect(steps(graph)).toEqual([
      '0 open 1',
      '0 lock 2',
      '1 close 0',
      '1 push 3',
      '2 unlock 0',
      '2 burn 4',
      '3 close 0',
    ]);
  });

  test('finds no step for an event that is unhandled or guarded', () => {
    const graph = explore(counter(2), { events: say('up', 'down') });
    expect(steps(graph)).toEqual(['0 up 1', '1 up 2']);
  });

  test('finds no step for an event that leaves the snapshot unchanged', () => {
    const chart = createMachine({
      context: { count: 0 },
      initial: 'a',
      states: { a: {} },
      on: {
        again: '.a',
        anew: { target: '.a', reenter: true },
        log: { actions: () => {} },
        set: { actions: assign({ count: 0 }) },
      },
    });
    expect(steps(explore(chart, { events: say('again', 'anew', 'log', 'set') }))).toEqual(['0 set 0']);
  });

  test('finds no step out of a final state, for root handlers and internal events alike', () => {
    const hostile = say(
      'repaint',
      'xstate.init',
      'xstate.stop',
      'xstate.done.state.door',
      '*',
      '',
      '__proto__',
    );
    const graph = explore(door, { after: say('lock', 'burn'), events: [...doorEvents, ...hostile] });
    expect(names(graph)).toEqual(['gone']);
    expect(graph.edges).toEqual([]);
    expect(explore(door, { after: say('lock'), events: say('burn', 'repaint') }).edges).toHaveLength(2);
  });

  test('takes the events as a function of the state', () => {
    const seen: string[] = [];
    const graph = explore(door, {
      events: ({ value }) => {
        seen.push(stateName(value));
        return value === 'shut' ? say('open') : say('push');
      },
    });
    expect(names(graph)).toEqual(['shut', 'ajar', 'open']);
    expect(seen).toEqual(names(graph));
  });

  test('finds shortest paths, and numbers states as the steps do', () => {
    const graph = explore(counter(5), { events: say('up') });
    for (const [state, { context }] of graph.states.entries()) {
      expect(context.count).toBe(state);
      expect(graph.wayTo(state)).toEqual(graph.edges.slice(0, state));
      expect(graph.leaving(state)).toEqual(graph.edges.filter(({ from }) => from === state));
    }
    expect(graph.leadingTo()).toEqual([[], [0], [1], [2], [3], [4]]);
  });

  test('throws for an unknown state number', () => {
    const graph = explore(counter(1), { events: say('up') });
    expect(() => graph.at(2)).toThrow(RangeError);
  });

  test('returns no step for an unknown state number', () => {
    expect(explore(counter(1), { events: say('up') }).leaving(2)).toEqual([]);
  });

  test('interleaves the regions of a parallel state', () => {
    const graph = explore(
      createMachine({
        type: 'parallel',
        states: {
          left: {
            initial: 'off',
            states: { off: { on: { L: 'on', both: 'on' } }, on: { on: { L: 'off' } } },
          },
          right: {
            initial: 'off',
            states: { off: { on: { R: 'on', both: 'on' } }, on: { on: { R: 'off' } } },
          },
        },
      }),
      { events: say('L', 'R', 'both') },
    );
    expect(names(graph)).toEqual([
      'left.off+right.off',
      'left.on+right.off',
      'left.off+right.on',
      'left.on+right.on',
    ]);
    expect(steps(graph)).toEqual([
      '0 L 1',
      '0 R 2',
      '0 both 3',
      '1 L 0',
      '1 R 3',
      '1 both 3',
      '2 L 3',
      '2 R 0',
      '2 both 3',
      '3 L 2',
      '3 R 1',
    ]);
  });

  test('includes raised events in a step, and leaves delays and invocations to their own events', () => {
    let invoked = 0;
    const graph = explore(
      createMachine({
        id: 'm',
        initial: 'a',
        states: {
          a: { on: { go: { target: 'b', actions: raise({ type: 'on' }) } } },
          b: { on: { on: 'c' } },
          c: { after: { 1000: 'd' } },
          d: {
            invoke: {
              id: 'work',
              src: fromPromise(async () => {
                invoked += 1;
              }),
              onDone: 'e',
            },
          },
          e: {},
        },
      }),
      { events: say('go', 'on', 'xstate.after.1000.m.c', 'xstate.done.actor.work') },
    );
    expect(names(graph)).toEqual(['a', 'c', 'd', 'e']);
    expect(invoked).toBe(0);
  });

  test('explores a chart whose child has a system id', () => {
    const chart = createMachine({
      initial: 'a',
      states: {
        a: { on: { begin: 'b', pass: 'c' } },
        b: { invoke: { src: fromPromise(async () => 1), systemId: 'one' } },
        c: { on: { begin: 'b' } },
      },
    });
    expect(names(explore(chart, { events: say('begin', 'pass') }))).toEqual(['a', 'b', 'c']);
  });

  test('merges states whose `project` results are equal', () => {
    const turns = createMachine({
      context: { turn: 0, noise: 0 },
      on: {
        turn: {
          actions: assign(({ context: { turn, noise } }) => ({ turn: (turn + 1) % 3, noise: noise + 1 })),
        },
      },
    });
    const graph = explore(turns, { events: say('turn'), project: ({ turn }) => turn });
    expect(graph.states.map(({ context }) => context.turn)).toEqual([0, 1, 2]);
    expect(steps(graph)).toEqual(['0 turn 1', '1 turn 2', '2 turn 0']);
  });

  test('passes the input to the chart, and begins after `after`', () => {
    const chart = setup({
      types: { input: {} as { from: number }, context: {} as { at: number } },
    }).createMachine({
      context: ({ input }) => ({ at: input.from }),
      on: {
        up: {
          guard: ({ context }) => context.at < 3,
          actions: assign({ at: ({ context }) => context.at + 1 }),
        },
      },
    });
    const graph = explore(chart, { input: { from: 1 }, after: say('up'), events: say('up') });
    expect(graph.states.map(({ context }) => context.at)).toEqual([2, 3]);
    expect(graph.after).toEqual(say('up'));
  });
});

describe('A failed exploration', () => {
  test('reports an unbounded chart with one state more than the limit, and none at the limit', () => {
    expect(explore(counter(9), { events: say('up'), limit: 10 }).states).toHaveLength(10);
    const { code, details } = errorOf(() => explore(counter(10), { events: say('up'), limit: 10 }));
    expect([code, details]).toEqual(['chart_unbounded', { machine: 'counter', limit: 10, state: '' }]);
  });

  test('reports a refused event in `after`', () => {
    const { code, details } = errorOf(() => explore(door, { after: say('open', 'lock'), events: [] }));
    expect([code, details]).toEqual([
      'chart_refuses',
      { machine: 'door', event: 'lock', state: 'ajar', at: 1 },
    ]);
  });

  test('reports the shortest events that make a guard or an action throw', () => {
    const chart = createMachine({
      id: 'm',
      initial: 'a',
      states: {
        a: { on: { round: 'b', on: 'c' } },
        b: { on: { on: 'c' } },
        c: {
          on: {
            look: {
              guard: blind,
            },
          },
        },
      },
    });
    const { code, message, details } = errorOf(() => explore(chart, { events: say('round', 'on', 'look') }));
    expect([code, details]).toEqual([
      'chart_broken',
      { machine: 'm', events: ['{"type":"on"}', '{"type":"look"}'], state: 'c' },
    ]);
    expect(message).toContain('blind');
    const far = errorOf(() => explore(chart, { after: say('round'), events: say('on', 'look') }));
    expect(far.code).toBe('chart_broken');
  });

  test('includes the events of `after` in that report', () => {
    const chart = createMachine({
      id: 'm',
      initial: 'a',
      states: {
        a: { on: { on: 'b' } },
        b: { on: { look: { guard: blind } } },
      },
    });
    const { details } = errorOf(() => explore(chart, { after: say('on'), events: say('look') }));
    expect(details).toMatchObject({ events: ['{"type":"on"}', '{"type":"look"}'] });
  });

  test('reports an event in `after` that throws', () => {
    const chart = createMachine({ on: { look: { guard: blind } } });
    expect(errorOf(() => explore(chart, { after: say('look'), events: [] })).code).toBe('chart_broken');
  });
});

test('asks for no events of a settled state', () => {
  const asked: string[] = [];
  const events = ({ value }: AnyMachineSnapshot) => {
    asked.push(stateName(value));
    return say('open', 'lock', 'unlock', 'burn');
  };
  const found = explore(door, { events });
  expect(names(found)).toContain('gone');
  expect(asked.toSorted()).toEqual(
    names(found)
      .filter((name) => name !== 'gone')
      .toSorted(),
  );
});
