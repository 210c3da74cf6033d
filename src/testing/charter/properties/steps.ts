import { isDeepStrictEqual } from 'node:util';
import { stricter, type CharterSnapshot, type Context, type Fact } from '../../../../machines/index.ts';
import { rests, isWrite, isFlying, isOwedRead, isSure, isHeld, isPassed, isCleared } from './predicates.ts';

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
const isReplanned = (fact: Fact, after: Context): boolean =>
  fact.type === 'human.responded' && fact.plan !== undefined && after.plan?.digest === fact.plan.digest;

/** The properties of every step. */
export const inEveryStep: Readonly<Record<string, (step: Step) => boolean>> = {
  'a call starts where calls are made, once it is allowed, on a sure plan': ({ at, before, fact }) =>
    fact.type !== 'call.started' ||
    (rests(at, 'calling') && before.calls[fact.call]?.status === 'allowed' && isSure(before, before.plan)),
  'a write starts only with authority, rollback, evidence and checks': ({ before: c, fact }) => {
    const call = fact.type === 'call.started' ? c.calls[fact.call] : undefined;
    return (
      call === undefined ||
      !isWrite(call) ||
      (isCleared(call) &&
        c.taskClass.beforeWrite.evidence.every((needed) => isHeld(c, needed, call)) &&
        c.taskClass.beforeWrite.verifiers.every((verifier) => isPassed(c, verifier, call.digest)))
    );
  },
  'a write starts only on a clearance that was given since the run last waited': ({ before, fact }) => {
    const call = fact.type === 'call.started' ? before.calls[fact.call] : undefined;
    return call === undefined || !isWrite(call) || call.cleared;
  },
  'a clearance is given by the policy, or looked at again, for this write alone': ({ before, fact, after }) =>
    Object.entries(after.calls).every(
      ([id, { cleared }]) =>
        !cleared ||
        before.calls[id]?.cleared === true ||
        ((fact.type === 'policy.decided' || fact.type === 'call.cleared') && fact.call === id),
    ),
  'calls are added to a plan only while it and they are sure': ({ before, fact, after }) =>
    Object.keys(after.calls).every(
      (id) =>
        Object.hasOwn(before.calls, id) ||
        fact.type === 'plan.proposed' ||
        (fact.type === 'human.responded' && fact.plan !== undefined) ||
        (fact.type === 'calls.proposed' && isSure(before, { ...fact, waived: false })) ||
        (fact.type === 'human.responded' && fact.feedback === 'approve' && before.further !== null),
    ),
  'a task class is never loosened': ({ before, after }) =>
    isDeepStrictEqual(stricter(after.taskClass, before.taskClass), after.taskClass),
  'a write starts only when nothing else is in flight, in doubt, failed or stale, and no read is owed': ({
    before: c,
    fact,
  }) => {
    const call = fact.type === 'call.started' ? c.calls[fact.call] : undefined;
    return (
      call === undefined ||
      !isWrite(call) ||
      Object.values(c.calls).every(
        (other) =>
          !isFlying(other) &&
          other.status !== 'doubted' &&
          other.status !== 'failed' &&
          !isOwedRead(other) &&
          (isWrite(other) || other.evidence?.stale !== true),
      )
    );
  },
  'a write starts only once every write of its round is cleared and checked': ({ before: c, fact }) => {
    const call = fact.type === 'call.started' ? c.calls[fact.call] : undefined;
    return (
      call === undefined ||
      !isWrite(call) ||
      Object.values(c.calls).every(
        (other) =>
          !isWrite(other) ||
          (other.status !== 'proposed' && other.status !== 'allowed') ||
          (other.status === 'allowed' &&
            isCleared(other) &&
            c.taskClass.beforeWrite.verifiers.every((verifier) => isPassed(c, verifier, other.digest))),
      )
    );
  },
  'a verifier that did not pass something has not passed it in this attempt, whatever it says later': ({
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
  'an authority is given by an approval or a person, for this action alone': ({ before, fact, after }) =>
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
          (call.tier !== 'write_high_risk' || before.taskClass.authorities.includes('human')))
      );
    }),
  'a write that was begun is never forgotten': ({ before, fact, after }) =>
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
  'a write that was begun is owed again only where it did not happen': ({ before, fact, after }) =>
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
  'a write that happened is never forgotten, and is undone once': ({ before, fact, after }) =>
    fact.type === 'changes.requested' ||
    before.effects.every(({ digest, status }) => {
      const is = after.effects.filter((effect) => effect.digest === digest);
      return is.length === 1 && is.every((effect) => follows[status]?.includes(effect.status));
    }),
  'the newest write is undone first, once none is in flight': ({ before, fact }) => {
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
  'who asks for another plan gets one, and the plan before is gone': ({ before, fact, after }) =>
    fact.type !== 'human.responded' ||
    before.questions[fact.question]?.kind === 'help' ||
    after.counters.revisions === before.counters.revisions ||
    (after.attempt === before.attempt + 1 && after.plan === null),
  'the first reason is kept': ({ before, fact, after }) =>
    before.reasons.length === 0 ||
    fact.type === 'changes.requested' ||
    isDeepStrictEqual(after.reasons.slice(0, before.reasons.length), before.reasons),
  'a run that has a reason to fail is neither repaired nor delivered': ({ before, fact, after }) =>
    before.reasons.length === 0 ||
    fact.type === 'changes.requested' ||
    (after.attempt === before.attempt && after.outcome !== 'delivered' && after.reasons.length > 0),
  'an open question keeps what it is about, until it is answered or the run leaves it': ({
    before,
    fact,
    after,
  }) =>
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
  'one fact costs one repair, one refresh and one attempt at most': ({ before, fact, after }) =>
    fact.type === 'changes.requested' ||
    (after.attempt - before.attempt <= 1 &&
      after.counters.repairs - before.counters.repairs <= 1 &&
      after.counters.refreshes - before.counters.refreshes <= 1),
};
