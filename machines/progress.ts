import { approvalsOf } from './approvals.ts';
import { callsFor, moveCalls } from './call.ts';
import { failing, type Change } from './change.ts';
import type { Call, Context, Violation } from './context.ts';
import { kept } from './effect.ts';
import { lapseClearances, withdrawCalls } from './facts/consequences.ts';
import { brokenOf, strandedOf, unsettled, violationsOf, type Gate } from './gates.ts';
import { partialWrites, inDoubt, isWrite, staleReads } from './owed.ts';
import { questionsOwed } from './question.ts';
import type { Phase, OperationalState, ReasonCode } from '../schema/index.ts';

/** Opens the questions that the gates have to ask. */
export const asked = (c: Context): Change => ({
  ...lapseClearances({ ...c, questions: questionsOwed(c) }),
  questions: { ...c.questions, ...questionsOwed(c) },
  counters: { ...c.counters, pauses: c.counters.pauses + 1 },
});

/** Counts a turn of the model. */
export const turnCounted = ({ counters }: Context): Change => ({
  counters: { ...counters, modelCalls: counters.modelCalls + 1 },
});

/** Fails a run that needs more than a limit of its task class allows. */
export const exceeded = (c: Context, limit: keyof Context['counters']): Change =>
  failing(c, { code: 'BUDGET_SPENT', about: limit });

const reasonsAt = (c: Context, gate: Gate): readonly Violation[] => {
  const found = gate === 'write' ? [strandedOf(c), brokenOf(c)] : [];
  return found.find((reasons) => reasons.length > 0) ?? violationsOf(gate, c);
};

/** Counts a repair, and keeps its cause (UAICP 4.1). */
export const repairing = (c: Context, gate: Gate): Change => ({
  unmet: reasonsAt(c, gate),
  counters: { ...c.counters, repairs: c.counters.repairs + 1 },
});

/** Lets further calls in: what was checked before a write does not stand for a later round. */
export const extended = (c: Context): Change => {
  const calls = { ...c.calls, ...callsFor(c, c.further?.calls ?? [], Object.keys(c.calls).length) };
  return { further: null, calls, reports: {}, ...withdrawCalls({ ...c, calls }) };
};

/** Reads whose evidence grew too old are owed again; approvals stand as long as their digest does. */
export const refreshed = (c: Context): Change => {
  const old = new Set(staleReads(c).map(({ id }) => id));
  const calls = moveCalls(c, (_, id) => old.has(id), 'evidence.aged', { evidence: null });
  return {
    calls,
    ...withdrawCalls({ ...c, calls }),
    counters: { ...c.counters, refreshes: c.counters.refreshes + 1 },
  };
};

/** Returns the earlier reasons for which an action was undone, if it is that action that may not be repeated. */
const priorCauses = (c: Context, reasons: readonly Violation[]): readonly Violation[] =>
  reasons.some(({ code }) => code === 'EFFECT_CLOSED') ? c.unmet : [];

/** What a gate that says no leaves behind: what broke, or else what still stands against it. */
export const failedAt = (c: Context, gate: Gate): Change => {
  const reasons = c.reasons.length > 0 ? [] : reasonsAt(c, gate);
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
};

/** Nobody is there to ask: each open question is a reason to fail safe. */
export const failedUnanswered = (c: Context): Change => ({
  ...(Object.values(c.questions).some(({ kind }) => kind === 'host') && kept(c)), // its declared default
  ...failing(
    c,
    ...Object.values(c.questions).map(({ kind, about }): Violation => ({
      code: codeOfUnanswered[kind],
      about,
    })),
  ),
});

/** Resets the calls for the next attempt. A write with an effect, or one that was refused, stays as it is. */
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

/** What the next attempt begins with: the calls of this plan, or nothing. */
export type NextAttempt = 'repairExecute' | 'repairPlan' | 'revise';

const attemptAfter = (c: Context, next: NextAttempt): Change => ({
  attempt: c.attempt + 1,
  further: null,
  draft: null,
  unmet: next === 'revise' ? [] : c.unmet,
  collected: 0,
  reports: {},
  questions: {},
  dependencies: {},
  ...(next === 'repairExecute'
    ? { calls: resetCalls(c), counters: { ...c.counters, corrections: 0 } }
    : { plan: null, calls: {}, counters: { ...c.counters, corrections: 0, rounds: 0 } }),
});

/** Begins the next attempt: evidence and reports of the one before are superseded, committed writes excepted. */
export const superseded = (c: Context, next: NextAttempt): Change => {
  const change = attemptAfter(c, next);
  return { ...change, ...withdrawCalls({ ...c, ...change }) };
};

/** Returns the effects that were not undone or whose outcome is unknown: they are always reported (UAICP 5.3). */
const unresolvedEffects = (c: Context): readonly Violation[] => [
  ...c.effects
    .filter(({ status }) => status === 'committed' || status === 'stuck')
    .map(({ digest }): Violation => ({ code: 'ROLLBACK_REQUIRED', about: digest })),
  ...inDoubt(c).flatMap(unsettled),
  ...partialWrites(c).map(({ id }): Violation => ({ code: 'EFFECT_IN_DOUBT', about: id })),
];

/** Somebody cancelled the task: a tool that says so of its own work has merely failed. */
const isCancelled = ({ reasons: [first] }: Context): boolean =>
  first?.code === 'CANCELLED' && first.about === 'task';

/** A run that lost its way to its end without a reason says so. */
export const stopped = (c: Context): Change =>
  c.reasons.length === 0 ? failing(c, { code: 'RESUME_LOST', about: 'run' }) : {};

/** Settles a run that failed. */
export const settledSafe = (c: Context): Change => ({
  ...failing(c, ...unresolvedEffects(c)),
  questions: {},
  dependencies: {},
  outcome: isCancelled(c) ? 'cancelled' : 'failed',
});

/** Keeps the finite trail of what was entered since the last fact. */
export const entered = (c: Context, of: Phase | OperationalState): Change => ({ trail: [...c.trail, of] });
