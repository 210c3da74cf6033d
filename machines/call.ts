import type { Change } from './change.ts';
import type { Call, CallStatus, Context, Effect } from './context.ts';
import type { ProposedCall } from './facts/fields.ts';
import { firstState, stepOf, type Lifecycle } from './lifecycle.ts';
import { isGated, isToBeMade, isWrite } from './owed.ts';

/**
 * The events of a call: facts, results of answers, and consequences of other changes in the run.
 *
 * `call.abandoned`: the call will not start or continue. For example, its start deadline passed, or a person rejected
 * its question. `call.denied`: the policy or the task class forbids the call.
 */
export type CallEvent =
  | 'call.planned'
  | 'policy.decided'
  | 'call.denied'
  | 'call.started'
  | 'call.succeeded'
  | 'call.failed'
  | 'call.doubted'
  | 'call.refused'
  | 'call.abandoned'
  | 'taskClass.changed'
  | 'dependency.awaited'
  | 'dependency.met'
  | 'question.raised'
  | 'question.continued'
  | 'question.declined'
  | 'question.repeated'
  | 'action.succeeded'
  | 'action.ruledOut'
  | 'round.failed'
  | 'evidence.aged'
  | 'run.repaired';

/** What the conditions of the table read: the call, and `prior`, the status of an earlier effect of the same action. */
type CallSubject = Readonly<{
  isWrite: boolean;
  underWay: boolean;
  prior: Effect['status'] | 'none';
  isDenied: boolean;
}>;

const unbegun = ['proposed', 'allowed'] as const;
const begun = ['started', 'asking', 'waiting'] as const;

/** The lifecycle of a call. Without a known outcome, a read counts as failed and a write as in doubt. */
export const callLife: Lifecycle<
  CallStatus,
  CallEvent,
  'isRead' | 'isWrite' | 'isDone' | 'isClosed' | 'mayHaveHappened' | 'isDenied',
  CallSubject
