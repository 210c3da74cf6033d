import { changeCalls, moveCall } from '../call.ts';
import { followedBy, type Change } from '../change.ts';
import type { Call, Context } from '../context.ts';
import { isNext } from '../gates.ts';
import { abandoned } from '../outcomes.ts';
import { isToBeMade, isWrite, runOf } from '../owed.ts';
import { closeQuestionsOf } from '../question.ts';

/**
 * Returns the change for a call that the task class no longer allows: its tool is not listed, or it is held and `flows`
 * refuses held calls.
 */
const withdrawn = (c: Context, id: string, { tool, held: [code] = [] }: Call): Change => {
  const { tools, flows } = c.taskClass;
  if (tools?.includes(tool) === false) return abandoned(c, id, 'TOOL_UNAVAILABLE');
  return flows === 'refuse' && code !== undefined ? moveCall(c, id, 'call.denied', { code }) : {};
};

/** Withdraws the calls that wait to start and that the task class no longer allows. */
export const withdrawCalls = (c: Context): Change =>
  Object.entries(c.calls).reduce<Change>(
    (change, [id, call]) =>
      isToBeMade(call) ? { ...change, ...withdrawn({ ...c, ...change }, id, call) } : change,
    {},
  );

/** Drops the outstanding reads once a call has failed, with their questions and dependencies. */
const dropReads = (c: Context): Change =>
  !runOf(c).hasFailed
    ? {}
    : runOf(c)
        .outstanding.filter((call) => !isWrite(call))
        .reduce<Change>((change, { id }) => {
          const now = { ...c, ...change };
          return { ...change, ...moveCall(now, id, 'round.failed'), ...closeQuestionsOf(now, id) };
        }, {});

/** Closes approval questions about actions of which no call waits to start. */
const closeIdleApprovals = (c: Context): Change => {
  const isIdle = ({ kind, about }: Context['questions'][string]): boolean =>
    kind === 'approval' && !Object.values(c.calls).some((call) => call.digest === about && isToBeMade(call));
  const open = Object.entries(c.questions);
  const asked = open.filter(([, question]) => !isIdle(question));
  return asked.length === open.length ? {} : { questions: Object.fromEntries(asked) };
};

/** Removes the clearances of these calls while the run waits. They are checked again before a write starts. */
export const lapseClearances = (c: Context, which: (id: string) => boolean = () => true): Change => {
  const isWaiting = Object.keys(c.questions).length > 0 || Object.keys(c.dependencies).length > 0;
  const isLapsed = (call: Call, id: string): boolean => call.cleared && which(id);
  return isWaiting && Object.entries(c.calls).some(([id, call]) => isLapsed(call, id))
    ? { calls: changeCalls(c, isLapsed, { cleared: false }) }
    : {};
};

/** Removes all clearances while the run waits, but that of the write that may start now: nobody is asked about it. */
export const lapseWaiting = (c: Context): Change => lapseClearances(c, (id) => !isNext(c, id));

/** Returns a change with its immediate consequences. */
export const withConsequences = (c: Context, change: Change): Change =>
  [withdrawCalls, dropReads, closeIdleApprovals, lapseWaiting].reduce<Change>(
    (sum, follow) => followedBy(c, sum, follow),
    change,
  );
