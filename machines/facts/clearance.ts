import { z } from 'zod';
import { Identifier, ReasonCode, Uuid } from '../../schema/index.ts';
import { approved, mayApprove } from '../approvals.ts';
import { changeCalls, mayMove, moveCall, moveCalls } from '../call.ts';
import { entry, failing, spent, type Change } from '../change.ts';
import type { Call, Context } from '../context.ts';
import { isNext } from '../gates.ts';
import { abandoned } from '../outcomes.ts';
import { isGated, isHeld, isToBeMade, isWrite, needsAuthority, runOf } from '../owed.ts';
import { Authority, stricter, TaskClassContract, type TaskClass } from '../task-class.ts';
import { callOf } from './checks.ts';
import { family } from './family.ts';
import { digest, isGone, ofCall } from './fields.ts';

const uncleared = { cleared: false, review: false, authority: null, approvers: [] } as const;

const isCurrent = (c: Context, fact: Parameters<typeof callOf>[1] & { readonly digest: string }): boolean =>
  callOf(c, fact)?.digest === fact.digest;

/**
 * Returns whether a call may be refused, for example because its clearance lapsed or its tool changed.
 *
 * Before it starts, a gated call may be refused, and any call whose tool is gone. After its intent, only a call that
 * needs authority and has not waited for a dependency.
 */
const mayRefuse = (c: Context, call: Call | undefined, code: ReasonCode): boolean => {
  if (call?.status === 'allowed') return c.reasons.length === 0 && (isGated(call) || isGone(code));
  return call?.status === 'started' && needsAuthority(call) && !call.underWay && !isGone(code);
};

/**
 * Withdraws the clearance and the approvals of a call, and of calls of the same action that wait to start. Fails the
 * run if the limit on clearances is reached.
 */
const lapse = (c: Context, id: string, code: ReasonCode): Change => {
  const digest = entry(c.calls, id)?.digest;
  const isOver = (call: Call, name: string): boolean =>
    name === id || (call.digest === digest && isToBeMade(call));
  return {
    calls: moveCalls(c, isOver, 'call.refused', uncleared),
    ...(c.counters.clearances < c.taskClass.limits.clearances
      ? { counters: { ...c.counters, clearances: c.counters.clearances + 1 } }
      : failing(c, spent('clearances'), { code, about: id })),
  };
};

interface Decision {
  readonly call: string;
  readonly verdict: 'allow' | 'deny' | 'needs_review';
  readonly ends?: 'call' | undefined;
}

const isPaused = ({ status }: Call): boolean => status === 'waiting' || status === 'asking';

/**
 * Applies a stricter task class. Gated calls that wait to start, or will start again, lose their clearance and
 * approvals.
 */
const tighten = (c: Context, current: TaskClass): Change => {
  const calls = moveCalls(c, () => true, 'taskClass.changed', uncleared);
  const { authority, approvers, cleared } = uncleared;
  return {
    taskClass: stricter(c.taskClass, current),
    calls: changeCalls({ ...c, calls }, (call) => isGated(call) && (isPaused(call) || isToBeMade(call)), {
      authority,
      approvers,
      cleared,
    }),
    questions: Object.fromEntries(Object.entries(c.questions).filter(([, { kind }]) => kind !== 'approval')),
  };
};

const isStricter = ({ taskClass }: Context, current: TaskClass): boolean =>
  taskClass.id === current.id && JSON.stringify(stricter(taskClass, current)) !== JSON.stringify(taskClass);

/**
 * Returns whether a person may still ask for changes to a delivered task. The next request uses the same task class.
 */
const mayContinue = ({ outcome, taskClass, followup }: Context): boolean =>
  outcome === 'delivered' && taskClass.followup && (followup === null || followup === 'offered');

/** Applies a policy decision. A `deny` ends the run, or only the call. */
const decided = (c: Context, { call, verdict, ends }: Decision): Change => {
  if (verdict === 'deny')
    return ends === 'call'
      ? moveCall(c, call, 'call.denied', { code: 'POLICY_BLOCKED' })
      : failing(c, { code: 'POLICY_BLOCKED', about: call });
  return moveCall(c, call, 'policy.decided', { cleared: true, review: verdict === 'needs_review' });
};

/** Returns whether an authority may approve an action. A system may not approve a held call. */
const mayEndorse = (c: Context, digest: string, authority: Authority): boolean =>
  authority !== 'system' || runOf(c).calls.every((call) => call.digest !== digest || !isHeld(call));

const verdicts = { allow: 'allows', deny: 'denies', needs_review: 'wants a person to review' } as const;

/** The facts that a write needs before it starts (UAICP 5.3). */
export const clearanceFacts = family({
  'policy.decided': {
    cites: 'UAICP 5.3',
    shape: {
      ...ofCall,
      digest,
      verdict: z.enum(['allow', 'deny', 'needs_review']),
      ends: z.literal('call').optional(),
    },
    accepts: (c, fact) =>
      isCurrent(c, fact) &&
      mayMove(callOf(c, fact), 'policy.decided') &&
      (fact.verdict === 'deny' || fact.ends === undefined),
    apply: decided,
    isHoped: ({ verdict }) => verdict === 'allow',
    mayBeLate: true,
    says: ({ call, verdict }, words) => `the policy ${verdicts[verdict]} ${words.call(call)}`,
  },
  'approval.granted': {
    cites: 'UAICP 5.3',
    shape: {
      request: Uuid,
      digest,
      authority: Authority,
      approver: Identifier,
    },
    accepts: (c, { request, digest: of, authority, approver }) =>
      request === c.request &&
      c.taskClass.authorities.includes(authority) &&
      mayEndorse(c, of, authority) &&
      mayApprove(c, of, approver),
    apply: (c, { digest: of, approver, authority }) => approved(c, of, approver, authority),
    isHoped: () => true,
    isRepeatable: () => true,
    says: ({ approver, digest: of }, words) => `${approver} approves ${words.action(of)}`,
  },
  'call.cleared': {
    cites: 'interpretation 0040',
    shape: { ...ofCall, digest },
    accepts: (c, fact) => {
      const call = callOf(c, fact);
      return call !== undefined && isWrite(call) && isCurrent(c, fact) && isNext(c, fact.call);
    },
    apply: (c, { call }) => ({ calls: changeCalls(c, (_, id) => id === call, { cleared: true }) }),
    isHoped: () => true,
    isRepeatable: () => true,
    says: ({ call }, words) => `the clearance of ${words.call(call)} still holds`,
  },
  'call.refused': {
    cites: 'UAICP 5.3',
    shape: { ...ofCall, code: ReasonCode },
    accepts: (c, fact) => mayRefuse(c, callOf(c, fact), fact.code),
    apply: (c, { call, code }) => (isGone(code) ? abandoned(c, call, code) : lapse(c, call, code)),
    outcome: () => 'failure',
    says: ({ call, code }, words) => `${words.call(call)} loses its clearance (${code})`,
  },
  'taskClass.changed': {
    cites: 'interpretation 0040',
    shape: { taskClass: TaskClassContract },
    accepts: (c, fact) => isStricter(c, fact.taskClass),
    acceptsAfter: (c, fact) => mayContinue(c) && isStricter(c, fact.taskClass),
    apply: (c, fact) => tighten(c, fact.taskClass),
    says: () => 'the task class becomes stricter',
  },
});
