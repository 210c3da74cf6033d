import { giveUpUnmade, take } from './changes.ts';
import { fail, type Rest } from './follows.ts';
import { needsAuthority } from './gates.ts';
import { isFailing, isGated, isWrite, type Call, type Known } from './known.ts';
import { isSpent } from './limits.ts';
import { stricterOf } from './stricter.ts';
import type { TaskClass } from './vocabulary.ts';

/** Whether a call may begin as far as the policy goes: it has not begun, or is to be called again. */
const isAllowed = (call: Call): boolean =>
  call.status === 'ready' && (!isWrite(call) || call.verdict !== null);

const backToGate = (call: Call): void => {
  Object.assign(call, {
    status: 'ready',
    verdict: null,
    cleared: false,
    approvals: [],
    beganApproved: false,
  });
};

/** A call that stopped for a person or for an outside event, and goes on after it. */
const isPaused = ({ status }: Call): boolean => status === 'awaiting' || status === 'asking';

/** A clearance was looked at, and stands. */
export const clear = ({ next }: Rest, call: Call): boolean =>
  isWrite(call) && next.includes(call.id) && take(() => void (call.cleared = true));

/** A tool that is another one by now, or is gone, ends the call. */
const lose = (k: Known, call: Call, code: string): boolean =>
  isAllowed(call) && !isFailing(k) && take(() => giveUpUnmade(call, code));

/** What cleared a write does not stand any more: it is decided on anew, bounded (decision 0040). */
const lapse = (k: Known, call: Call, code: string): boolean => {
  const hasBegun = call.status === 'started' && needsAuthority(call) && !call.underWay;
  if (!isGated(call) || !(hasBegun || (isAllowed(call) && !isFailing(k)))) return false;
  return take(() => {
    const isLast = isSpent(k, 'clearances');
    backToGate(call);
    for (const one of k.calls) if (one.status === 'ready' && one.digest === call.digest) backToGate(one);
    if (isLast) fail(k, ['BUDGET_SPENT', code]);
    else k.counters.clearances += 1;
  });
};

/** A call is refused at the moment when it would begin. */
export const refuseCall = (k: Known, call: Call, code: string): boolean =>
  code === 'TOOL_CHANGED' || code === 'TOOL_UNAVAILABLE' ? lose(k, call, code) : lapse(k, call, code);

/** A contract that became stricter holds at once, for whatever has not begun (decision 0040). */
export const tighten = (k: Known, taskClass: TaskClass): boolean => {
  const strict = taskClass.id === k.taskClass.id ? stricterOf(k.taskClass, taskClass) : null;
  if (strict === null) return false;
  return take(() => {
    k.taskClass = strict;
    for (const [id, { kind }] of k.questions) if (kind === 'approval') k.questions.delete(id);
    for (const call of k.calls)
      if (isGated(call) && call.status === 'ready') backToGate(call);
      else if (isGated(call) && isPaused(call))
        Object.assign(call, { cleared: false, approvals: [], beganApproved: false });
  });
};
