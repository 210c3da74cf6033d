import { happenings, type Seen } from './seen.ts';
import type { Documents, Fact } from './subject.ts';

/** The observations that a rule needs in order to hold. */
export interface Sight {
  /** What is counted, in the plural. */
  readonly what: string;
  /** The minimum: in each trial of the rule, or in all scenarios together. */
  readonly least: number;
  readonly in: 'each trial' | 'all scenarios';
  readonly count: (seen: Seen) => number;
}

/** Returns a minimum that each trial of a rule must reach. */
export const inEachTrial = (what: string, count: Sight['count'], least = 1): Sight => ({
  what,
  least,
  in: 'each trial',
  count,
});

/** Returns a minimum that all scenarios together must reach. */
export const inAllScenarios = (what: string, least: number, count: Sight['count']): Sight => ({
  what,
  least,
  in: 'all scenarios',
  count,
});

/** Returns 1 if the model was asked for a plan, else 0. */
export const hasPlanned = (seen: Pick<Seen, 'trace'>): number =>
  Math.min(1, happenings(seen, 'planned').length);

/** The runs in which the model was asked for a plan. */
export const runsThatPlanned = inEachTrial('runs that planned', hasPlanned);

/** The plans after the first. */
export const plansMadeAnew = inEachTrial('plans made anew', (seen) =>
  Math.max(0, happenings(seen, 'planned').length - 1),
);

/** Returns the calls of a tool as a minimum. */
export const callsMade = (tool: string, least = 1): Sight =>
  inEachTrial(
    `calls of ${tool}`,
    (seen) => happenings(seen, 'called').filter((call) => call.tool === tool).length,
    least,
  );

/** The calls that failed. */
export const failedCalls = inEachTrial('calls that failed', (seen) => happenings(seen, 'failed').length);

/** The answers with evidence of another party. */
export const foreignAnswers = inEachTrial(
  'answers with evidence of another party',
  (seen) => happenings(seen, 'answered').filter(({ evidence }) => evidence !== null).length,
);

/** The verifier answers other than a pass of every check. */
export const objections = inEachTrial(
  'answers of verifiers that are not a clean pass',
  (seen) =>
    happenings(seen, 'verified').filter(
      ({ reported }) =>
        typeof reported === 'string' ||
        reported.status !== 'pass' ||
        reported.checks.length === 0 ||
        reported.checks.some(({ result }) => result !== 'pass'),
    ).length,
);

/** The decisions of the policy. */
export const decisions = inEachTrial('decisions of the policy', (seen) => happenings(seen, 'decided').length);

/** Returns the emitted documents of a kind as a minimum. */
export const documentsOf = (what: string, list: Exclude<keyof Documents, 'result'>, least: number): Sight =>
  inEachTrial(what, ({ documents }) => documents[list].length, least);

/** Returns whether a run had planned and not ended at a step of its trace. */
const isUnderWay = (seen: Seen, at: number): boolean => {
  const before = { trace: seen.trace.slice(0, at) };
  const phase = happenings(before, 'rested').at(-1)?.phase ?? 'fail_safe';
  return hasPlanned(before) > 0 && phase !== 'deliver' && phase !== 'fail_safe';
};

/** Returns the facts of some types during a run as a minimum. */
export const factsUnderWay = (what: string, ...types: readonly Fact['type'][]): Sight =>
  inEachTrial(
    what,
    (seen) =>
      seen.trace.filter(
        (step, at) => step.kind === 'stated' && types.includes(step.fact.type) && isUnderWay(seen, at),
      ).length,
  );

/** The decisions of a person on a waiting write. */
export const decisionsAwaited = factsUnderWay(
  'decisions of a person on a write that waits',
  'approval.presented',
  'approval.refused',
);

/** Returns the number of unanswered calls at a step of a trace. */
const unanswered = (seen: Seen, at: number): number => {
  const before = seen.trace.slice(0, at);
  const count = (...kinds: readonly string[]): number =>
    before.filter(({ kind }) => kinds.includes(kind)).length;
  return count('called') - count('answered', 'failed');
};

/** The calls that were unanswered when the run first rested. */
export const callsInFlight = inEachTrial('calls without an answer when the run rested', (seen) =>
  unanswered(
    seen,
    seen.trace.findIndex(({ kind }) => kind === 'rested'),
  ),
);
