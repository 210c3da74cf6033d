import { inWorld, type Exploration } from 'agentcharter/testing';
import { taskMachine } from 'agentcharter/machines';
import { assign, createMachine, type AnyStateMachine } from 'xstate';
import { worlds } from '../machines/worlds.ts';

/** A chart, and how it is explored. */
export interface Subject {
  readonly machine: AnyStateMachine;
  readonly exploration: Exploration<AnyStateMachine>;
}

/** What is measured, and a small one of its kind to warm up on. */
export interface Trial {
  readonly subject: Subject;
  readonly small: Subject;
}

/** What a run has beside what moves it. */
const still = {
  request: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  owner: 'kim',
  tier: 'write_low_risk',
  threshold: 0.5,
  authorities: ['approval', 'human'],
  limits: { repairs: 1, rounds: 2 },
  waived: false,
};

interface Counts {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

type Counter = keyof Counts;

/** Three bounded counters, in a context of ten fields: `a * b * c` states. */
const counters = (bounds: Counts): AnyStateMachine => {
  const up = (of: Counter) => ({
    guard: ({ context }: { context: Counts }) => context[of] < bounds[of] - 1,
    actions: assign({ [of]: ({ context }: { context: Counts }) => context[of] + 1 }),
  });
  return createMachine({
    id: 'counters',
    context: { a: 0, b: 0, c: 0, ...still },
    on: { a: up('a'), b: up('b'), c: up('c') },
  } as never);
};

/** One state after another: `length` of them. */
const chain = (length: number): AnyStateMachine =>
  createMachine({
    id: 'chain',
    context: { depth: 0, ...still },
    on: {
      on: {
        guard: ({ context }) => context.depth < length - 1,
        actions: assign({ depth: ({ context }) => context.depth + 1 }),
      },
    },
  }) as AnyStateMachine;

/** Two ways from each of `length` crossings to the next. */
const crossings = (length: number): AnyStateMachine => {
  const names = Array.from({ length }, (_, at) => at);
  return createMachine({
    id: 'crossings',
    initial: 'x0',
    states: Object.fromEntries([
      ...names.flatMap((at) => [
        [`x${at}`, { on: { left: `l${at}`, right: `r${at}` } }],
        [`l${at}`, { on: { on: `x${at + 1}` } }],
        [`r${at}`, { on: { on: `x${at + 1}` } }],
      ]),
      [`x${length}`, {}],
    ]),
  } as never);
};

/** Every room leads to every other. */
const rooms = (count: number): AnyStateMachine => {
  const names = Array.from({ length: count }, (_, room) => `r${room}`);
  return createMachine({
    id: 'rooms',
    initial: 'r0',
    on: Object.fromEntries(names.map((name) => [name, `.${name}`])),
    states: Object.fromEntries(names.map((name) => [name, {}])),
  } as never);
};

const say = (...types: readonly string[]) => types.map((type) => ({ type }));
const events = say('a', 'b', 'c', 'on', 'left', 'right');

const compared = (machine: AnyStateMachine, small: AnyStateMachine, said = events): Trial => {
  const exploration = { events: said, limit: 200_000 };
  return { subject: { machine, exploration }, small: { machine: small, exploration } };
};

const few = counters({ a: 10, b: 10, c: 10 });
const roomed = (count: number): Trial =>
  compared(rooms(count), rooms(4), say(...Array.from({ length: count }, (_, room) => `r${room}`)));

const inTask = (named: string): Trial => {
  const world = worlds.find(({ name }) => name === named);
  if (world === undefined) throw new RangeError(`there is no world of ${named}`);
  const exploration: Exploration<typeof taskMachine> = inWorld(world);
  const subject = {
    machine: taskMachine,
    exploration: exploration as unknown as Exploration<AnyStateMachine>,
  };
  return { subject, small: subject };
};

/** What is explored, by its name in the table. */
export const explored: Readonly<Record<string, () => Trial>> = {
  'task: a checked high-risk write': () =>
    inTask('a checked high-risk write behind a read, repaired by another execution'),
  'task: identifiers used twice': () => inTask('identifiers used twice by two reads'),
  'counters, 1,000 states': () => compared(few, few),
  'counters, 10,000 states': () => compared(counters({ a: 20, b: 20, c: 25 }), few),
  'counters, 100,000 states': () => compared(counters({ a: 40, b: 50, c: 50 }), few),
  'chain, 1,000 states': () => compared(chain(1_000), chain(1_000)),
  'chain, 10,000 states': () => compared(chain(10_000), chain(1_000)),
  'chain, 100,000 states': () => compared(chain(100_000), chain(1_000)),
};

/** Of what every simple path is walked. */
export const walked: Readonly<Record<string, () => Trial>> = {
  'task: a followup': () => inTask('a delivered run that offers a followup'),
  'task: a write that cannot be undone': () => inTask('a high-risk write that cannot be undone'),
  'counters, 4 x 3 x 3': () => compared(counters({ a: 4, b: 3, c: 3 }), counters({ a: 2, b: 2, c: 2 })),
  'counters, 5 x 5 x 5': () => compared(counters({ a: 5, b: 5, c: 5 }), counters({ a: 2, b: 2, c: 2 })),
  'crossings, 10': () => compared(crossings(10), crossings(3)),
  'rooms, 7': () => roomed(7),
};
