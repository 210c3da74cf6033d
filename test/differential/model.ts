import { deadlinesOf } from './awaited.ts';
import { settle, type Rest } from './follows.ts';
import { hear } from './hear.ts';
import { fresh, type Known } from './known.ts';
import type { Fact, Operational, TaskClass, View } from './vocabulary.ts';

/** What the model says after one fact. */
export interface Said extends View {
  readonly taken: boolean;
}

const stateOf = (k: Known, at: Rest['at']): Operational => {
  if (at === 'over' && k.outcome !== null) return k.outcome === 'delivered' ? 'completed' : k.outcome;
  if (at === 'asking') return 'needsHumanDecision';
  if (at === 'offering') return 'completed';
  if (at === 'offered') return 'followup';
  return at === 'waiting' ? 'waiting' : 'submitted';
};

const viewOf = (k: Known, rest: Rest): View => ({
  state: stateOf(k, rest.at),
  phase: rest.phase,
  settled: rest.at === 'over',
  mayStart: rest.mayStart,
  deadlines: deadlinesOf(k, rest),
  outcome: k.outcome,
  reason: k.reasons[0] ?? null,
  leaves: [...new Set(k.leaves)].toSorted(),
});

/** A fact, what is said after it, and all that is known by then. */
export interface Told {
  readonly fact: Fact;
  readonly said: Said;
  readonly known: Known;
}

/**
 * A second author's reading of the specifications: which of these facts are taken, and what can be seen of the run after
 * each. It keeps a list of what was told and works out again, every time, what follows from it; it is no statechart.
 */
export function* follow(taskClass: TaskClass, request: string, facts: readonly Fact[]): Generator<Told> {
  const known = fresh(taskClass, request);
  let rest = settle(known);
  for (const fact of facts) {
    const taken = hear(known, fact, rest);
    if (taken) rest = settle(known);
    yield { fact, known, said: { taken, ...viewOf(known, rest) } };
  }
}

/** What the model says after each of these facts. */
export const read = (...told: Parameters<typeof follow>): readonly Said[] =>
  [...follow(...told)].map(({ said }) => said);
