import { isDeepStrictEqual } from 'node:util';
import type { Call, Context } from '../../../../machines/index.ts';
import { foldName } from '../../../../machines/names.ts';
import type { StateView } from './states.ts';
import type { Step } from './steps.ts';

/** Returns the number of approvers that an action needs. */
const approversNeeded = ({ taskClass }: Context, { tier }: Call): number =>
  tier === 'write_high_risk' ? taskClass.approvers : 1;

/**
 * Returns whether a call is pending or running. A completed one keeps its approvals, without further checks.
 */
const isPending = ({ status }: Call): boolean => !['succeeded', 'failed', 'refused'].includes(status);

const isToBeMade = ({ status }: Call): boolean => status === 'proposed' || status === 'allowed';

const callsOf = ({ calls }: Context): readonly Call[] => Object.values(calls);

/** Returns the number of distinct approvers. Spelling variants of a name count once. */
const approverCount = ({ approvers }: Call): number => new Set(approvers.map(foldName)).size;

/** The properties of approvals and refusals in every state. */
export const inEveryState: Readonly<Record<string, (here: StateView) => boolean>> = {
  'no person approves one action twice': ({ c }) =>
    callsOf(c).every((call) => approverCount(call) === call.approvers.length),
  'an action is authorized when it has enough approvers, and not before': ({ c }) =>
    callsOf(c).every(
      (call) =>
        !isPending(call) || (call.authority !== null) === call.approvers.length >= approversNeeded(c, call),
    ),
  'no person is asked about an action that has enough approvers': ({ c }) =>
    callsOf(c).every(
      (call) =>
        call.status !== 'allowed' || call.authority === null || !(`approval:${call.digest}` in c.questions),
    ),
  'a report that passed has no reason code': ({ c }) =>
    Object.values(c.reports).every(({ status, code }) => status === 'fail' || code === null),
  'the reasons of a nested task follow the reason of its call': ({ c: { calls, reasons } }) =>
    reasons.every(({ code, about }, at) => {
      const causes = code === 'CHILD_FAILED' ? (calls[about]?.causes ?? []) : [];
      return causes.every((cause, after) =>
        isDeepStrictEqual(reasons[at + 1 + after], { code: cause, about }),
      );
    }),
};

/** The properties of approvals in every step. */
export const inEveryStep: Readonly<Record<string, (step: Step) => boolean>> = {
  'no write starts with fewer distinct approvers than its task class requires': ({ before: c, fact }) => {
    const call = fact.type === 'call.started' ? c.calls[fact.call] : undefined;
    return call?.tier !== 'write_high_risk' || approverCount(call) >= c.taskClass.approvers;
  },
  'the causes of a call are those of its last outcome': ({ before, fact, after }) =>
    Object.entries(after.calls).every(([id, { status, causes }]) => {
      if (before.calls[id]?.status === status || (status !== 'failed' && status !== 'doubted'))
        return status === 'failed' || status === 'doubted' || causes.length === 0;
      const reported = 'causes' in fact && 'call' in fact && fact.call === id ? fact.causes : [];
      return isDeepStrictEqual(causes, reported);
    }),
  'an approval counts for calls of the approved action, and for no other call': ({ before, fact, after }) =>
    callsOf(after).every(({ digest, approvers }) => {
      const known = callsOf(before).flatMap((was) => (was.digest === digest ? was.approvers : []));
      const approvesNow = (approver: string): boolean =>
        (fact.type === 'approval.granted' && fact.digest === digest && fact.approver === approver) ||
        (fact.type === 'human.responded' &&
          fact.feedback === 'approve' &&
          fact.question === `approval:${digest}` &&
          fact.by === approver);
      return approvers.every((approver) => known.includes(approver) || approvesNow(approver));
    }),
  'an approval that is not enough keeps its question open and counts no second pause': ({
    before,
    fact,
    after,
  }) => {
    if (fact.type !== 'approval.granted' && fact.type !== 'human.responded') return true;
    const id = fact.type === 'human.responded' ? fact.question : `approval:${fact.digest}`;
    const isApproval = fact.type === 'approval.granted' || fact.feedback === 'approve';
    const question = before.questions[id];
    if (!isApproval || question?.kind !== 'approval') return true;
    const isShort = callsOf(after).some(
      (call) => call.digest === question.about && isToBeMade(call) && call.authority === null,
    );
    return (
      id in after.questions === isShort && (!isShort || after.counters.pauses === before.counters.pauses)
    );
  },
  'an expired or refused approval removes all approvers of its action, and no others': ({
    before,
    fact,
    after,
  }) => {
    const isRefusal = fact.type === 'call.refused';
    if (isRefusal && fact.code === 'TOOL_CHANGED') return true;
    if (!isRefusal && !(fact.type === 'deadline.passed' && fact.of === 'approval')) return true;
    const action = isRefusal ? before.calls[fact.call]?.digest : fact.id;
    return Object.entries(after.calls).every(([id, { digest, authority, approvers }]) => {
      const was = before.calls[id];
      const isOver =
        (isRefusal && id === fact.call) ||
        (digest === action && was && isToBeMade(was) && (isRefusal || !was.underWay));
      return isOver
        ? authority === null && approvers.length === 0
        : authority === was?.authority && isDeepStrictEqual(approvers, was.approvers);
    });
  },
};
