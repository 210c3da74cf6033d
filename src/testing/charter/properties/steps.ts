import { isDeepStrictEqual } from 'node:util';
import {
  stricter,
  type Call,
  type CharterSnapshot,
  type Context,
  type Fact,
  type FactOf,
} from '../../../../machines/index.ts';
import {
  isAskedOfOthers,
  isBroken,
  isCleared,
  isFlying,
  isHeld,
  isOwedRead,
  isPassed,
  isSure,
  isWrite,
  rests,
} from './predicates.ts';

/** A fact, with the state before and after it. */
export interface Step {
  readonly before: Context;
  readonly at: CharterSnapshot;
  readonly fact: Fact;
  readonly after: Context;
}

const follows: Readonly<Record<string, readonly string[]>> = {
  committed: ['committed', 'undoing', 'stuck', 'kept'],
  undoing: ['undoing', 'undone', 'stuck'],
  undone: ['undone'],
  stuck: ['stuck'],
  closed: ['closed'],
  kept: ['kept'],
};

/** Returns whether a person replaced the plan, which also drops its questions and answers. */
export const isReplanned = (fact: Fact, after: Context): boolean =>
  fact.type === 'human.responded' && fact.plan !== undefined && after.plan?.digest === fact.plan.digest;

/** Returns whether a named person edited a call to this one, which is not held, and may approve it. */
const approvesEdit = (c: Context, fact: FactOf<'human.responded'>, call: Call): boolean =>
  fact.feedback === 'edit' &&
  fact.approves === true &&
  fact.by !== undefined &&
  fact.call?.digest === call.digest &&
  call.held === undefined &&
  (call.tier !== 'write_high_risk' || c.taskClass.authorities.includes('human'));

/** Returns a property of the steps that start a write. */
const whenAWriteStarts =
  (holds: (before: Context, write: Call) => boolean) =>
  ({ before, fact }: Step): boolean => {
    const call = fact.type === 'call.started' ? before.calls[fact.call] : undefined;
    return call === undefined || !isWrite(call) || holds(before, call);
  };

