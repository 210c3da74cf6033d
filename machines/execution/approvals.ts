import { changeCalls, without, type Change } from './changes.ts';
import type { Call, Context } from './context.ts';
import { callsOf } from './owed.ts';
import type { Authority } from './task-class.ts';

/** How many approvers stand behind a call before it is made: behind a high-risk write as many as its task class asks for. */
const approversWanted = ({ taskClass }: Context, { tier }: Pick<Call, 'tier'>): number =>
  tier === 'write_high_risk' ? taskClass.approvers : 1;

/** One more approver stands behind an action; with the last that is wanted its authority stands, and nobody is asked any more. */
export const approved = (c: Context, digest: string, approver: string, authority: Authority): Change => {
  const action = callsOf(c).find((call) => call.digest === digest);
  if (action === undefined) return {};
  const approvers = [...new Set([...action.approvers, approver])];
  const isEnough = approvers.length >= approversWanted(c, action);
  return {
    calls: changeCalls(c, (call) => call.digest === digest, {
      approvers,
      ...(isEnough && { authority }),
    }),
    ...(isEnough && { questions: without(c.questions, `approval:${digest}`) }),
  };
};
