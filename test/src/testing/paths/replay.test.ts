import { taskMachine } from 'agentcharter/machines';
import {
  callOf,
  edgeCover,
  explore,
  inWorld,
  replay,
  shortestPaths,
  simplePaths,
  testPaths,
  type Graph,
  type Path,
  type World,
} from 'agentcharter/testing';
import { describe, expect, test } from 'vitest';
import { assign, createMachine, type AnyStateMachine } from 'xstate';
import { Path as Walk } from '../../../../src/testing/paths/path.ts';

const say = (...types: readonly string[]) => types.map((type) => ({ type }));

/** Counts to a bound while it is on, and remembers where it was when it is paused. */
const chartOf = (bound: number) =>
  createMachine({
    id: 'm',
    context: { count: 0, since: new Date(0) },
    initial: 'on',
    states: {
      on: {
        initial: 'low',
        on: {
          up: {
            guard: ({ context }) => context.count < bound,
            target: '.high',
            actions: assign({ count: ({ context }) => context.count + 1 }),
          },
          pause: 'paused',
          stop: 'over',
        },
        states: { low: {}, high: { on: { down: 'low' } }, past: { type: 'history' } },
      },
      paused: { on: { resume: 'on.past' } },
      over: { type: 'final' },
    },
  });
const exploration = { events: say('up', 'down', 'pause', 'resume', 'stop') };
const graph: Graph<AnyStateMachine> = explore(chartOf(2), exploration);

/** The same path, taken by another chart. */
const takenBy = (machine: AnyStateMachine, { steps }: Path<AnyStateMachine>): Path<AnyStateMachine> =>
  new Walk<AnyStateMachine>(Object.assign(Object.create(graph) as typeof graph, { machine }), steps);

const region = (event: string) => ({ initial: 'x', states: { x: { on: { [event]: 'y' } }, y: {} } });

describe('replay', () => {
  test('shows the states of every path, even when the actor is saved and restored after each event', () => {
    const paths = [...edgeCover(graph), ...simplePaths(graph)];
    for (const path of paths) {
      replay(path);
      replay(path, { restored: true });
    }
    expect(paths.length).toBeGreaterThan(20);
  });

  test('begins after the events of `after`', () => {
    const later = explore(chartOf(2), { ...exploration, after: say('up', 'pause') });
    for (const path of shortestPaths(later)) replay(path);
    expect(later.states.length).toBeGreaterThan(3);
  });

  test('throws when a chart shows too few, too many or other states', () => {
    const [far] = shortestPaths(graph, { to: ({ context }) => context.count === 2 });
    const path = far ?? expect.fail('nothing counts to two');
    expect(() => replay(takenBy(chartOf(2), path))).not.toThrow();
    expect(() => replay(takenBy(chartOf(1), path))).toThrow('on.high');
    expect(() => replay(takenBy(chartOf(1), path), { restored: true })).toThrow('on.high');
    const other = createMachine({ context: { count: 0 }, on: { up: { actions: assign({ count: 9 }) } } });
    expect(() => replay(takenBy(other, path))).toThrow();
  });

  test('throws when a chart begins in another state', () => {
    const [begun] = shortestPaths(graph);
    const path = begun ?? expect.fail('nothing begins');
    const other = createMachine({ initial: 'elsewhere', states: { elsewhere: {} } });
    expect(() => replay(takenBy(other, path))).toThrow();
  });

  test('accepts regions that reached their states in another order', () => {
    const both = createMachine({
      initial: 'job',
      states: {
        job: {
          type: 'parallel',
          on: { park: 'parked' },
          states: {
            left: region('left'),
            right: region('right'),
            past: { type: 'history', history: 'deep' },
          },
        },
        parked: { on: { resume: 'job.past' } },
      },
    });
    const paths = [...simplePaths(explore(both, { events: say('left', 'right', 'park', 'resume') }))];
    for (const path of paths) replay(path);
  });
});

describe('testPaths', () => {
  const declared: (readonly [string, () => void | Promise<void>])[] = [];
  const declare = (title: string, run: () => void | Promise<void>): void => void declared.push([title, run]);

  test('declares one test for each path under its numbered title, and runs none yet', () => {
    declared.length = 0;
    const paths = shortestPaths(graph);
    const ran: string[] = [];
    testPaths(declare, paths, ({ title }) => void ran.push(title));
    expect(declared.map(([title]) => title)).toEqual(paths.map(({ title }, at) => `${at + 1}. ${title}`));
    expect(ran).toEqual([]);
    for (const [, run] of declared) void run();
    expect(ran).toEqual(paths.map(({ title }) => title));
  });

  test('declares titles of at most 100 characters, each of them once', () => {
    declared.length = 0;
    const world: World = {
      name: 'a read',
      taskClass: { limits: { repairs: 0, revisions: 0, pauses: 1, corrections: 0, rounds: 1 } },
      plans: [[callOf.read('read')]],
      never: ['output.rejected', 'help.requested', 'question.raised'],
    };
    testPaths(declare, edgeCover(explore(taskMachine, inWorld(world))));
    const titles = declared.map(([title]) => title);
    expect(titles.length).toBeGreaterThan(100);
    expect(Math.max(...titles.map((title) => title.length))).toBeLessThanOrEqual(100);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.some((title) => title.includes('…'))).toBe(true);
  });

  test('replays its path on a live actor, and fails as replay does', () => {
    declared.length = 0;
    const [far] = shortestPaths(graph, { to: ({ context }) => context.count === 2 });
    const path = far ?? expect.fail('nothing counts to two');
    testPaths(declare, [path, takenBy(chartOf(1), path)]);
    const [sound, broken] = declared.map(([, run]) => run);
    expect(sound).not.toThrow();
    expect(broken).toThrow('on.high');
  });

  test('throws when there are no paths', () => {
    expect(() => testPaths(declare, shortestPaths(graph, { to: () => false }))).toThrow(RangeError);
  });
});

describe('The paths of a chart as tests', () => {
  testPaths(test, shortestPaths(graph));
});
