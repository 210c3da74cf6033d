import { explore, type Graph } from 'agentcharter/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assign, createMachine, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import { stateName } from '../../../machines/index.ts';
import { runs } from '../../machines/generated.ts';
import { stepper } from '../../../src/testing/chart.ts';

const say = (...types: readonly string[]) => types.map((type) => ({ type }));

/** Everything that there is in a snapshot: where it stands, what it knows, and all that it ever remembered. */
const wholeKey = ({ status, _nodes, context, historyValue }: AnyMachineSnapshot): string =>
  JSON.stringify([
    status,
    _nodes.map(({ id }) => id).toSorted(),
    context,
    Object.entries(historyValue)
      .map(([history, nodes]) => [history, ...nodes.map(({ id }) => id).toSorted()].join(' '))
      .toSorted(),
  ]);

/** Every snapshot of a chart, where nothing at all is merged, and where each event takes it; a refused one takes it nowhere. */
const wholeOf = (machine: AnyStateMachine, types: readonly string[]) => {
  const { initial, step } = stepper(machine, undefined);
  const begun: AnyMachineSnapshot = initial();
  const seen = new Map([[wholeKey(begun), begun]]);
  return Array.from(seen.values(), (snapshot) => ({
    snapshot,
    nexts: types.map((type) => {
      const next: AnyMachineSnapshot = step(snapshot, { type });
      if (!seen.has(wholeKey(next))) seen.set(wholeKey(next), next);
      return { type, next: next === snapshot ? null : next };
    }),
  }));
};

/** What a graph gets wrong about a chart: a snapshot that it lacks, or a step that leads elsewhere; nothing where it is bisimilar. */
const differences = (graph: Graph<AnyStateMachine>, whole: ReturnType<typeof wholeOf>): readonly string[] => {
  const { keyOf, states } = graph;
  const numbers = new Map(states.map((snapshot, state) => [keyOf(snapshot), state]));
  return whole.flatMap(({ snapshot, nexts }) => {
    const state = numbers.get(keyOf(snapshot));
    if (state === undefined) return [`lacks ${stateName(snapshot.value)}`];
    return nexts
      .filter(({ type, next }) => {
        const edge = graph.leaving(state).find(({ event }) => event.type === type);
        return edge?.to !== (next === null ? undefined : numbers.get(keyOf(next)));
      })
      .map(({ type }) => `${stateName(snapshot.value)} ${type}`);
  });
};

/** A chart as the kit sees it, and as it is when nothing is merged. */
const seen = (machine: AnyStateMachine, ...types: readonly string[]) => {
  const graph: Graph<AnyStateMachine> = explore(machine, { events: say(...types) });
  const names = graph.states.map((snapshot: AnyMachineSnapshot) => stateName(snapshot.value)).toSorted();
  const whole = wholeOf(machine, types);
  return { names, wrong: differences(graph, whole), whole: whole.length };
};

/** Two steps of work, and a history to come back to them through. */
const work = {
  initial: 'a',
  on: { park: '#parked' },
  states: { a: { on: { on: 'b' } }, b: {}, back: { id: 'back', type: 'history' } },
} as const;

/** Like it, with a state of its own to be parked in. */
const room = (name: string) => ({
  initial: 'a',
  on: { park: `#before-${name}` },
  states: { a: { on: { on: 'b' } }, b: {}, h: { id: `in-${name}`, type: 'history' as const } },
});

