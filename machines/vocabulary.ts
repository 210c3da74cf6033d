import { and, assign, not, setup } from 'xstate';
import type { FeedbackType, OperationalState, Phase } from '../schema/index.ts';
import type { Cited } from './spec.ts';
import { asksMore, checksNext, goingOn, mayGoOn, policyNext } from './beside.ts';
import { failing, followedBy, spent } from './change.ts';
import type { Context, RunInput, Violation } from './context.ts';
import { asksForAnotherPlan } from './facts/answer.ts';
import { isOverdue } from './facts/deadline.ts';
import type { DeadlineOf } from './facts/fields.ts';
import { appliesTo, applyFact, type Fact } from './facts/index.ts';
import { brokenOf, isMendable, isOutOfCalls, isOutOfTurns, violationsOf, type Gate } from './gates.ts';
import { mayExtend, mayPause } from './limits.ts';
import { mayAsk } from './pauses.ts';
import { hasFailedReport, isSure, nextWrite, runOf } from './owed.ts';
import {
  asked,
  chosen,
  entered,
  extended,
  failedAt,
  failedUnanswered,
  limitAsked,
  refreshed,
  repaired,
  settledSafe,
  stopped,
  superseded,
  turnTaken,
} from './progress.ts';
import { hasNewDoubt, questionsOwed } from './question.ts';
import type { AskedLimit } from './task-class.ts';

/** The kinds of duties that a state lists. `dutiesOf` turns each into the duties of a snapshot. */
export type DutyKind =
  | 'accept'
  | 'propose'
  | 'correct'
  | 'decide'
  | 'call'
  | 'observe'
  | 'verify'
  | 'conclude'
  | 'ask'
  | 'await'
  | 'undo'
  | 'offer'
  | 'refine'
  | 'wake';

/** The `meta` of a state or transition: its citation and, for a state, its duties. */
export interface Meta extends Cited {
  readonly owes?: readonly DutyKind[];
}

/** The output of a run. */
export interface RunOutput {
  readonly outcome: Context['outcome'];
  readonly reasons: readonly Violation[];
}

interface Seen {
  readonly context: Context;
  readonly event: Fact;
}

const isDeadline =
  (...of: readonly DeadlineOf[]) =>
  ({ context, event }: Seen): boolean =>
    event.type === 'deadline.passed' && of.includes(event.of) && isOverdue(context, event.of, event.id);

/** Returns a guard for feedback on the refinement that a followup offers. */
const onFollowup =
  (...types: readonly FeedbackType[]) =>
  ({ event }: Seen): boolean =>
    event.type === 'human.responded' && event.question === 'followup' && types.includes(event.feedback);