> = {
  id: 'call',
  conditions: {
    isRead: ({ isWrite: write }) => !write,
    isWrite: ({ isWrite: write }) => write,
    isDone: ({ isWrite: write, prior }) => write && prior === 'committed',
    isClosed: ({ isWrite: write, prior }) => write && prior !== 'committed' && prior !== 'none',
    mayHaveHappened: ({ isWrite: write, underWay }) => write && underWay,
    isDenied: ({ isDenied: denied }) => denied,
  },
  steps: [
    { from: ['new'], on: ['call.planned'], when: 'isRead', to: 'allowed', cites: 'UAICP 5.3' },
    { from: ['new'], on: ['call.planned'], when: 'isDone', to: 'succeeded', cites: 'interpretation 0007' },
    { from: ['new'], on: ['call.planned'], when: 'isClosed', to: 'failed', cites: 'interpretation 0007' },
    { from: ['new'], on: ['call.planned'], to: 'proposed', cites: 'UAICP 5.3' },

    { from: ['proposed'], on: ['policy.decided'], to: 'allowed', cites: 'UAICP 5.3' },
    {
      from: unbegun,
      on: ['call.denied'],
      when: 'mayHaveHappened',
      to: 'doubted',
      cites: 'interpretation 0005',
    },
    { from: unbegun, on: ['call.denied'], to: 'refused', cites: 'interpretation 0072' },
    {
      from: ['allowed', 'started'],
      on: ['call.refused'],
      when: 'isRead',
      to: 'allowed',
      cites: 'interpretation 0072',
    },
    { from: [...unbegun, 'started'], on: ['call.refused'], to: 'proposed', cites: 'interpretation 0040' },
    {
      from: unbegun,
      on: ['taskClass.changed'],
      when: 'isWrite',
      to: 'proposed',
      cites: 'interpretation 0040',
    },
    { from: ['allowed'], on: ['call.started'], to: 'started', cites: 'UAICP 3 flow' },

    {
      from: ['started'],
      on: ['dependency.awaited'],
      to: 'waiting',
      sets: { underWay: true },
      cites: 'UpFormat Table 2',
    },
    { from: ['waiting'], on: ['dependency.met'], to: 'allowed', cites: 'UpFormat Table 2' },
    { from: ['started', 'waiting'], on: ['question.raised'], to: 'asking', cites: 'UpFormat Table 3' },
    { from: ['asking'], on: ['question.continued'], to: 'allowed', cites: 'UpFormat Table 3' },

    { from: [...begun, 'doubted'], on: ['call.succeeded'], to: 'succeeded', cites: 'UAICP 3 flow' },
    { from: [...begun, 'doubted'], on: ['call.failed'], to: 'failed', cites: 'UAICP 4.1' },
    {
      from: ['started', 'waiting'],
      on: ['call.doubted'],
      when: 'isWrite',
      to: 'doubted',
      cites: 'interpretation 0005',
    },
    { from: ['started', 'waiting'], on: ['call.doubted'], to: 'failed', cites: 'UAICP 4.1' },
    {
      from: ['doubted'],
      on: ['question.repeated'],
      when: 'isDenied',
      to: 'proposed',
      sets: { underWay: false },
      cites: 'interpretation 0040',
    },
    {
      from: ['doubted'],
      on: ['question.repeated'],
      to: 'allowed',
      sets: { underWay: false },
      cites: 'interpretation 0005',
    },

    {
      from: [...unbegun, ...begun],
      on: ['call.abandoned'],
      when: 'mayHaveHappened',
      to: 'doubted',
      cites: 'interpretation 0005',
    },
    { from: [...unbegun, ...begun], on: ['call.abandoned'], to: 'failed', cites: 'UAICP 4.1' },
    {
      from: unbegun,
      on: ['question.declined'],
      when: 'mayHaveHappened',
      to: 'doubted',
      cites: 'interpretation 0005',
    },
    { from: unbegun, on: ['question.declined'], to: 'refused', cites: 'UAICP 5.3' },
    { from: begun, on: ['round.failed'], when: 'isRead', to: 'dropped', cites: 'interpretation 0003' },

    {
      from: [...unbegun, 'failed', 'doubted'],
      on: ['action.succeeded'],
      when: 'isWrite',
      to: 'succeeded',
      cites: 'interpretation 0007',
    },
    {
      from: [...unbegun, 'failed', 'doubted'],
      on: ['action.ruledOut'],
      when: 'isWrite',
      to: 'failed',
      cites: 'interpretation 0005',
    },

    {
      from: ['succeeded'],
      on: ['evidence.aged'],
      when: 'isRead',
      to: 'allowed',
      cites: 'interpretation 0008',
    },
    {
      from: [...unbegun, ...begun, 'succeeded', 'failed', 'doubted'],
      on: ['run.repaired'],
      when: 'isWrite',
      to: 'proposed',
      sets: { underWay: false },
      cites: 'UAICP 4.1',
    },
    {
      from: ['allowed', ...begun, 'succeeded', 'failed', 'dropped'],
      on: ['run.repaired'],
      to: 'allowed',
      sets: { underWay: false },
      cites: 'UAICP 4.1',
    },
  ],
};

const subjectOf = (
  call: Pick<Call, 'tier' | 'underWay' | 'code'>,
  prior: CallSubject['prior'] = 'none',
): CallSubject => ({
  isWrite: isWrite(call),
  underWay: call.underWay,
  prior,
  isDenied: call.code === 'POLICY_BLOCKED',
});

const stepFor = (call: Call, event: CallEvent) => stepOf(callLife, call.status, event, subjectOf(call));

/** Returns whether the table has a step for an event in the present status of a call. */
export const mayMove = (call: Call | undefined, event: CallEvent): boolean =>
  call !== undefined && stepFor(call, event) !== undefined;

