import { approvalsOf } from './approvals.ts';
import { callsFor, moveCalls } from './call.ts';
import { failing, followedBy, spent, type Change } from './change.ts';
import type { Call, Context, Violation } from './context.ts';
import { kept } from './effect.ts';
import { lapseClearances, withdrawCalls } from './facts/consequences.ts';
import type { Fact } from './facts/index.ts';
import { brokenOf, strandedOf, unsettled, violationsOf, type Gate } from './gates.ts';
import { mayPause } from './limits.ts';
import { isWrite, runOf } from './owed.ts';
import { askLimit, pausedAtGate } from './pauses.ts';
import { questionsOwed } from './question.ts';
import type { AskedLimit } from './task-class.ts';
import type { Phase, OperationalState, ReasonCode } from '../schema/index.ts';

/** Opens the questions that the gates need answered; one that is open stays as it was asked. */
export const asked = (c: Context): Change => {
  const questions = { ...c.questions, ...questionsOwed(c), ...c.questions };
  return pausedAtGate(c, { ...lapseClearances({ ...c, questions }), questions });
};

/** Asks whether the run goes beyond a limit that it has reached. */
export const limitAsked = (c: Context, limit: AskedLimit): Change =>
  followedBy(c, askLimit(c, limit), lapseClearances);

/** Returns the change of a fact, and counts it as a turn of the model. */
export const turnTaken = (
  { counters: before }: Context,
  { counters = before, ...change }: Change,
): Change => ({
  ...change,
  counters: { ...counters, modelCalls: counters.modelCalls + 1 },
});

/** Ends a followup with a person's choice. */
export const chosen = (fact: Fact): Change => ({
  followup: fact.type === 'human.responded' && fact.feedback === 'reject' ? 'withdrawn' : 'chosen',
});

const reasonsAt = (c: Context, gate: Gate): readonly Violation[] => {
  const found = gate === 'write' ? [strandedOf(c), brokenOf(c)] : [];
  return found.find((reasons) => reasons.length > 0) ?? violationsOf(gate, c);
};

/** Adds the further calls to the run, and discards all reports: a later round needs new checks. */
export const extended = (c: Context): Change => {
  const calls = { ...c.calls, ...callsFor(c, c.further?.calls ?? [], Object.keys(c.calls).length) };
  return followedBy(c, { further: null, calls, reports: {} }, withdrawCalls);
};

/**
 * Resets the reads whose evidence is stale, so that they are made again. Approvals stay valid: they belong to a digest.
 */
export const refreshed = (c: Context): Change => {
  const old = new Set(runOf(c).staleReads.map(({ id }) => id));
  const calls = moveCalls(c, (_, id) => old.has(id), 'evidence.aged', { evidence: null });
  const counters = { ...c.counters, refreshes: c.counters.refreshes + 1 };
  return followedBy(c, { calls, counters }, withdrawCalls);
};

/** Returns the causes of the last repair if an action may not be repeated: they explain why it was undone. */
const priorCauses = (c: Context, reasons: readonly Violation[]): readonly Violation[] =>
  reasons.some(({ code }) => code === 'EFFECT_CLOSED') ? c.unmet : [];

/** Returns the limit on pauses, if it is why nobody is asked. */
const unasked = (c: Context): readonly Violation[] =>
  c.taskClass.atLimit !== undefined && !mayPause(c) && Object.keys(questionsOwed(c)).length > 0
    ? [spent('pauses')]
    : [];

/** Fails a run at a gate: for what went wrong, or otherwise for the violations of the gate. */
export const failedAt = (c: Context, gate: Gate): Change => {
  const reasons = c.reasons.length > 0 ? [] : [...unasked(c), ...reasonsAt(c, gate)];
  return failing(c, ...reasons, ...priorCauses(c, reasons));
};

