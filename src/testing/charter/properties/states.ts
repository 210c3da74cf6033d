import { isDeepStrictEqual } from 'node:util';
import {
  dutiesOf,
  type CharterSnapshot,
  type Context,
  type DeadlineOf,
  type Duty,
  type Fact,
  type FactType,
} from '../../../../machines/index.ts';
import {
  isAskedOfOthers,
  isBroken,
  isWithin,
  rests,
  isWrite,
  isFlying,
  isOwedRead,
  isSure,
  isHeld,
  isPassed,
  isCleared,
  isShared,
  failsWith,
  keepsAtLimit,
  restsOnStatementAlone,
  isSpent,
  isSettled,
} from './predicates.ts';

/** A state and its outgoing steps. */
export interface StateView {
  readonly snapshot: CharterSnapshot;
  readonly c: Context;
  /** The accepted facts, including those that its world never sends. */
  readonly taken: readonly Fact[];
  /** Whether the chart is `task`, which can ask people. */
  readonly isTask: boolean;
}

/** The facts that discharge a duty, by their type and what they are about. */
const discharges = (duty: Duty, fact: Fact): boolean => {
  const is = (...types: readonly FactType[]): boolean => types.includes(fact.type);
  switch (duty.kind) {
    case 'accept':
      return is('request.accepted');
    case 'propose':
      return is('plan.proposed');
    case 'correct':
      return duty.output === 'plan' ? is('plan.proposed') : is('draft.proposed');
    case 'conclude':
      return is('draft.proposed');
    case 'offer':
      return is('followup.offered');
    case 'refine':
      return fact.type === 'human.responded' && fact.feedback !== 'comment';
    case 'decide':
      return fact.type === 'policy.decided' && fact.call === duty.call;
    case 'call':
      return is('call.started', 'call.cleared') && 'call' in fact && fact.call === duty.call;
    case 'observe':
      return fact.type === 'call.succeeded' && fact.call === duty.call;
    case 'verify':
      return fact.type === 'verifier.reported' && fact.verifier === duty.verifier && fact.of === duty.of;
    case 'ask':
      return (
        (fact.type === 'human.responded' && fact.question === duty.question && fact.feedback !== 'comment') ||
        (fact.type === 'approval.granted' && `approval:${fact.digest}` === duty.question)
      );
    case 'await':
      return fact.type === 'dependency.met' && fact.dependency === duty.dependency;
    case 'undo':
      return (
        (fact.type === 'rollback.started' || fact.type === 'rollback.succeeded') &&
        fact.digest === duty.digest
      );
    case 'wake':
      return fact.type === 'deadline.passed' && fact.of === duty.of;
  }
};

/** The deadlines that end the wait for each duty. */
const deadlinesOf: Readonly<Record<Exclude<Duty['kind'], 'wake'>, readonly DeadlineOf[]>> = {
  accept: ['accept'],
  propose: ['model', 'host'],
  correct: ['model', 'host'],
  conclude: ['model', 'host'],
  decide: ['policy'],
  call: ['start'],
  observe: ['call'],
  verify: ['verifier'],
  ask: ['question'],
  await: ['dependency'],
  undo: ['rollback'],
  offer: ['offer'],
  refine: ['followup'],
};

