import { changeCalls, omit, type Change } from './changes.ts';
import type { Call, Context } from './context.ts';
import { callsOf, isWrite } from './owed.ts';
import { isAmong } from './persons.ts';
import type { Authority } from './task-class.ts';

/** How many approvers stand behind a call before it is made: behind a high-risk write as many as its task class asks for. */
const approversWanted = ({ taskClass }: Context, { tier }: Pick<Call, 'tier'>): number =>
  tier === 'write_high_risk' ? taskClass.approvers : 1;

/** Nothing was done of it yet. */
export const isToBeMade = ({ status }: Call): boolean => status === 'proposed' || status === 'allowed';

const isUnapproved = (call: Call, digest: string): boolean =>
  call.digest === digest && call.authority === null && isWrite(call) && isToBeMade(call);

/** Nobody approves without a name, and nobody one action twice, by whatever spelling of their name. */
export const mayApprove = (c: Context, digest: string, approver: string | undefined): boolean =>
  approver !== undefined &&
  callsOf(c).some((call) => isUnapproved(call, digest) && !isAmong(call.approvers, approver));

/** One more approver stands behind an action; with the last that is wanted its authority stands, and nobody is asked any more. */
export const approved = (
  c: Context,
  digest: string,
  approver: string | undefined,
  authority: Authority,
): Change => {
  const action = callsOf(c).find((call) => isUnapproved(call, digest));
  if (action === undefined || approver === undefined) return {};
  const approvers = isAmong(action.approvers, approver) ? action.approvers : [...action.approvers, approver];
  const isEnough = approvers.length >= approversWanted(c, action);
  return {
    calls: changeCalls(c, (call) => isUnapproved(call, digest), {
      approvers,
      ...(isEnough && { authority }),
    }),
    ...(isEnough && { questions: omit(c.questions, `approval:${digest}`) }),
  };
};

/** A call begins once more, and as many stand behind it as its task class asks for by now, or its approval is asked again. */
export const resumed = (c: Context, which: (call: Call, id: string) => boolean): Record<string, Call> =>
  Object.fromEntries(
    Object.entries(c.calls).map(([id, call]) => {
      if (!which(call, id)) return [id, call];
      const isEnough = call.approvers.length >= approversWanted(c, call);
      return [id, { ...call, status: 'allowed', authority: isEnough ? call.authority : null }];
    }),
  );

/** Nobody stands behind an action any more, where nothing rests on it yet. */
export const disapproved = (c: Context, digest: string): Record<string, Call> =>
  changeCalls(c, (call) => call.digest === digest && isToBeMade(call) && !call.underWay, {
    authority: null,
    approvers: [],
  });