describe('The history in a state’s key', () => {
  test('counts before a return, with one state for each remembered child', () => {
    const chart = createMachine({
      initial: 'work',
      states: { work, parked: { id: 'parked', on: { resume: '#back' } } },
    });
    const { names, wrong, whole } = seen(chart, 'on', 'park', 'resume');
    expect(names).toEqual(['parked', 'parked', 'work.a', 'work.b']);
    expect([wrong, whole]).toEqual([[], 7]);
  });

  test('counts in every state that leads to a return, by events or without', () => {
    const chart = createMachine({
      initial: 'work',
      context: { tired: false },
      states: {
        work,
        parked: { id: 'parked', on: { rest: 'resting', tire: { actions: assign({ tired: true }) } } },
        resting: {
          always: { target: 'awake', guard: ({ context }) => !context.tired },
          on: { wake: 'awake' },
        },
        awake: { on: { resume: '#back', leave: 'gone' } },
        gone: { on: { again: 'work.a' } },
      },
    });
    const { names, wrong } = seen(chart, 'on', 'park', 'tire', 'rest', 'wake', 'resume', 'leave', 'again');
    expect(names.filter((name) => name === 'parked')).toHaveLength(4);
    expect(names.filter((name) => name === 'awake')).toHaveLength(4);
    expect(names.filter((name) => name === 'resting')).toHaveLength(2);
    expect(names.filter((name) => name === 'gone')).toHaveLength(2);
    expect(wrong).toEqual([]);
  });

  test('is dropped where it is overwritten before a return', () => {
    const chart = createMachine({
      initial: 'work',
      states: {
        work: { ...work, on: { park: '#parked', offer: 'followup' } },
        parked: { id: 'parked', on: { resume: '#back' } },
        followup: { on: { change: 'work', settle: 'settled' } },
        settled: { type: 'final' },
      },
    });
    const { names, wrong, whole } = seen(chart, 'on', 'park', 'resume', 'offer', 'change', 'settle');
    expect(names).toEqual(['followup', 'parked', 'parked', 'settled', 'work.a', 'work.b']);
    expect(wrong).toEqual([]);
    expect(whole).toBeGreaterThan(names.length);
  });

  test('is dropped in a chart without a return', () => {
    const chart = createMachine({
      initial: 'work',
      states: { work, parked: { id: 'parked', on: { anew: 'work' } } },
    });
    const { names, wrong } = seen(chart, 'on', 'park', 'anew');
    expect(names).toEqual(['parked', 'work.a', 'work.b']);
    expect(wrong).toEqual([]);
  });

  test('keeps the child for a shallow history, and all descendants for a deep one, in every region', () => {
    const stage = { initial: 'one', states: { one: { on: { on: 'two' } }, two: {} } } as const;
    const other = { initial: 'one', states: { one: { on: { other: 'two' } }, two: {} } } as const;
    const chart = createMachine({
      initial: 'job',
      states: {
        job: {
          type: 'parallel',
          on: { shallow: '#shelf', deep: '#freezer' },
          states: {
            left: { initial: 'x', states: { x: stage, y: {} }, on: { skip: '.y' } },
            right: other,
            light: { id: 'light', type: 'history' },
            full: { id: 'full', type: 'history', history: 'deep' },
          },
        },
        shelf: { id: 'shelf', on: { resume: '#light' } },
        freezer: { id: 'freezer', on: { resume: '#full' } },
      },
    });
    const { names, wrong } = seen(chart, 'on', 'other', 'skip', 'shallow', 'deep', 'resume');
    expect(names.filter((name) => name.startsWith('job'))).toHaveLength(6);
    expect(names.filter((name) => name === 'freezer')).toHaveLength(6);
    expect(names.filter((name) => name === 'shelf')).toHaveLength(1);
    expect(wrong).toEqual([]);
  });

  test('keeps two histories apart, each for its own return', () => {
    const chart = createMachine({
      initial: 'first',
      states: {
        first: room('first'),
        second: room('second'),
        hall: { id: 'before-first', on: { resume: '#in-first', other: 'second' } },
        yard: { id: 'before-second', on: { resume: '#in-second', other: '#in-first' } },
      },
    });
    const { names, wrong } = seen(chart, 'on', 'park', 'resume', 'other');
    expect(wrong).toEqual([]);
    expect(names.filter((name) => name === 'hall')).toHaveLength(2);
    expect(names.filter((name) => name === 'yard')).toHaveLength(4);
  });
});

describe('A return that is hard to find', () => {
  test('is found when a state targets its own history', () => {
    const chart = createMachine({
      initial: 'work',
      states: {
        work: { ...work, on: { park: '#parked', back: '#back' } },
        parked: { id: 'parked', on: { anew: 'work' } },
      },
    });
    expect(seen(chart, 'on', 'park', 'back', 'anew').wrong).toEqual([]);
  });

  test('is found when a history is the initial state', () => {
    const chart = createMachine({
      initial: 'work',
      states: {
        work: {
          ...work,
          initial: 'back',
          states: { ...work.states, back: { type: 'history', target: 'a' } },
        },
        parked: { id: 'parked', on: { resume: 'work' } },
      },
    });
    expect(seen(chart, 'on', 'park', 'resume').wrong).toEqual([]);
  });

  test('is found in a region that a sibling starts', () => {
    const chart = createMachine({
      initial: 'work',
      states: {
        work,
        parked: { id: 'parked', on: { split: '#left' } },
        both: {
          type: 'parallel',
          states: {
            left: { initial: 'l', states: { l: { id: 'left' } } },
            right: { initial: 'r', states: { r: { on: { resume: '#back' } } } },
          },
        },
      },
    });
    expect(seen(chart, 'on', 'park', 'split', 'resume').wrong).toEqual([]);
  });

  test('is found through another history', () => {
    const chart = createMachine({
      initial: 'desk',
      states: {
        desk: {
          initial: 'empty',
          on: { leave: 'work' },
          states: {
            empty: { on: { fill: 'full' } },
            full: { on: { resume: '#back' } },
            last: { type: 'history' },
          },
        },
        work,
        parked: { id: 'parked', on: { desk: 'desk.last' } },
      },
    });
    expect(seen(chart, 'fill', 'leave', 'on', 'park', 'desk', 'resume').wrong).toEqual([]);
  });
});

