import type { Change } from './change.ts';
import type { Call, CallStatus, Context, Effect } from './context.ts';
import type { ProposedCall } from './facts/fields.ts';
import { firstState, wayOf, type Life } from './life.ts';
import { isGated, isToBeMade, isWrite } from './owed.ts';
import { interpretation, uaicp, upformat } from './spec.ts';

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

/** What the guards read: the call, and `prior`, the status of an earlier effect of the same action. */
type CallSubject = Readonly<{
  isWrite: boolean;
  underWay: boolean;
  prior: Effect['status'] | 'none';
  isDenied: boolean;
}>;

const idle = { type: 'set', params: { underWay: false } } as const;
const underWay = { type: 'set', params: { underWay: true } } as const;

/** What an action brings to its calls when it was made through another of them. */
const shared = {
  'action.succeeded': { guard: 'isWrite', target: 'succeeded', meta: interpretation('0007') },
  'action.ruledOut': { guard: 'isWrite', target: 'failed', meta: interpretation('0005') },
} as const;

const decidedAnew = { guard: 'isWrite', target: 'proposed', actions: idle, meta: uaicp('4.1') } as const;
const madeAnew = { target: 'allowed', actions: idle, meta: uaicp('4.1') } as const;

const abandoned = [
  { guard: 'mayHaveHappened', target: 'doubted', meta: interpretation('0005') },
  { target: 'failed', meta: uaicp('4.1') },
] as const;
const doubted = [
  { guard: 'isWrite', target: 'doubted', meta: interpretation('0005') },
  { target: 'failed', meta: uaicp('4.1') },
] as const;
const refused = [
  { guard: 'isRead', target: 'allowed', meta: interpretation('0072') },
  { target: 'proposed', meta: interpretation('0040') },
] as const;
const question = { target: 'asking', meta: upformat('Table 3') } as const;

/** What a call takes that waits to start. */
const unbegun = {
  ...shared,
  'call.denied': [
    { guard: 'mayHaveHappened', target: 'doubted', meta: interpretation('0005') },
    { target: 'refused', meta: interpretation('0072') },
  ],
  'question.declined': [
    { guard: 'mayHaveHappened', target: 'doubted', meta: interpretation('0005') },
    { target: 'refused', meta: uaicp('5.3') },
  ],
  'taskClass.changed': { guard: 'isWrite', target: 'proposed', meta: interpretation('0040') },
  'call.abandoned': abandoned,
} as const;

/** What a tool may still say of a call. */
const outcomes = {
  'call.succeeded': { target: 'succeeded', meta: uaicp('3 flow') },
  'call.failed': { target: 'failed', meta: uaicp('4.1') },
} as const;

/** What a call takes that started and has no outcome yet. */
const begun = {
  ...outcomes,
  'call.abandoned': abandoned,
  'round.failed': { guard: 'isRead', target: 'dropped', meta: interpretation('0003') },
  'run.repaired': [decidedAnew, madeAnew],
} as const;

/** The life of a call. Without a known outcome, a read counts as failed and a write as in doubt. */
export const callLife: Life<
  CallStatus,
  CallEvent,
  'isRead' | 'isWrite' | 'isDone' | 'isClosed' | 'mayHaveHappened' | 'isDenied',
  CallSubject
> = {
  id: 'call',
  guards: {
    isRead: ({ context }) => !context.isWrite,
    isWrite: ({ context }) => context.isWrite,
    isDone: ({ context }) => context.isWrite && context.prior === 'committed',
    isClosed: ({ context }) => context.isWrite && context.prior !== 'committed' && context.prior !== 'none',
    mayHaveHappened: ({ context }) => context.isWrite && context.underWay,
    isDenied: ({ context }) => context.isDenied,
  },
  states: {
    new: {
      on: {
        'call.planned': [
          { guard: 'isRead', target: 'allowed', meta: uaicp('5.3') },
          { guard: 'isDone', target: 'succeeded', meta: interpretation('0007') },
          { guard: 'isClosed', target: 'failed', meta: interpretation('0007') },
          { target: 'proposed', meta: uaicp('5.3') },
        ],
      },
    },
    proposed: {
      on: {
        ...unbegun,
        'policy.decided': { target: 'allowed', meta: uaicp('5.3') },
        'call.refused': { target: 'proposed', meta: interpretation('0040') },
        'run.repaired': decidedAnew,
      },
    },
    allowed: {
      on: {
        ...unbegun,
        'call.started': { target: 'started', meta: uaicp('3 flow') },
        'call.refused': refused,
        'run.repaired': [decidedAnew, madeAnew],
      },
    },
    refused: {},
    started: {
      on: {
        ...begun,
        'call.doubted': doubted,
        'call.refused': refused,
        'dependency.awaited': { target: 'waiting', actions: underWay, meta: upformat('Table 2') },
        'question.raised': question,
      },
    },
    asking: {
      on: { ...begun, 'question.continued': { target: 'allowed', meta: upformat('Table 3') } },
    },
    waiting: {
      on: {
        ...begun,
        'call.doubted': doubted,
        'dependency.met': { target: 'allowed', meta: upformat('Table 2') },
        'question.raised': question,
      },
    },
    succeeded: {
      on: {
        'evidence.aged': { guard: 'isRead', target: 'allowed', meta: interpretation('0008') },
        'run.repaired': [decidedAnew, madeAnew],
      },
    },
    failed: { on: { ...shared, 'run.repaired': [decidedAnew, madeAnew] } },
    dropped: { on: { 'run.repaired': madeAnew } },
    doubted: {
      on: {
        ...outcomes,
        ...shared,
        'question.repeated': [
          { guard: 'isDenied', target: 'proposed', actions: idle, meta: interpretation('0040') },
          { target: 'allowed', actions: idle, meta: interpretation('0005') },
        ],
        'run.repaired': decidedAnew,
      },
    },
  },
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

const wayFor = (call: Call, event: CallEvent) => wayOf(callLife, call.status, event, subjectOf(call));

/** Returns whether a call takes an event in its present status. */
export const mayMove = (call: Call | undefined, event: CallEvent): boolean =>
  call !== undefined && wayFor(call, event) !== undefined;

/** The fields of a call, apart from its status, that an event may change. */
type CallDetails = Partial<Omit<Call, 'status'>>;

const moved = (call: Call, event: CallEvent, details: CallDetails): Call => {
  const way = wayFor(call, event);
  if (way === undefined) return call;
  const { underWay: sets = call.underWay } = way.actions?.params ?? {};
  return { ...call, status: way.target, underWay: sets, ...details };
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
