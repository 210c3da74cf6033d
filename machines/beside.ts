import { followedBy, type Change } from './change.ts';
import type { Context } from './context.ts';
import { lapseWaiting } from './facts/consequences.ts';
import type { Plan } from './facts/fields.ts';
import { brokenOf } from './gates.ts';
import { isSpent } from './limits.ts';
import { derived, isConfident, isWrite, runOf, type NamedCall, type OwedReport } from './owed.ts';
import { extended } from './progress.ts';
import { gateQuestion, questionsOwed } from './question.ts';

const isAsking = ({ questions }: Context): boolean => Object.keys(questions).length > 0;

/** Returns whether people are asked to approve calls, and nothing else. */
const asksForApproval = (c: Context): boolean =>
  c.reasons.length === 0 &&
  isAsking(c) &&
  Object.values(c.questions).every(({ kind }) => kind === 'approval');

/** Returns whether the run goes on beside its questions: its agent proposed calls there, and nothing went wrong since. */
const isBeside = derived((c) => c.goesOn === true && asksForApproval(c) && brokenOf(c).length === 0);

/**
 * Returns whether an agent in its own host may propose these calls while people are asked to approve others: it is sure, within
 * its limits, and nothing would end the attempt once the questions are answered: a write that a verifier may fail waits.
 */
export const mayGoOn = (c: Context, proposed: Plan): boolean =>
  c.taskClass.host &&
  asksForApproval(c) &&
  !isSpent(c, 'rounds') &&
  !isSpent(c, 'modelCalls') &&
  isConfident(c, { ...proposed, waived: false }) &&
  (c.taskClass.beforeWrite.verifiers.length === 0 || !proposed.calls.some(isWrite)) &&
  brokenOf({ ...c, ...extended({ ...c, further: { ...proposed, waived: false } }) }).length === 0;

/** Adds the further calls to a run that goes on beside its questions. */
export const goingOn = (c: Context): Change => followedBy(c, { ...extended(c), goesOn: true }, lapseWaiting);

const isUnasked = (c: Context): boolean =>
  runOf(c).writesOwed.some(({ digest }) => !Object.hasOwn(c.questions, gateQuestion('approval', digest)));

/** Returns the reports that are due before a write; beside questions, if a write waits that nobody is asked about. */
export const checksNext = (c: Context): readonly OwedReport[] =>
  isAsking(c) && !(isBeside(c) && isUnasked(c)) ? [] : runOf(c).checksOwed;

/** Returns the reports that are due next: before a write, else before delivery. */
export const reportsNext = (c: Context): readonly OwedReport[] => {
  const checks = checksNext(c);
  return checks.length > 0 || isAsking(c) ? checks : runOf(c).reportsOwed;
};

/** Returns the calls that the policy decides about next. */
export const policyNext = (c: Context): readonly NamedCall[] =>
  isAsking(c) && !(isBeside(c) && runOf(c).checksOwed.length === 0) ? [] : runOf(c).policyOwed;

/** Returns whether a gate needs more answers from people than it asks for. */
export const asksMore = (c: Context): boolean =>
  isBeside(c) &&
  (['outstanding', 'readsOwed', 'policyOwed'] as const).every((owed) => runOf(c)[owed].length === 0) &&
  checksNext(c).length === 0 &&
  Object.keys(questionsOwed(c)).some((id) => !Object.hasOwn(c.questions, id));
