import { readFileSync } from 'node:fs';
import { callOf, explore, inWorld, type World } from 'agentcharter/testing';
import { expect, test } from 'vitest';
import { and, or } from 'xstate';
import { dutiesOf, taskMachine, violationsOf, type Context } from '../../machines/index.ts';
import { isAskedOfOthers, isWithin } from '../../src/testing/charter/properties/predicates.ts';
import { guardsOf } from '../../src/testing/guards.ts';
import { but, none } from './limit-worlds.ts';

const { read, send, undoable } = callOf;

/** Small worlds that together ask at every gate and reach the limits. */
const worlds: readonly World[] = [
  {
    name: 'evidence and checks before a write and before the answer',
    taskClass: {
      beforeWrite: { evidence: [{ type: 'tool_result' }], verifiers: ['check'] },
      beforeDeliver: { verifiers: ['facts'] },
      limits: none,
    },
    plans: [[read('r'), undoable('u')]],
    never: but('human.responded'),
  },
  {
    name: 'a high-risk write that asks',
    taskClass: { limits: { ...none, pauses: 1 } },
    plans: [[send('w')]],
    never: [...but('approval.granted', 'call.doubted', 'human.responded'), 'edit', 'instruction'],
  },
  {
    name: 'turns, calls and a followup',
    taskClass: {
      limits: { ...none, corrections: 1, rounds: 2, modelCalls: 3, calls: 1, pauses: 1 },
      followup: true,
    },
    plans: [[read('r'), read('s')], []],
    further: [read('t')],
    never: but('output.rejected', 'model', 'call.failed', 'unsure', 'human.responded'),
  },
  {
    name: 'a write that rests on a read',
    taskClass: { limits: { ...none, refreshes: 1, pauses: 1 } },
    plans: [[read('r'), undoable('u')]],
    never: but('evidence', 'dependency.awaited'),
  },
  {
    name: 'a write that the next plan drops',
    taskClass: { beforeDeliver: { verifiers: ['facts'] }, limits: { ...none, repairs: 1 } },
    plans: [[undoable('u')], []],
    never: but('call.failed'),
  },
];

type Snapshot = ReturnType<typeof taskMachine.resolveState>;

/** What becomes of a run: a gate or a limit opens, it hangs or loops, or it ends as it should. */
const verdicts = ['opens', 'stops', 'ends'] as const;
type Verdict = (typeof verdicts)[number];

class Opened extends Error {}

const forced = <Event extends object>(event: Event): Event => ({ ...event, forced: true });

const isOverLimit = (c: Context): boolean =>
  Object.entries(c.counters).some(([count, used]) => !isWithin(c, count, used));

/** Throws if a state is beyond a limit or a closed gate, or lets a call begin there. */
const checkClosed = (snapshot: Snapshot, world: World): void => {
  const { context } = snapshot;
  if (isOverLimit(context)) throw new Opened('a limit');
  if (snapshot.matches('completed') && context.outcome !== 'delivered') throw new Opened('completed');
  if (context.trail.includes('deliver') && violationsOf('deliver', context).length > 0)
    throw new Opened('deliver');
  for (const fact of inWorld(world).events(snapshot)) {
    if (fact.type !== 'call.started' || (!snapshot.can(fact) && !snapshot.can(forced(fact)))) continue;
    const call = context.calls[fact.call];
    const isAsking = Object.keys(context.questions).length > 0;
    if (call !== undefined && isAsking && isAskedOfOthers(context, [call])) continue; // the properties say which may
    const gate = call?.tier === 'read_only' ? 'execute' : 'write';
    if (violationsOf(gate, context).length > 0) throw new Opened(gate);
  }
};

const goesOn = (snapshot: Snapshot): boolean =>
  snapshot.status === 'done' ||
  snapshot.hasTag('settled') ||
  dutiesOf(snapshot).some(({ kind }) => kind !== 'wake');

const isForced = ({ event }: { readonly event: object }): boolean => 'forced' in event;
const isFree = (seen: { readonly event: object }): boolean => !isForced(seen);

/** The chart with a guard that, at each fact, says what it says in the chart, or the given answer. */
const chartWith = (guard: string, answer: boolean): typeof taskMachine => {
  const own = Object.entries(taskMachine.implementations.guards).find(([name]) => name === guard)?.[1];
  const given = answer ? or([isForced, own as never]) : and([isFree, own as never]); // XState types guards by their machine
  return taskMachine.provide({ guards: { [guard]: given as never } });
};

const verdictIn = (world: World, machine: typeof taskMachine): Verdict => {
  const { events, ...options } = inWorld(world);
  try {
    const { states } = explore(machine, {
      ...options,
      limit: 4_000,
      events: (snapshot) => {
        checkClosed(snapshot, world);
        return events(snapshot).flatMap((fact) => [fact, forced(fact)]);
      },
    });
    for (const snapshot of states) if (snapshot.status === 'done') checkClosed(snapshot, world);
    return states.every(goesOn) ? 'ends' : 'stops';
  } catch (fault) {
    return fault instanceof Opened ? 'opens' : 'stops'; // it loops, or has no end of states
  }
};

const verdictOf = (machine: typeof taskMachine): Verdict => {
  const found = worlds.map((world) => verdictIn(world, machine));
  return verdicts.find((verdict) => found.includes(verdict)) ?? 'ends';
};

test('the chart keeps its gates closed, and every run of it goes on', () => {
  expect(verdictOf(taskMachine)).toBe('ends');
});

const row = (answer: 'no' | 'yes'): string => {
  const found = new Map(
    guardsOf(taskMachine).map((guard) => [guard, verdictOf(chartWith(guard, answer === 'yes'))]),
  );
  const named = (verdict: Verdict): string =>
    [...found].flatMap(([guard, one]) => (one === verdict ? `\`${guard}\`` : [])).join(' ');
  return `| "${answer}" | ${named('opens')} | ${named('stops')} |`;
};

test.each(['no', 'yes'] as const)(
  'the page says what becomes of a run whose guard says "%s" more often',
  (answer) => {
    const page = readFileSync(new URL('../../docs/embed/change-the-chart.md', import.meta.url), 'utf8');
    const said = page.split('\n').find((line) => line.startsWith(`| "${answer}"`));
    expect(said?.replaceAll(/ +/g, ' '), 'its row in docs/embed/change-the-chart.md').toBe(row(answer));
  },
);