const codeOfUnanswered: Record<Context['questions'][string]['kind'], ReasonCode> = {
  information: 'INPUT_REQUIRED',
  help: 'OUTPUT_INVALID',
  plan: 'CONFIDENCE_LOW',
  draft: 'CONFIDENCE_LOW',
  approval: 'APPROVAL_REQUIRED',
  doubt: 'EFFECT_IN_DOUBT',
  tool: 'INPUT_REQUIRED',
  host: 'HOST_UNAVAILABLE',
  limit: 'BUDGET_SPENT',
};

/** Fails a run that cannot ask a person. Each open question becomes a reason. */
export const failedUnanswered = (c: Context): Change => ({
  ...(Object.values(c.questions).some(({ kind }) => kind === 'host') && kept(c)), // the default of this question
  ...failing(
    c,
    ...Object.values(c.questions).map(({ kind, about }): Violation => ({
      code: codeOfUnanswered[kind],
      about,
    })),
  ),
});

/** Returns the calls, reset for the next attempt. A write with an effect and a refused call stay as they are. */
const resetCalls = (c: Context): Record<string, Call> =>
  moveCalls(
    c,
    (call) => !isWrite(call) || !c.effects.some(({ digest }) => digest === call.digest),
    'run.repaired',
    (call) => ({
      cleared: false,
      review: false,
      evidence: null,
      code: null,
      causes: [],
      ...approvalsOf(c, call),
    }),
  );

/** How the next attempt starts: with the calls of this plan (`execute`), or without a plan. */
type NextAttempt = 'execute' | 'plan' | 'revise';

const attemptAfter = (c: Context, next: NextAttempt): Change => ({
  attempt: c.attempt + 1,
  further: null,
  draft: null,
  unmet: next === 'revise' ? [] : c.unmet,
  collected: 0,
  reports: {},
  questions: {},
  dependencies: {},
  ...(next === 'execute'
    ? { calls: resetCalls(c), counters: { ...c.counters, corrections: 0 } }
    : { plan: null, calls: {}, counters: { ...c.counters, corrections: 0, rounds: 0 } }),
});

/**
 * Starts the next attempt. The reports and evidence of the previous one are discarded, except evidence of writes that
 * happened.
 */
export const superseded = (c: Context, next: NextAttempt): Change =>
  followedBy(c, attemptAfter(c, next), withdrawCalls);

/** Counts a repair, records its cause (UAICP 4.1), and starts the next attempt. */
export const repaired = (c: Context, gate: Gate, next: 'execute' | 'plan'): Change => {
  const counted = {
    unmet: reasonsAt(c, gate),
    counters: { ...c.counters, repairs: c.counters.repairs + 1 },
  };
  return followedBy(c, counted, (after) => superseded(after, next));
};

/** Returns the effects that were not undone or whose outcome is unknown. They are always reported (UAICP 5.3). */
const unresolvedEffects = (c: Context): readonly Violation[] => [
  ...c.effects
    .filter(({ status }) => status === 'committed' || status === 'stuck')
    .map(({ digest }): Violation => ({ code: 'ROLLBACK_REQUIRED', about: digest })),
  ...runOf(c).inDoubt.flatMap(unsettled),
  ...runOf(c).partialWrites.map(({ id }): Violation => ({ code: 'EFFECT_IN_DOUBT', about: id })),
];

/** Returns whether the task was cancelled. A tool that reports `CANCELLED` for its own work has only failed. */
const isCancelled = ({ reasons: [first] }: Context): boolean =>
  first?.code === 'CANCELLED' && first.about === 'task';

/** Adds the reason `RESUME_LOST` to a run that stops without a reason. */
export const stopped = (c: Context): Change =>
  c.reasons.length === 0 ? failing(c, { code: 'RESUME_LOST', about: 'run' }) : {};

/** Settles a run that failed. */
export const settledSafe = (c: Context): Change => ({
  ...failing(c, ...unresolvedEffects(c)),
  questions: {},
  dependencies: {},
  outcome: isCancelled(c) ? 'cancelled' : 'failed',
});

/** Adds a phase or an operational state to the trail. */
export const entered = (c: Context, of: Phase | OperationalState): Change => ({ trail: [...c.trail, of] });
