import { runInThisContext } from 'node:vm';
import {
  check,
  everyRunEnds,
  explore,
  inEveryState,
  inEveryStep,
  staysReachable,
  type Exploration,
  type Property,
} from 'agentcharter/testing';
import { describe, expect, test } from 'vitest';
import { assign, createMachine, setup, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import { stateName } from '../../../machines/index.ts';

const say = (...types: readonly string[]) => types.map((type) => ({ type }));
const at = ({ value }: AnyMachineSnapshot): string => stateName(value);
const isDone = ({ status }: AnyMachineSnapshot): boolean => status === 'done';
type Asked = Property<AnyStateMachine>;

/** What breaks in a chart, as the kit tells it. */
const broken = (
  machine: AnyStateMachine,
  exploration: Exploration<AnyStateMachine>,
  ...asked: readonly Asked[]
) => check(explore(machine, exploration), asked);

const typesOf = ({ events }: { readonly events: readonly { readonly type: string }[] }) =>
  events.map(({ type }) => type).join(' ');

/** Runs a test as it was printed, where its reader has pasted it; throws where it fails. */
const paste = (
  text: string,
  machine: AnyStateMachine,
  exploration: Exploration<AnyStateMachine>,
  properties: readonly Asked[],
): readonly string[] => {
  const titles: string[] = [];
  const declare = (title: string, run: () => void): void => {
    titles.push(title);
    run();
  };
  const pasted: unknown = runInThisContext(
    `({ machine, properties, exploration, explore, check, test, expect }) => {\n${text}\n}`,
  );
  const run = pasted as (names: Readonly<Record<string, unknown>>) => void;
  run({ machine, properties, exploration, explore, check, test: declare, expect });
  return titles;
};

/** Asks for a signature, and sends; where it is unguarded, it also sends what nobody signed. */
const letter = (guarded: boolean) =>
  setup({ types: { input: {} as { owner: string } } }).createMachine({
    id: 'letter',
    context: ({ input: { owner } }) => ({ owner, by: '' }),
    initial: 'draft',
    states: {
      draft: {
        on: {
          sign: {
            target: 'signed',
            meta: { cites: 'UAICP 5.3' },
            guard: ({ context, event }) => event['by'] === context.owner,
            actions: assign({ by: ({ event }) => String(event['by']) }),
          },
          file: { target: 'filed', meta: { cites: 'UAICP 5.4' } },
        },
      },
      signed: { on: { send: 'leaving', file: 'filed' } },
      filed: {
        on: { find: 'draft', rush: { target: 'leaving', guard: () => !guarded, description: 'in a hurry' } },
      },
      leaving: { always: { target: 'sent', meta: { cites: 'UAICP 4.2' } } },
      sent: { type: 'final' },
    },
  });

const events = [{ type: 'sign', by: 'kim' }, ...say('file', 'find', 'send', 'rush')];
const post = { input: { owner: 'kim' }, events };
const isSigned = ({ value, context }: AnyMachineSnapshot): boolean =>
  value !== 'sent' || context.by === 'kim';
const safety: Asked = inEveryState('what is sent was signed', isSigned);
const order: Asked = inEveryStep(
  'only what is signed is sent',
  ({ from, to }) => at(to) !== 'sent' || at(from) === 'signed',
);

describe('A safety property', () => {
  test('holds in a correct chart', () => {
    expect(broken(letter(true), post, safety, order)).toEqual([]);
  });

  test('fails with a shortest run, which cites the sources of its transitions', () => {
    const [first, second, ...others] = broken(letter(false), post, safety, order);
    expect(others).toEqual([]);
    expect(first?.trace).toMatchInlineSnapshot(`
      "what is sent was signed: broken
        1. file
           draft -> filed  [UAICP 5.4]
        2. rush
           filed -> sent  [in a hurry; UAICP 4.2]"
    `);
    expect(second?.trace).toMatchInlineSnapshot(`
      "only what is signed is sent: broken
        1. file
           draft -> filed  [UAICP 5.4]
        2. rush
           filed -> sent  [in a hurry; UAICP 4.2]"
    `);
    expect(first?.test).toMatchInlineSnapshot(`
      "test("what is sent was signed", () => {
        const graph = explore(machine, {
          ...exploration,
          events: [
            {"type":"file"},
            {"type":"rush"},
          ],
        });
        const asked = properties.filter((property) => property.name === "what is sent was signed");
        expect(check(graph, asked).map(({ trace }) => trace)).toEqual([]);
      });
      "
    `);
    expect(second?.test).toMatchInlineSnapshot(`
      "test("only what is signed is sent", () => {
        const graph = explore(machine, {
          ...exploration,
          events: [
            {"type":"file"},
            {"type":"rush"},
          ],
        });
        const asked = properties.filter((property) => property.name === "only what is signed is sent");
        expect(check(graph, asked).map(({ trace }) => trace)).toEqual([]);
      });
      "
    `);
  });

  test('fails in the first state without any event', () => {
    const [found] = broken(
      letter(true),
      post,
      inEveryState('no drafts', (snapshot) => at(snapshot) !== 'draft'),
    );
    expect(found?.events).toEqual([]);
    expect(found?.trace).toBe('no drafts: broken\n');
  });

  test('reports the run from the initial state when the exploration began later', () => {
    const [found] = broken(letter(false), { ...post, after: say('file') }, safety);
    expect(found?.events).toEqual(say('file', 'rush'));
  });

  test('fails with a shortest run in a chart with many paths', () => {
    const grid = createMachine({
      context: { x: 0, y: 0 },
      on: {
        east: {
          guard: ({ context }) => context.x < 8,
          actions: assign({ x: ({ context }) => context.x + 1 }),
        },
        north: {
          guard: ({ context }) => context.y < 8,
          actions: assign({ y: ({ context }) => context.y + 1 }),
        },
        leap: { guard: ({ context }) => context.x === 2, actions: assign({ x: 7 }) },
      },
    });
    const asked = [
      inEveryState<typeof grid>('state', ({ context }) => context.x + context.y < 11),
      inEveryStep<typeof grid>('step', ({ to }) => to.context.x + to.context.y < 11),
    ];
    const found = check(explore(grid, { events: say('east', 'north', 'leap') }), asked);
    expect(found.map(({ property, events }) => [property, events.length])).toEqual([
      ['state', 7],
      ['step', 7],
    ]);
  });
});

const chain = (edges: Readonly<Record<string, string>>, final = 'end') =>
  createMachine({
    id: 'm',
    initial: 'start',
    states: {
      ...Object.fromEntries(
        Object.entries(edges).map(([from, to]) => [
          from,
          {
            on: Object.fromEntries(
              to
                .split(' ')
                .filter(Boolean)
                .map((name) => [name, { target: name, actions: assign({}) }]),
            ),
          },
        ]),
      ),
      [final]: { type: 'final' },
    },
  });
const among = (edges: Readonly<Record<string, string>>) => ({ events: say('end', ...Object.keys(edges)) });

describe('A property that stays reachable', () => {
  const reachable: Asked = staysReachable('the end stays reachable', isDone);
  const asked = (edges: Readonly<Record<string, string>>) => broken(chain(edges), among(edges), reachable);

  test('holds when a good state is reachable, even through a cycle', () => {
    expect(asked({ start: 'a', a: 'b', b: 'start end' })).toEqual([]);
  });

  test('fails with a shortest run to a dead end or a trap', () => {
    expect(asked({ start: 'a b', a: 'end', b: 'c a', c: 'd', d: '' }).map(typesOf)).toEqual(['b c']);
    expect(asked({ start: 'a', a: 'b end', b: 'c', c: 'b' }).map(typesOf)).toEqual(['a b']);
  });

  test('fails at once when no state is good', () => {
    expect(asked({ start: 'a', a: 'start' }).map(typesOf)).toEqual(['']);
  });
});

const endsBut = (...outside: readonly string[]): Asked =>
  everyRunEnds('every run ends', ({ event }) => outside.includes(event.type));

describe('A property that every run ends', () => {
  const ends: Asked = everyRunEnds('every run ends');
  const asked = (edges: Readonly<Record<string, string>>, property = ends) =>
    broken(chain(edges), among(edges), property);

  test('holds in a chart without cycles, dead ends included', () => {
    expect(asked({ start: 'a b', a: 'c', b: 'c', c: 'end d', d: '' })).toEqual([]);
  });

  test('fails with the path into a cycle and once around it', () => {
    expect(asked({ start: 'a', a: 'b', b: 'c end', c: 'a d', d: 'e', e: 'end' }).map(typesOf)).toEqual([
      'a b c a',
    ]);
  });

  test('fails with the shortest path around the nearest cycle', () => {
    expect(asked({ start: 'a', a: 'b c', b: 'd', d: 'a', c: 'a' }).map(typesOf)).toEqual(['a c a']);
  });

  test('fails on a state that leads to itself', () => {
    expect(asked({ start: 'a', a: 'a end' }).map(typesOf)).toEqual(['a a']);
  });

  test('allows a cycle of outside events only, and no other', () => {
    const edges = { start: 'a', a: 'b end', b: 'a c', c: 'b' };
    expect(asked(edges, endsBut('a', 'b'))).toEqual([]);
    expect(asked(edges, endsBut('a')).map(typesOf)).toEqual(['a b c b']);
    expect(asked(edges, endsBut('b'))).toEqual([]);
  });
});

/** Counts up to a bound, with something unplain beside. */
const noisy = (bound: number) =>
  createMachine({
    context: { count: 0, seen: new Set<string>() },
    on: {
      up: {
        guard: ({ context }) => context.count < bound,
        actions: assign({ count: ({ context }) => context.count + 1 }),
      },
    },
  });

describe('A printed regression test', () => {
  const unruly = chain({ start: 'a', a: 'b start end', b: '' });
  const ruly = chain({ start: 'a', a: 'end' });
  const unrulyEvents = among({ start: '', a: '', b: '' });
  const liveness: readonly Asked[] = [
    staysReachable('the end stays reachable', isDone),
    everyRunEnds('every run ends'),
  ];

  test.each([
    ['for every state', safety, letter(false), letter(false), post],
    ['for every step', order, letter(false), letter(false), post],
    ['for what stays reachable', liveness[0], unruly, unruly, unrulyEvents],
    ['for what ends', liveness[1], unruly, unruly, unrulyEvents],
  ])('%s fails on the broken chart', (_, property, machine, __, exploration) => {
    const asked = property === undefined ? [] : [property];
    const [found] = broken(machine, exploration, ...asked);
    expect(() => paste(found?.test ?? '', machine, exploration, asked)).toThrow('deeply equal');
  });

  test('for every step passes on the corrected chart', () => {
    const [found] = broken(letter(false), post, order);
    expect(paste(found?.test ?? '', letter(true), post, [order, safety])).toEqual([order.name]);
  });

  test('for every state passes on a chart that refuses the last event', () => {
    const [found] = broken(letter(false), post, safety);
    expect(paste(found?.test ?? '', letter(true), post, [order, safety])).toEqual([safety.name]);
  });

  test.each(liveness.map((property) => [property.name, property] as const))(
    'for “%s” passes on a chart that ends',
    (_, property) => {
      const [found] = broken(unruly, unrulyEvents, property);
      expect(paste(found?.test ?? '', ruly, unrulyEvents, liveness)).toEqual([property.name]);
    },
  );

  test('explores with the projection of the original check', () => {
    const exploration: Exploration<AnyStateMachine> = {
      events: say('up'),
      project: ({ count }: { readonly count: number }) => count,
    };
    const few: Asked = inEveryStep('two at most', ({ to }) => to.context.count <= 2);
    const [found] = broken(noisy(3), exploration, few);
    expect(() => paste(found?.test ?? '', noisy(3), exploration, [few])).toThrow('deeply equal');
    expect(paste(found?.test ?? '', noisy(2), exploration, [few])).toEqual([few.name]);
  });
});