/** The fields of a call, apart from its status, that an event may change. */
type CallDetails = Partial<Omit<Call, 'status'>>;

const moved = (call: Call, event: CallEvent, details: CallDetails): Call => {
  const step = stepFor(call, event);
  if (step === undefined) return call;
  return { ...call, status: step.to, underWay: step.sets?.underWay ?? call.underWay, ...details };
};

/** Returns all calls, with a change made to those that the predicate selects. */
const mapCalls = (
  { calls }: Context,
  which: (call: Call, id: string) => boolean,
  change: (call: Call, id: string) => Call,
): Record<string, Call> =>
  Object.fromEntries(
    Object.entries(calls).map(([id, call]) => [id, which(call, id) ? change(call, id) : call]),
  );

/** Returns all calls, with details changed in those that the predicate selects. Their status stays. */
export const changeCalls = (
  c: Context,
  which: (call: Call, id: string) => boolean,
  details: CallDetails,
): Record<string, Call> => mapCalls(c, which, (call) => ({ ...call, ...details }));

/** Returns all calls, with an event applied to those that the predicate selects. Only those that it moves take the details. */
export const moveCalls = (
  c: Context,
  which: (call: Call, id: string) => boolean,
  event: CallEvent,
  details: CallDetails | ((call: Call) => CallDetails) = {},
): Record<string, Call> =>
  mapCalls(c, which, (call) => moved(call, event, typeof details === 'function' ? details(call) : details));

/** Applies an event to one call. */
export const moveCall = (c: Context, id: string, event: CallEvent, details: CallDetails = {}): Change => ({
  calls: moveCalls(c, (_, name) => name === id, event, details),
});

/** Returns a gated call of the same action that waits to start. */
const sameActionOf = ({ calls }: Context, digest: string): Call | undefined =>
  Object.values(calls).find((call) => isGated(call) && call.digest === digest && isToBeMade(call));

/**
 * Returns the initial details of a gated call: the result of an earlier effect of its action, and the approvals of
 * other calls of the action.
 */
const sharedWith = (c: Context, digest: string, effect: Effect | undefined): CallDetails => {
  const other = sameActionOf(c, digest);
  return {
    evidence: effect?.status === 'committed' ? effect.evidence : null,
    authority: effect?.status === 'committed' ? effect.authority : null,
    code: effect !== undefined && effect.status !== 'committed' ? 'EFFECT_CLOSED' : null,
    ...(other && { authority: other.authority, approvers: other.approvers }),
  };
};

/** Returns the new call for a proposed one, at a position in the plan. */
export const callFor = (c: Context, proposed: ProposedCall, at: number): Call => {
  const { tool, tier, digest, rollback, subjects, together, after } = proposed;
  const effect = c.effects.find((one) => one.digest === digest);
  const held = effect === undefined ? proposed.held : undefined;
  const subject = subjectOf({ tier, underWay: false, code: null }, effect?.status);
  return {
    at,
    tool,
    tier,
    digest,
    status: firstState(callLife, 'call.planned', subject),
    underWay: false,
    cleared: false,
    review: false,
    ...(held && { held }),
    ...(together && { together }),
    ...(after && { after }),
    authority: null,
    approvers: [],
    rollback,
    evidence: null,
    ...(subjects && { subjects }),
    code: null,
    causes: [],
    ...(isGated({ tier, held }) && sharedWith(c, digest, effect)),
  };
};

/** Returns the new calls for proposed ones, at consecutive positions. */
export const callsFor = (c: Context, proposed: readonly ProposedCall[], from = 0): Record<string, Call> =>
  Object.fromEntries(proposed.map((call, index) => [call.id, callFor(c, call, from + index)]));

/** Returns the calls of a plan. They take no approvals from the calls that they replace. */
export const callsOfPlan = (c: Context, proposed: readonly ProposedCall[]): Record<string, Call> =>
  callsFor({ ...c, calls: {} }, proposed);