/** The properties of every step. */
export const inEveryStep: Readonly<Record<string, (step: Step) => boolean>> = {
  'a call starts only in a calling state or beside a question, allowed, of a plan that passed its gate': ({
    at,
    before,
    fact,
  }) =>
    fact.type !== 'call.started' ||
    ((rests(at, 'calling') || rests(at, 'needsHumanDecision')) &&
      before.calls[fact.call]?.status === 'allowed' &&
      isSure(before, before.plan)),
  'a write starts only with authority, rollback, evidence and checks': whenAWriteStarts(
    (c, call) =>
      isCleared(call) &&
      c.taskClass.beforeWrite.evidence.every((needed) => isHeld(c, needed, call)) &&
      c.taskClass.beforeWrite.verifiers.every((verifier) => isPassed(c, verifier, call.digest)),
  ),
  'a write starts only on a clearance that was given after the run last waited': whenAWriteStarts(
    (_, call) => call.cleared,
  ),
  'only a policy decision or a repeated check clears a write, and it clears that write alone': ({
    before,
    fact,
    after,
  }) =>
    Object.entries(after.calls).every(
      ([id, { cleared }]) =>
        !cleared ||
        before.calls[id]?.cleared === true ||
        ((fact.type === 'policy.decided' || fact.type === 'call.cleared') && fact.call === id),
    ),
  'calls are added to a plan only if they pass the confidence gate or a person accepts them': ({
    before,
    fact,
    after,
  }) =>
    Object.keys(after.calls).every(
      (id) =>
        Object.hasOwn(before.calls, id) ||
        fact.type === 'plan.proposed' ||
        (fact.type === 'human.responded' && fact.plan !== undefined) ||
        (fact.type === 'calls.proposed' && isSure(before, { ...fact, waived: false })) ||
        (fact.type === 'human.responded' && fact.feedback === 'approve' && before.further !== null),
    ),
  'a task class never becomes less strict': ({ before, after }) =>
    isDeepStrictEqual(stricter(after.taskClass, before.taskClass), after.taskClass),
  'a write starts only if nothing else is in flight, in doubt, failed or stale, and no read is due':
    whenAWriteStarts((c) =>
      Object.values(c.calls).every(
        (other) =>
          !isFlying(other) &&
          other.status !== 'doubted' &&
          !isBroken(other) &&
          !isOwedRead(other) &&
          (isWrite(other) || other.evidence?.stale !== true),
      ),
    ),
  'while people are asked, a write starts only if all are asked about the approval of others':
    whenAWriteStarts((c, call) => isAskedOfOthers(c, [call])),
  'a write starts only after every write of its round is cleared, or beside a question': whenAWriteStarts(
    (c) =>
      Object.keys(c.questions).length > 0 ||
      Object.values(c.calls).every(
        (other) =>
          !isWrite(other) ||
          (other.status !== 'proposed' && other.status !== 'allowed') ||
          (other.status === 'allowed' &&
            isCleared(other) &&
            c.taskClass.beforeWrite.verifiers.every((verifier) => isPassed(c, verifier, other.digest))),
      ),
  ),
  'a failed verification stays failed for the attempt, also if the verifier reports again': ({
    before,
    fact,
    after,
  }) =>
    before.attempt !== after.attempt ||
    fact.type === 'calls.proposed' ||
    isReplanned(fact, after) ||
    fact.type === 'changes.requested' ||
    Object.entries(before.reports).every(
      ([key, { status }]) => status === 'pass' || after.reports[key]?.status === status,
    ),
  'a call that was refused stays refused': ({ before, fact, after }) =>
    before.attempt !== after.attempt ||
    fact.type === 'changes.requested' ||
    isReplanned(fact, after) ||
    Object.entries(before.calls).every(
      ([id, { status }]) => status !== 'refused' || after.calls[id]?.status === 'refused',
    ),
  'no action that was done, undone or closed is started again': ({ before, fact }) =>
    fact.type !== 'call.started' || !before.effects.some(({ digest }) => digest === fact.digest),
  'a policy decides before a write is allowed': ({ before, fact, after }) =>
    Object.entries(after.calls).every(([id, call]) => {
      const was = before.calls[id];
      return (
        !isWrite(call) ||
        call.status !== 'allowed' ||
        (was !== undefined && was.digest === call.digest && was.status !== 'proposed') ||
        (fact.type === 'policy.decided' && fact.call === id && fact.verdict !== 'deny')
      );
    }),
  'only an approval or a person gives an authority, and for one action alone': ({ before, fact, after }) =>
    Object.entries(after.calls).every(([id, call]) => {
      const was = before.calls[id];
      return (
        call.authority === null ||
        (was?.digest === call.digest && was.authority === call.authority) ||
        after.effects.some(
          ({ digest, authority }) => digest === call.digest && authority === call.authority,
        ) ||
        (fact.type === 'approval.granted' &&
          fact.digest === call.digest &&
          before.taskClass.authorities.includes(call.authority)) ||
        (fact.type === 'human.responded' &&
          fact.feedback === 'approve' &&
          fact.question === `approval:${call.digest}` &&
          (call.tier !== 'write_high_risk' || before.taskClass.authorities.includes('human'))) ||
        (fact.type === 'human.responded' && approvesEdit(before, fact, call))
      );
    }),
  'a write that began stays on record until its outcome is known': ({ before, fact, after }) =>
    fact.type === 'changes.requested' ||
    Object.entries(before.calls).every(
      ([id, was]) =>
        !isWrite(was) ||
        (was.status !== 'started' && was.status !== 'doubted') ||
        after.calls[id]?.digest === was.digest ||
        (fact.type === 'call.failed' && fact.call === id) ||
        (fact.type === 'human.responded' && fact.question === `doubt:${id}` && fact.effect === 'absent') ||
        after.effects.some(({ digest }) => digest === was.digest),
    ),
  'a write that began is made again only if it did not happen': ({ before, fact, after }) =>
    fact.type === 'changes.requested' ||
    Object.entries(before.calls).every(([id, was]) => {
      const is = after.calls[id]?.status;
      return (
        !isWrite(was) ||
        (was.status !== 'started' && was.status !== 'doubted') ||
        (is !== 'proposed' && is !== 'allowed') ||
        ((fact.type === 'call.failed' || fact.type === 'call.refused') && fact.call === id) ||
        (fact.type === 'human.responded' && fact.question === `doubt:${id}` && fact.effect === 'absent')
      );
    }),
  'a write that happened stays on record, and is undone at most once': ({ before, fact, after }) =>
    fact.type === 'changes.requested' ||
    before.effects.every(({ digest, status }) => {
      const is = after.effects.filter((effect) => effect.digest === digest);
      return is.length === 1 && is.every((effect) => follows[status]?.includes(effect.status));
    }),
  'the newest write is undone first, after no write is in flight': ({ before, fact }) => {
    if (fact.type !== 'rollback.started') return true;
    const owed = before.effects.findLast(
      ({ status, rollback, digest }) =>
        status === 'undoing' ||
        (status === 'committed' &&
          rollback &&
          (before.reasons.length > 0 || !Object.values(before.calls).some((call) => call.digest === digest))),
    );
    return (
      owed?.digest === fact.digest &&
      !Object.values(before.calls).some((call) => isWrite(call) && call.status === 'started')
    );
  },
  'a request for another plan starts an attempt and discards the old plan': ({ before, fact, after }) =>
    fact.type !== 'human.responded' ||
    before.questions[fact.question]?.kind === 'help' ||
    after.counters.revisions === before.counters.revisions ||
    (after.attempt === before.attempt + 1 && after.plan === null),
  'the reasons of a run are kept, in order': ({ before, fact, after }) =>
    before.reasons.length === 0 ||
    fact.type === 'changes.requested' ||
    isDeepStrictEqual(after.reasons.slice(0, before.reasons.length), before.reasons),
  'a run that has a reason to fail is neither repaired nor delivered': ({ before, fact, after }) =>
    before.reasons.length === 0 ||
    fact.type === 'changes.requested' ||
    (after.attempt === before.attempt && after.outcome !== 'delivered' && after.reasons.length > 0),
  'an open question does not change until it is answered or no longer needed': ({ before, fact, after }) =>
    Object.entries(before.questions).every(([id, was]) => {
      const is = after.questions[id];
      if (is !== undefined) return isDeepStrictEqual(is, was);
      return (
        (fact.type === 'human.responded' && (fact.question === id || after.attempt > before.attempt)) ||
        (fact.type === 'human.responded' && after.counters.revisions > before.counters.revisions) ||
        isReplanned(fact, after) ||
        (fact.type === 'deadline.passed' && fact.id === id) ||
        (fact.type === 'approval.granted' && id === `approval:${fact.digest}`) ||
        ('call' in fact && fact.call === was.about) ||
        (fact.type === 'call.refused' && before.calls[fact.call]?.digest === was.about) ||
        (fact.type === 'taskClass.changed' && was.kind === 'approval') ||
        after.calls[was.about]?.status === 'dropped' ||
        after.reasons.length > 0
      );
    }),
  'a comment changes nothing': ({ before, fact, after }) =>
    fact.type !== 'human.responded' ||
    fact.feedback !== 'comment' ||
    isDeepStrictEqual({ ...after, trail: [] }, { ...before, trail: [] }),
  'one fact costs at most one repair, one refresh and one attempt': ({ before, fact, after }) =>
    fact.type === 'changes.requested' ||
    (after.attempt - before.attempt <= 1 &&
      after.counters.repairs - before.counters.repairs <= 1 &&
      after.counters.refreshes - before.counters.refreshes <= 1),
};