/** The properties of every reachable state. */
export const inEveryState: Readonly<Record<string, (here: StateView) => boolean>> = {
  'a delivered run has a plan and a draft that passed the confidence gate': ({ c }) =>
    c.outcome !== 'delivered' || (isSure(c, c.plan) && isSure(c, c.draft)),
  'a delivered run holds its evidence, none of it stale, for each write that it made': ({ c }) =>
    c.outcome !== 'delivered' ||
    c.taskClass.beforeDeliver.evidence.every(
      (needed) =>
        isHeld(c, needed) &&
        Object.values(c.calls).every(
          (call) => !isWrite(call) || call.status !== 'succeeded' || isHeld(c, needed, call),
        ),
    ),
  'while the run waits, no write is cleared but one beside the approval of others': ({ c }) => {
    const cleared = Object.values(c.calls).filter((call) => call.cleared);
    if (Object.keys(c.dependencies).length > 0) return cleared.length === 0;
    const isAsking = Object.keys(c.questions).length > 0;
    return !isAsking || cleared.length === 0 || (cleared.length === 1 && isAskedOfOthers(c, cleared));
  },
  'nothing is called while further calls wait at a gate': ({ snapshot, c }) =>
    c.further === null ||
    (c.outcome !== 'delivered' &&
      !['calling', 'checking', 'authorizing', 'concluding', 'verifying'].some((name) =>
        rests(snapshot, name),
      )),
  'a failed call ends the wait for the other reads of its round, unless the run goes on after it': ({ c }) =>
    !Object.values(c.calls).some(isBroken) ||
    Object.values(c.calls).every((call) => isWrite(call) || !isFlying(call)),
  'a delivered run passed its verifiers, on this draft and this evidence': ({ c }) =>
    c.outcome !== 'delivered' ||
    c.taskClass.beforeDeliver.verifiers.every((verifier) => isPassed(c, verifier, c.draft?.digest ?? '')),
  'a delivered run has nothing outstanding': ({ c }) =>
    c.outcome !== 'delivered' ||
    (Object.keys(c.questions).length === 0 &&
      Object.keys(c.dependencies).length === 0 &&
      Object.values(c.calls).every(
        ({ status, observed }) => status === 'succeeded' || status === 'refused' || observed === true,
      ) &&
      c.effects.every(({ status }) => status !== 'undoing')),
  'a delivered run has every write that is not undone in its plan': ({ c }) =>
    c.outcome !== 'delivered' ||
    c.effects.every(
      ({ digest, status }) =>
        (status !== 'committed' && status !== 'stuck') ||
        Object.values(c.calls).some((call) => call.digest === digest),
    ),
  'a delivered run made no write without its authority and its rollback': ({ c }) =>
    c.outcome !== 'delivered' ||
    Object.values(c.calls).every(
      (call) => call.status !== 'succeeded' || !isWrite(call) || isCleared(call) || isShared(c, call),
    ),
  'only a delivered run is completed or in followup': ({ snapshot, c }) =>
    (rests(snapshot, 'completed') ||
      JSON.stringify(snapshot.value).startsWith('{"completed"') ||
      rests(snapshot, 'followup') ||
      rests(snapshot, 'deliver')) ===
    (c.outcome === 'delivered'),
  'failed, cancelled and fail_safe have a reason': ({ c }) =>
    (c.outcome !== 'failed' && c.outcome !== 'cancelled') || c.reasons.length > 0,
  'each reason is given once': ({ c }) =>
    new Set(c.reasons.map(({ code, about }) => `${code} ${about}`)).size === c.reasons.length,
  'a run ends as cancelled only if it was cancelled, and then always': ({ c }) =>
    (c.outcome === 'cancelled') ===
    ((c.outcome === 'failed' || c.outcome === 'cancelled') &&
      isDeepStrictEqual(c.reasons[0], { code: 'CANCELLED', about: 'task' })),
  'a run fails safe with no write in flight': ({ c }) =>
    c.outcome === null || !Object.values(c.calls).some((call) => isWrite(call) && call.status === 'started'),
  'a run that failed has undone its writes, or says which it could not undo': ({ c }) =>
    (c.outcome !== 'failed' && c.outcome !== 'cancelled') ||
    c.effects.every(
      ({ digest, status, rollback, evidence }) =>
        status === 'undone' ||
        status === 'closed' ||
        status === 'kept' ||
        ((status === 'stuck' ||
          (status === 'committed' && (!rollback || restsOnStatementAlone(c, evidence)))) &&
          c.reasons.some(({ code, about }) => code === 'ROLLBACK_REQUIRED' && about === digest)),
    ),
  'a run that failed says which effects are in doubt': ({ c }) =>
    (c.outcome !== 'failed' && c.outcome !== 'cancelled') ||
    Object.entries(c.calls).every(
      ([id, call]) =>
        !isWrite(call) ||
        (call.status !== 'doubted' &&
          call.status !== 'waiting' &&
          (!call.underWay || !['asking', 'allowed', 'proposed'].includes(call.status))) ||
        c.reasons.some(({ code, about }) => code === 'EFFECT_IN_DOUBT' && about === id),
    ),
  'no run reports a write as not undone that was undone': ({ c }) =>
    c.outcome === null ||
    c.effects.every(
      ({ digest, status }) =>
        (status !== 'undone' && status !== 'closed' && status !== 'kept') ||
        !c.reasons.some(({ code, about }) => code === 'ROLLBACK_REQUIRED' && about === digest),
    ),
  'a failed run keeps writes only if its agent stayed away, or approved ones at a limit': ({ c }) =>
    c.effects.every(({ status, authority }) => status !== 'kept' || keepsAtLimit(c, authority)) ||
    failsWith(c, 'HOST_UNAVAILABLE'),
  'a run always returns to the place where it paused': ({ c }) =>
    c.reasons.every(({ code }) => code !== 'RESUME_LOST'),
  'the model is asked for an answer only if no write is due': ({ snapshot, c }) =>
    !['concluding', 'verifying'].some((name) => rests(snapshot, name)) ||
    Object.values(c.calls).every(
      (call) => !isWrite(call) || (call.status !== 'proposed' && call.status !== 'allowed'),
    ),
  'a plan continues only after the writes that it dropped are undone': ({ snapshot, c }) =>
    !['calling', 'checking', 'authorizing', 'concluding'].some((name) => rests(snapshot, name)) ||
    c.effects.every(
      ({ digest, status }) =>
        status === 'undone' ||
        status === 'closed' ||
        status === 'kept' ||
        Object.values(c.calls).some((call) => call.digest === digest),
    ),
  'a failure that another attempt can fix is repaired until repairs are spent': ({ c }) =>
    !failsWith(c, 'VERIFICATION_FAILED', 'TOOL_FAILED', 'TOOL_TIMEOUT') ||
    c.reasons.some(
      ({ code }) =>
        code === 'EFFECT_IN_DOUBT' || (code === 'ROLLBACK_REQUIRED' && c.taskClass.repairTo === 'execute'),
    ) ||
    isSpent(c, 'repairs'),
  'a person is asked about what a person can decide, until pauses are spent': ({ c, isTask }) =>
    !isTask ||
    !failsWith(c, 'CONFIDENCE_LOW', 'CANNOT_PROCEED', 'APPROVAL_REQUIRED', 'EFFECT_IN_DOUBT') ||
    isSpent(c, 'pauses'),
  'evidence that became stale before a write is read again until refreshes are spent': ({ c }) =>
    !failsWith(c, 'EVIDENCE_STALE') ||
    !Object.values(c.calls).some((call) => isWrite(call) && call.status === 'allowed') ||
    isSpent(c, 'refreshes'),
  'every count stays within its limit, or a person is asked about it': ({ c }) =>
    Object.entries(c.counters).every(([count, used]) => isWithin(c, count, used)) &&
    Object.values(c.recoveries).every((used) => used <= c.taskClass.limits.recoveries),
  'one write is in flight at a time': ({ c }) =>
    Object.values(c.calls).filter((call) => isWrite(call) && isFlying(call)).length <= 1,
  'a run with an open question is in needsHumanDecision, with an open dependency in waiting': ({
    snapshot,
    c,
    isTask,
  }) => {
    if (c.reasons.length > 0 || c.outcome !== null) return true;
    const asks = Object.keys(c.questions).length > 0;
    const awaits = Object.keys(c.dependencies).length > 0;
    if (!isTask) return !asks;
    return (
      (snapshot.value === 'needsHumanDecision') === asks &&
      (snapshot.value === 'waiting') === (awaits && !asks)
    );
  },
  'a call that asks has an open question, and a call that waits an open dependency': ({ c }) =>
    c.reasons.length > 0 ||
    Object.entries(c.calls).every(
      ([id, { status }]) =>
        (status !== 'asking' ||
          Object.values(c.questions).some(({ kind, about }) => kind === 'tool' && about === id)) &&
        (status !== 'waiting' || Object.values(c.dependencies).some((calls) => calls.includes(id))),
    ),
  'a call in doubt is asked about, also beside a question as long as pauses last': ({ c, isTask }) =>
    !isTask ||
    (isSpent(c, 'pauses') && Object.keys(c.questions).length > 0) ||
    c.reasons.length > 0 ||
    c.outcome !== null ||
    Object.entries(c.calls).every(
      ([id, { status }]) =>
        status !== 'doubted' ||
        Object.values(c.questions).some(({ kind, about }) => kind === 'doubt' && about === id) ||
        Object.values(c.calls).some((call) => isFlying(call) || isOwedRead(call)),
    ),
  'a run that is not settled has a duty': ({ snapshot }) =>
    isSettled(snapshot) || dutiesOf(snapshot).some(({ kind }) => kind !== 'wake'),
  'every duty can be discharged': ({ snapshot, taken }) =>
    dutiesOf(snapshot).every((duty) => taken.some((fact) => discharges(duty, fact))),
  'every duty has a deadline': ({ snapshot }) => {
    const duties = dutiesOf(snapshot);
    const deadlines = new Set(duties.flatMap((duty) => (duty.kind === 'wake' ? duty.of : [])));
    return duties.every(({ kind }) => kind === 'wake' || deadlinesOf[kind].some((of) => deadlines.has(of)));
  },
  'a person can comment on every open question': ({ snapshot, c, taken }) =>
    [
      ...(snapshot.value === 'needsHumanDecision' ? Object.keys(c.questions) : []),
      ...(snapshot.value === 'followup' ? ['followup'] : []),
    ].every((question) =>
      taken.some(
        (fact) =>
          fact.type === 'human.responded' && fact.feedback === 'comment' && fact.question === question,
      ),
    ),
  'a settled run has no duty and accepts no fact': ({ snapshot, taken }) =>
    !isSettled(snapshot) || (dutiesOf(snapshot).length === 0 && taken.length === 0),
  'a run that is not settled can be cancelled': ({ snapshot, taken }) =>
    isSettled(snapshot) || taken.some(({ type }) => type === 'task.cancelled'),
  'a rollback that began can end': ({ c, snapshot, taken }) =>
    isSettled(snapshot) ||
    c.effects.every(
      ({ digest, status }) =>
        status !== 'undoing' ||
        taken.some((fact) => fact.type === 'rollback.succeeded' && fact.digest === digest),
    ),
};
