import { changeCalls, moveCalls, type CallEvent } from './call.ts';
import { omit, type Change } from './change.ts';
import type { Call, Context } from './context.ts';
import { isAmong } from './names.ts';
import { isGated, isToBeMade, runOf } from './owed.ts';
import type { Authority } from './task-class.ts';

/** Returns the number of approvers that a call needs: for a high-risk write that of the task class, otherwise 1. */
const approversWanted = ({ taskClass }: Context, { tier }: Pick<Call, 'tier'>): number =>
  tier === 'write_high_risk' ? taskClass.approvers : 1;

const isUnapproved = (call: Call, digest: string): boolean =>
  call.digest === digest && call.authority === null && isGated(call) && isToBeMade(call);

/** Returns whether an approver may approve an action: with a name, and only once under all spellings of it. */
export const mayApprove = (c: Context, digest: string, approver: string | undefined): boolean =>
  approver !== undefined &&
  runOf(c).calls.some((call) => isUnapproved(call, digest) && !isAmong(call.approvers, approver));

const withApprover = ({ approvers }: Call, approver: string): readonly string[] =>
  isAmong(approvers, approver) ? approvers : [...approvers, approver];

/** Returns whether an action needs no more approvers after this one. */
export const isLastApprover = (c: Context, digest: string, approver: string | undefined): boolean => {
  const action = runOf(c).calls.find((call) => isUnapproved(call, digest));
  return (
    action !== undefined &&
    approver !== undefined &&
    withApprover(action, approver).length >= approversWanted(c, action)
  );
};

/** Adds an approver to an action. The last one that it needs also sets its authority and closes its question. */
export const approved = (
  c: Context,
  digest: string,
  approver: string | undefined,
  authority: Authority,
): Change => {
  const action = runOf(c).calls.find((call) => isUnapproved(call, digest));
  if (action === undefined || approver === undefined) return {};
  const isEnough = isLastApprover(c, digest, approver);
  return {
    calls: changeCalls(c, (call) => isUnapproved(call, digest), {
      approvers: withApprover(action, approver),
      ...(isEnough && { authority }),
    }),
    ...(isEnough && { questions: omit(c.questions, `approval:${digest}`) }),
  };
};

/**
 * Returns the approvals that a call keeps when it starts again: those that the current task class accepts
 * (interpretation 0040).
 */
export const approvalsOf = (c: Context, call: Call): Pick<Call, 'authority' | 'approvers'> => {
  const { authority, approvers, tier } = call;
  const isTaken =
    authority === null || tier !== 'write_high_risk' || c.taskClass.authorities.includes(authority);
  if (!isTaken) return { authority: null, approvers: [] };
  return { authority: approvers.length >= approversWanted(c, call) ? authority : null, approvers };
};

/** Lets calls start again, with the approvals that still count. */
export const resumed = (
  c: Context,
  which: (call: Call, id: string) => boolean,
  event: Extract<CallEvent, 'dependency.met' | 'question.continued' | 'question.repeated'>,
): Record<string, Call> =>
  moveCalls(c, which, event, (call) => ({ code: null, causes: [], ...approvalsOf(c, call) }));

/** Removes the approvals of an action from its calls that have not started. */
export const disapproved = (c: Context, digest: string): Record<string, Call> =>
  changeCalls(c, (call) => call.digest === digest && isToBeMade(call) && !call.underWay, {
    authority: null,
    approvers: [],
  });