const words = setup({
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- XState infers its types from it
  types: {} as {
    context: Context;
    events: Fact;
    input: RunInput;
    meta: Meta;
    output: RunOutput;
    tags: 'settled' | 'undoing';
  },
  guards: {
    // acceptance: only these guards read the fact
    appliesTo: ({ context, event }) => appliesTo(context, event),
    isAcceptOverdue: isDeadline('accept'),
    isModelOverdue: isDeadline('model', 'host'),
    isPolicyOverdue: isDeadline('policy'),
    isStartOverdue: isDeadline('start'),
    isVerifierOverdue: isDeadline('verifier'),
    isRollbackOverdue: isDeadline('rollback'),
    isOfferOverdue: isDeadline('offer'),
    isFollowupOverdue: isDeadline('followup'),
    asksForAnotherPlan: ({ context, event }) =>
      event.type === 'human.responded' && appliesTo(context, event) && asksForAnotherPlan(context, event),
    mayGoOn: ({ context, event }) =>
      event.type === 'calls.proposed' && appliesTo(context, event) && mayGoOn(context, event),
    isDecidedBeside: ({ context, event }) => policyNext(context).length > 0 && appliesTo(context, event),
    isOverdueBeside: ({ context, event }) =>
      isDeadline('start')({ context, event }) ||
      (policyNext(context).length > 0 && isDeadline('policy')({ context, event })) ||
      (checksNext(context).length > 0 && isDeadline('verifier')({ context, event })),
    isChoice: onFollowup('approve', 'rank', 'reject'),
    isRemark: onFollowup('comment'),

    // gates: from here on, guards read only the context
    mayExecute: ({ context }) => violationsOf('execute', context).length === 0,
    mayWrite: ({ context }) =>
      nextWrite(context) !== undefined && violationsOf('write', context).length === 0,
    mayDeliver: ({ context }) => violationsOf('deliver', context).length === 0,
    mayRepair: ({ context }) =>
      context.reasons.length === 0 &&
      runOf(context).partialWrites.length === 0 &&
      context.counters.repairs < context.taskClass.limits.repairs,
    mayRefresh: ({ context }) =>
      runOf(context).staleReads.length > 0 &&
      !hasFailedReport(context) &&
      context.counters.refreshes < context.taskClass.limits.refreshes,

    // pending work
    mustStop: ({ context }) => context.reasons.length > 0,
    mustAsk: ({ context }) => Object.keys(questionsOwed(context)).length > 0 && mayPause(context),
    asks: ({ context }) => context.reasons.length === 0 && Object.keys(context.questions).length > 0,
    awaits: ({ context }) => context.reasons.length === 0 && Object.keys(context.dependencies).length > 0,
    hasPlan: ({ context }) => context.plan !== null,
    mustAssess: ({ context }) =>
      runOf(context).outstanding.length === 0 && (context.further !== null || !isSure(context)),
    hasDraft: ({ context }) => context.draft !== null,
    owesCalls: ({ context }) => runOf(context).outstanding.length > 0 || runOf(context).readsOwed.length > 0,
    owesWrites: ({ context }) => runOf(context).writesOwed.length > 0 || runOf(context).readsHeld.length > 0,
    owesChecks: ({ context }) => runOf(context).checksOwed.length > 0,
    owesPolicy: ({ context }) => runOf(context).policyOwed.length > 0,
    owesReports: ({ context }) => runOf(context).reportsOwed.length > 0,

    // limits
    isOutOfTurns: ({ context }) => isOutOfTurns(context),
    isOutOfCalls: ({ context }) => isOutOfCalls(context),
    mayExtendTurns: ({ context }) => isOutOfTurns(context) && mayExtend(context, 'modelCalls'),
    mayExtendCalls: ({ context }) => isOutOfCalls(context) && mayExtend(context, 'calls'),

    // what went wrong
    isInDoubt: ({ context }) => runOf(context).inDoubt.length > 0 && mayPause(context),
    asksMore: ({ context }) => (hasNewDoubt(context) || asksMore(context)) && mayAsk(context),
    isBroken: ({ context }) => brokenOf(context).length > 0,
    isMendable: ({ context }) => isMendable(context),
    mustUndoWrites: ({ context }) =>
      runOf(context).unplannedWrites.some(({ status, rollback }) => status === 'committed' && rollback),
    hasStuckWrites: ({ context }) => runOf(context).unplannedWrites.length > 0,

    // exits from undoing
    isUndone: ({ context }) => !runOf(context).hasWriteInFlight && runOf(context).undoOwed.length === 0,
    repairsExecute: ({ context }) => context.taskClass.repairTo === 'execute',

    // outcomes
    isDelivered: ({ context }) => context.outcome === 'delivered',
    isFailed: ({ context }) => context.outcome === 'failed',
    isCancelled: ({ context }) => context.outcome === 'cancelled',
    offersFollowup: ({ context }) => context.taskClass.followup && context.followup === null,
  },
  actions: {
    applyFact: assign(({ context, event }) => applyFact(context, event)),
    enter: assign(({ context }, { of }: { of: Phase | OperationalState }) => entered(context, of)),
    applyTurn: assign(({ context, event }) => turnTaken(context, applyFact(context, event))),
    exceed: assign(({ context }, { limit }: { limit: AskedLimit }) => failing(context, spent(limit))),
    askLimit: assign(({ context }, { limit }: { limit: AskedLimit }) => limitAsked(context, limit)),
    ask: assign(({ context }) => asked(context)),
    extend: assign(({ context }) => extended(context)),
    goOn: assign(({ context, event }) =>
      followedBy(context, turnTaken(context, applyFact(context, event)), goingOn),
    ),
    refresh: assign(({ context }) => refreshed(context)),
    repair: assign(({ context }, { gate, next }: { gate: Gate; next: 'execute' | 'plan' }) =>
      repaired(context, gate, next),
    ),
    revise: assign(({ context, event }) =>
      followedBy(context, applyFact(context, event), (c) => superseded(c, 'revise')),
    ),
    stop: assign(({ context }) => stopped(context)),
    fail: assign(({ context }, { gate }: { gate: Gate }) => failedAt(context, gate)),
    failUnanswered: assign(({ context }) => failedUnanswered(context)),
    deliver: assign({ outcome: 'delivered' }),
    failSafe: assign(({ context }) => settledSafe(context)),
    choose: assign(({ context, event }) => ({ ...applyFact(context, event), ...chosen(event) })),
    withdraw: assign({ followup: 'withdrawn', trail: [] }),
  },
});

/** The guards and actions of both charts, under the names that diagrams show. */
export const vocabulary = words.extend({
  guards: {
    mayMend: and(['isBroken', 'isMendable', 'mayRepair']),
    mayMendCalls: and(['mayMend', 'repairsExecute']),
    mayRepairCalls: and(['mayRepair', 'repairsExecute']),
    isIdle: and([not('owesCalls'), not('mayWrite')]),
    isAnswered: not('asks'),
    isMet: not('awaits'),
    isChecked: not('owesChecks'),
    isDecided: not('owesPolicy'),
    isReported: not('owesReports'),
    hasNoWrites: not('owesWrites'),
    offersNothing: not('offersFollowup'),
    hasConcluded: and(['hasDraft', not('owesWrites')]),
  },
});