const region = (event: string) => ({ initial: 'x', states: { x: { on: { [event]: 'y' } }, y: {} } });

test('ignores the order in which regions reached their states', () => {
  const chart = createMachine({
    initial: 'job',
    context: { last: '' },
    on: { forget: { actions: assign({ last: '' }) } },
    states: {
      job: {
        type: 'parallel',
        on: { park: 'parked', l: { actions: assign({ last: 'l' }) }, r: { actions: assign({ last: 'r' }) } },
        states: { left: region('left'), right: region('right'), h: { type: 'history', history: 'deep' } },
      },
      parked: { on: { resume: 'job.h' } },
    },
  });
  const { names, wrong } = seen(chart, 'left', 'right', 'l', 'r', 'park', 'resume', 'forget');
  expect(wrong).toEqual([]);
  expect(names.filter((name) => name === 'parked')).toHaveLength(12);
});

const ids = [
  'work',
  'a',
  'b',
  'back',
  'both',
  'left',
  'l1',
  'l2',
  'right',
  'r1',
  'r2',
  'deep',
  'desk',
  'd1',
  'd2',
  'last',
  'yard',
];
const places = [
  'work',
  'a',
  'b',
  'both',
  'left',
  'l1',
  'l2',
  'right',
  'r1',
  'r2',
  'desk',
  'd1',
  'd2',
  'yard',
];

/** A chart of three rooms, each with a history, whose steps go from anywhere to anywhere. */
const wild = (
  ways: readonly {
    readonly from: string;
    readonly on: string;
    readonly to: string;
    readonly reenter: boolean;
  }[],
  first: string,
) => {
  const from = (id: string) => ({
    id,
    on: Object.fromEntries(
      ways.filter((way) => way.from === id).map(({ on, to, reenter }) => [on, { target: `#${to}`, reenter }]),
    ),
  });
  const room = (id: string, one: string, two: string) => ({
    ...from(id),
    initial: one,
    states: { [one]: from(one), [two]: from(two) },
  });
  const work = room('work', 'a', 'b');
  const deskRoom = room('desk', 'd1', 'd2');
  return createMachine({
    initial: 'yard',
    states: {
      work: {
        ...work,
        initial: first,
        states: { ...work.states, back: { id: 'back', type: 'history', target: 'a' } },
      },
      both: {
        ...from('both'),
        type: 'parallel',
        states: {
          left: room('left', 'l1', 'l2'),
          right: room('right', 'r1', 'r2'),
          deep: { id: 'deep', type: 'history', history: 'deep' },
        },
      },
      desk: { ...deskRoom, states: { ...deskRoom.states, last: { id: 'last', type: 'history' } } },
      yard: from('yard'),
    },
  });
};

const inBoth = ['both', 'left', 'l1', 'l2', 'right', 'r1', 'r2'];

/** XState goes elsewhere than back when a parallel state is left for its own history: `keysOf` says that it knows no such chart. */
const isOwnHistory = ({ from, to }: { readonly from: string; readonly to: string }): boolean =>
  to === 'deep' && inBoth.includes(from);

test('builds a graph bisimilar to the chart', () => {
  const way = fc
    .record({
      from: fc.constantFrom(...places),
      on: fc.constantFrom('x', 'y', 'z'),
      to: fc.constantFrom(...ids),
      reenter: fc.boolean(),
    })
    .filter((one) => !isOwnHistory(one));
  let merged = 0;
  fc.assert(
    fc.property(
      fc.array(way, { minLength: 5, maxLength: 16 }),
      fc.constantFrom('a', 'back'),
      (ways, first) => {
        const { names, wrong, whole } = seen(wild(ways, first), 'x', 'y', 'z');
        merged += whole - names.length;
        expect(wrong).toEqual([]);
      },
    ),
    runs(150),
  );
  expect(merged).toBeGreaterThan(150);
});
