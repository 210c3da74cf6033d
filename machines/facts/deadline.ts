import { z } from 'zod';
import { disapproved } from '../approvals.ts';
import { entry, failing, reported, type Change } from '../change.ts';
import type { Context, EvidenceReference } from '../context.ts';
import { kept, moveEffect } from '../effect.ts';
import { isNext } from '../gates.ts';
import { mayPause } from '../limits.ts';
import { abandoned, doubted } from '../outcomes.ts';
import { isApprovalUnused, isReportOwed, modelTurnId, runOf, turnDeadline } from '../owed.ts';
import { suspend } from '../pauses.ts';
import { askQuestion } from '../question.ts';
import { endQuestion } from './answer.ts';
import { family } from './family.ts';
import { DeadlineOf, waits } from './fields.ts';

/** A kind of deadline: when it applies, and what it changes. It never counts as an approval (interpretation 0004). */
interface Deadline {
  /** Present if only the state that sets the deadline handles it, with a guard of its own. */
  readonly ofState?: true;
  readonly isDue: (c: Context, id: string) => boolean;
  readonly apply: (c: Context, id: string) => Change;
}

const isRequest = ({ request }: Context, id: string): boolean => id === request;
const isTurn =
  (of: 'model' | 'host') =>
  (c: Context, id: string): boolean =>
    turnDeadline(c) === of && modelTurnId(c) === id;

/**
 * Handles the absence of an agent. If it has made writes, a person decides whether to keep or undo them; without an
 * answer they are kept.
 */
const hostAway = (c: Context): Change => {
  if (c.effects.every(({ status }) => status !== 'committed'))
    return failing(c, { code: 'HOST_UNAVAILABLE', about: 'host' });
  return mayPause(c) ? suspend(c, askQuestion(c, `host:${modelTurnId(c)}`, 'host.away', 'host')) : kept(c);
};

/** Marks evidence as stale in every call and effect that refers to it. */
const markStale = (c: Context, id: string): Change => {
  const old = (evidence: EvidenceReference | null) =>
    evidence?.id === id ? { ...evidence, stale: true } : evidence;
  return {
    calls: Object.fromEntries(
      Object.entries(c.calls).map(([name, call]) => [name, { ...call, evidence: old(call.evidence) }]),
    ),
    effects: c.effects.map((effect) => ({ ...effect, evidence: old(effect.evidence) })),
  };
};

/** Returns the digest and the verifier in the key of a report. Only the name of a verifier may contain spaces. */
const reportOf = (key: string): { readonly verifier: string; readonly of: string } => {
  const space = key.indexOf(' ');
  return { verifier: key.slice(space + 1), of: key.slice(0, space) };
};

const deadlines: Record<DeadlineOf, Deadline> = {
  accept: {
    ofState: true,
    isDue: isRequest,
    apply: (c) => failing(c, { code: 'GUARD_ERROR', about: 'request' }),
  },
  model: {
    ofState: true,
    isDue: isTurn('model'),
    apply: (c) => failing(c, { code: 'MODEL_UNAVAILABLE', about: 'model' }),
  },
  host: { ofState: true, isDue: isTurn('host'), apply: hostAway },
  policy: {
    ofState: true,
    isDue: (c, id) => runOf(c).policyOwed.some((call) => call.id === id),
    apply: (c, id) => failing(c, { code: 'POLICY_UNAVAILABLE', about: id }),
  },
  start: { ofState: true, isDue: isNext, apply: (c, id) => abandoned(c, id, 'CALL_NOT_STARTED') },
  call: {
    isDue: (c, id) => entry(c.calls, id)?.status === 'started',
    apply: (c, id) => doubted(c, id, 'TOOL_TIMEOUT'),
  },
  verifier: {
    ofState: true,
    isDue: (c, key) => isReportOwed(c, reportOf(key)),
    apply: (c, key) =>
      reported(c, { ...reportOf(key), evidence: c.collected, status: 'fail', code: 'VERIFIER_TIMEOUT' }),
  },
  question: {
    isDue: (c, id) => c.reasons.length === 0 && entry(c.questions, id) !== undefined,
    apply: (c, id) => endQuestion(c, id, 'expired'),
  },
  dependency: {
    isDue: (c, id) => entry(c.dependencies, id) !== undefined,
    apply: (c, id) =>
      (entry(c.dependencies, id) ?? []).reduce<Change>(
        (change, call) => ({ ...change, ...doubted({ ...c, ...change }, call, 'TOOL_TIMEOUT') }),
        {},
      ),
  },
  approval: {
    isDue: (c, digest) => runOf(c).calls.some((call) => call.digest === digest && isApprovalUnused(call)),
    apply: (c, digest) => ({ calls: disapproved(c, digest) }),
  },
  evidence: {
    isDue: (c, id) =>
      [...runOf(c).calls, ...c.effects].some(({ evidence }) => evidence?.id === id && !evidence.stale),
    apply: markStale,
  },
  rollback: {
    ofState: true,
    isDue: (c, digest) => runOf(c).undoOwed[0]?.digest === digest,
    apply: (c, digest) => moveEffect(c, digest, 'deadline.passed'),
  },
  offer: { ofState: true, isDue: isRequest, apply: () => ({ followup: 'withdrawn' }) },
  followup: { ofState: true, isDue: isRequest, apply: () => ({ followup: 'defaulted' }) },
};

/** Returns whether a deadline applies to the run now. */
export const isOverdue = (c: Context, of: DeadlineOf, id: string): boolean => deadlines[of].isDue(c, id);

/** The fact that a deadline has passed. */
export const deadlineFacts = family({
  'deadline.passed': {
    cites: 'interpretation 0004',
    shape: { of: DeadlineOf, id: z.string() },
    accepts: (c, { of, id }) => deadlines[of].ofState !== true && deadlines[of].isDue(c, id),
    apply: (c, { of, id }) => deadlines[of].apply(c, id),
    says: ({ of }) => `time passes: ${waits[of]}`,
  },
});
