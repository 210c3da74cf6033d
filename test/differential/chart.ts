import { createActor } from 'xstate';
import { dutiesOf } from '../../machines/index.ts';
import type {
  CharterSnapshot,
  Fact as ChartFact,
  TaskClassInput,
  taskMachine,
} from '../../machines/index.ts';
import { requests } from '../../src/testing/charter/world.ts';
import { nextFact } from './facts.ts';
import type { Fate } from './fate.ts';
import type { Said } from './model.ts';
import type { Fact, Operational, Phase, TaskClass } from './vocabulary.ts';

/** A chart that holds a task, or a broken one. */
export type Chart = typeof taskMachine;

/** What was told to the chart, and what could be seen of it before anything and after each fact. */
export interface Story {
  readonly taskClass: TaskClass;
  readonly facts: readonly Fact[];
  readonly shown: readonly Said[];
  /** The chart did not come to rest: none that is whole does so. */
  readonly isBroken: boolean;
}

const firstKey = (value: unknown): string =>
  typeof value === 'string' ? value : (Object.keys(value ?? {})[0] ?? 'nowhere');

/** The phase that a run is in, or comes back to when no one is asked and nothing is awaited any more. */
const phaseOf = (snapshot: CharterSnapshot): Said['phase'] => {
  const { value, historyValue } = snapshot;
  const outer = firstKey(value);
  if (outer === 'submitted' && JSON.stringify(value).includes('"undoing"')) return 'undoing';
  if (typeof value !== 'string' && 'submitted' in value) return firstKey(value.submitted) as Phase;
  if (outer === 'completed' || outer === 'followup') return 'deliver';
  if (outer === 'failed' || outer === 'cancelled') return 'fail_safe';
  const [node] = Object.values(historyValue).flat();
  return (node?.path[1] ?? 'nowhere') as Phase;
};

/** What is reported when a run has ended as it should not: calls in doubt, and the digests of writes that stand. */
const leftBy = ({ outcome, reasons, effects }: CharterSnapshot['context']): readonly string[] => {
  const left = reasons.filter(
    ({ code, about }) =>
      code === 'EFFECT_IN_DOUBT' ||
      (code === 'ROLLBACK_REQUIRED' && effects.some(({ digest }) => digest === about)),
  );
  return outcome === null ? [] : [...new Set(left.map(({ about }) => about))].toSorted();
};

const viewOf = (snapshot: CharterSnapshot, taken: boolean): Said => {
  const { context: c } = snapshot;
  const mayStart = Object.entries(c.calls)
    .toSorted(([, a], [, b]) => a.at - b.at)
    .filter(([call, { digest }]) =>
      snapshot.can({ type: 'call.started', request: c.request, attempt: c.attempt, call, digest }),
    );
  return {
    taken,
    state: firstKey(snapshot.value) as Operational,
    phase: phaseOf(snapshot),
    settled: snapshot.hasTag('settled'),
    mayStart: mayStart.map(([call]) => call),
    deadlines: [
      ...new Set(
        dutiesOf(snapshot).flatMap((duty) => (duty.kind === 'wake' ? [`${duty.of} ${duty.id}`] : [])),
      ),
    ].toSorted(),
    outcome: c.outcome,
    reason: c.reasons[0]?.code ?? null,
    leaves: leftBy(c),
  };
};

const begin = (chart: Chart, taskClass: TaskClassInput) => {
  const actor = createActor(chart, { input: { taskClass, request: requests[0] } });
  let isBroken = false;
  actor.subscribe({
    error: () => {
      isBroken = true;
    },
  });
  actor.start();
  return { actor, isBroken: () => isBroken };
};

type Actor = ReturnType<typeof begin>['actor'];

const snapshotOf = (actor: Actor): CharterSnapshot => actor.getSnapshot();

const tellOne = (actor: Actor, fact: Fact): Said => {
  const snapshot = snapshotOf(actor);
  const taken = snapshot.status === 'active' && snapshot.can(fact as ChartFact);
  if (taken) actor.send(fact as ChartFact);
  return viewOf(snapshotOf(actor), taken);
};

/** What the chart shows after each of these facts. */
export const tell = (chart: Chart, taskClass: TaskClassInput, facts: readonly Fact[]): Story => {
  const { actor, isBroken } = begin(chart, taskClass);
  const whole = snapshotOf(actor).context.taskClass;
  const shown = facts.flatMap((fact) => (isBroken() ? [] : [tellOne(actor, fact)]));
  return { taskClass: whole, facts, shown, isBroken: isBroken() };
};

const most = 90;

/** A task from its beginning until it is settled, with something told to it afterwards or has lasted long. */
export const play = (chart: Chart, taskClass: TaskClassInput, fate: Fate): Story => {
  const { actor, isBroken } = begin(chart, taskClass);
  const whole = snapshotOf(actor).context.taskClass;
  const facts: Fact[] = [];
  const shown: Said[] = [];
  for (let after = 0; after < 2 && facts.length < most;) {
    const fact = nextFact(snapshotOf(actor), facts, fate);
    facts.push(fact);
    const seen = tellOne(actor, fact);
    shown.push(seen);
    if (seen.settled) after += 1;
  }
  return { taskClass: whole, facts, shown, isBroken: isBroken() };
};
