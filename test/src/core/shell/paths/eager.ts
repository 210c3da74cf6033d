import {
  dutiesOf,
  type Call,
  type Context,
  type Duty,
  type Fact,
  type FactOf,
  type taskMachine,
} from 'agentcharter/machines';
import { factsIn, type World } from 'agentcharter/testing';
import type { SnapshotFrom } from 'xstate';
import { requests } from '../../../../../src/testing/charter/world.ts';
import { namedIn } from './names.ts';

export type TaskSnapshot = SnapshotFrom<typeof taskMachine>;

/** Every reason why an orchestrator never submits a fact that the chart would accept. */
export const reasons = [
  'what it owes itself, it does first',
  'a model gives up only once its output was sent back',
  'its model and its policy answer',
  'no one can reach its documents',
  'it is never taken up by another process',
  'a person’s word answers a question',
  'a token answers a question',
  'each approver has one way to approve',
  'a system vouches for what its policy decides on',
  'only a call that runs comes to something',
  'a read is never in doubt',
  'a call that waited speaks no more once it was given up',
  'an approval is held against its call before the intent',
  'a verifier reports when it is asked',
  'the policy is asked once about one action',
  'only a token says when an approval ends',
  'changes are asked for once',
  'a task class changes with its process',
  'no task class here asks at a limit',
  'no write falls into doubt beside a question here',
  'no agent in its own host goes on here',
] as const;
export type Reason = (typeof reasons)[number];

type CallFact = Extract<Fact, { readonly call: string; readonly attempt: number }>;

/** The people who approve with a token, and the approving system; all others approve without a token. */
const bearers: readonly string[] = ['kim', 'kay'];
const scanner = 'scanner';

/** Tells whether a token backs this call; it is verified again before the call is made. */
const hasToken = ({ approvers }: Call): boolean => approvers.some((approver) => bearers.includes(approver));

const callFacts = (c: Context, id: string): readonly Fact[] => {
  const call = c.calls[id];
  if (call === undefined) return [];
  const of = { request: c.request, attempt: c.attempt, call: id };
  const refused: Fact = { type: 'call.refused', ...of, code: 'APPROVAL_EXPIRED' };
  if (call.tier === 'read_only' || call.cleared)
    return [{ type: 'call.started', ...of, digest: call.digest }];
  return [{ type: 'call.cleared', ...of, digest: call.digest }, ...(hasToken(call) ? [refused] : [])];
};

/** The facts that an orchestrator submits at once for a duty; when there are two, the world decides. */
const ownAbout = (c: Context, duty: Duty): readonly Fact[] => {
  const { request, attempt, effects, calls } = c;
  switch (duty.kind) {
    case 'call':
      return callFacts(c, duty.call);
    case 'undo':
      return effects.some(({ digest, status }) => digest === duty.digest && status === 'committed')
        ? [{ type: 'rollback.started', request, digest: duty.digest }]
        : [];
    case 'offer':
      return [{ type: 'followup.offered' }, { type: 'deadline.passed', of: 'offer', id: request }];
    case 'decide': {
      const call = calls[duty.call];
      if (call?.approvers.includes(scanner) !== true) return [];
      const of = { request, attempt, call: duty.call };
      return [{ type: 'policy.decided', ...of, digest: call.digest, verdict: 'allow' }];
    }
    case 'accept':
    case 'propose':
    case 'correct':
    case 'conclude':
    case 'observe':
    case 'verify':
    case 'ask':
    case 'await':
    case 'refine':
    case 'wake':
      return [];
  }
};

/** The facts that an orchestrator submits first, before any outside fact. */
export const ownFacts = (snapshot: TaskSnapshot): readonly Fact[] => {
  for (const duty of dutiesOf(snapshot)) {
    const facts = ownAbout(snapshot.context, duty);
    if (facts.length > 0) return facts;
  }
  return [];
};

/** Returns why a call cannot have this outcome now; a call that only timed out may still have it later. */
const againstOutcome = (c: Context, { type, call: id }: CallFact): Reason | null => {
  const call = c.calls[id];
  const isRead = call?.tier === 'read_only';
  switch (call?.status) {
    case 'started':
      return type === 'call.doubted' && isRead ? 'a read is never in doubt' : null;
    case 'waiting':
      if (type === 'call.doubted') return isRead ? 'a read is never in doubt' : null;
      return (type === 'call.failed' && isRead) || type === 'question.raised'
        ? null
        : 'only a call that runs comes to something';
    case 'doubted':
      if (call.code !== 'TOOL_TIMEOUT') return 'only a call that runs comes to something';
      return call.underWay ? 'a call that waited speaks no more once it was given up' : null;
    case undefined:
    case 'proposed':
    case 'allowed':
    case 'refused':
    case 'asking':
    case 'succeeded':
    case 'failed':
    case 'dropped':
      return 'only a call that runs comes to something';
  }
};

/** Of the calls with one action, the one that the policy is asked about. */
const askedAbout = (c: Context, duties: readonly Duty[], digest: string): string | undefined =>
  duties
    .flatMap((duty) => (duty.kind === 'decide' && c.calls[duty.call]?.digest === digest ? [duty.call] : []))
    .at(-1);

const againstApproval = (
  { context }: TaskSnapshot,
  duties: readonly Duty[],
  { authority, digest, approver }: FactOf<'approval.granted'>,
): Reason | null => {
  switch (authority) {
    case 'human':
      return 'a person’s word answers a question';
    case 'approval':
      if (!bearers.includes(approver)) return 'each approver has one way to approve';
      return Object.hasOwn(context.questions, `approval:${digest}`) ? null : 'a token answers a question';
    case 'system':
      return askedAbout(context, duties, digest) === undefined
        ? 'a system vouches for what its policy decides on'
        : null;
  }
};

const againstDeadline = (c: Context, { of, id }: FactOf<'deadline.passed'>): Reason | null =>
  of !== 'approval' || Object.values(c.calls).some((call) => call.digest === id && hasToken(call))
    ? null
    : 'only a token says when an approval ends';

const isOwed = (duties: readonly Duty[], kind: Duty['kind']): boolean =>
  duties.some((duty) => duty.kind === kind);

/** Returns why no outside event causes this fact while an orchestrator waits here, or `null` if one can. */
const against = (snapshot: TaskSnapshot, duties: readonly Duty[], fact: Fact): Reason | null => {
  const { context: c } = snapshot;
  switch (fact.type) {
    case 'help.requested':
    case 'capability.exceeded':
      return isOwed(duties, 'correct') ? null : 'a model gives up only once its output was sent back';
    case 'run.failed':
      return fact.code === 'MODEL_ERROR' || fact.code === 'POLICY_ERROR'
        ? null
        : 'its model and its policy answer';
    case 'evidence.changed':
    case 'output.changed':
      return 'no one can reach its documents';
    case 'recovery.started':
      return 'it is never taken up by another process';
    case 'approval.granted':
      return againstApproval(snapshot, duties, fact);
    case 'call.succeeded':
    case 'call.failed':
    case 'call.doubted':
    case 'dependency.awaited':
    case 'question.raised':
      return againstOutcome(c, fact);
    case 'call.refused':
    case 'call.cleared':
      return 'an approval is held against its call before the intent';
    case 'taskClass.changed':
      return 'a task class changes with its process';
    case 'verifier.reported':
      return duties.some(
        (duty) => duty.kind === 'verify' && duty.verifier === fact.verifier && duty.of === fact.of,
      )
        ? null
        : 'a verifier reports when it is asked';
    case 'policy.decided':
      return askedAbout(c, duties, fact.digest) === fact.call
        ? null
        : 'the policy is asked once about one action';
    case 'deadline.passed':
      return againstDeadline(c, fact);
    case 'human.responded':
      return bearers.includes(fact.by ?? '') ? 'each approver has one way to approve' : null;
    case 'changes.requested':
      return c.request === requests[0] ? null : 'changes are asked for once';
    case 'request.accepted':
    case 'request.refused':
    case 'information.requested':
    case 'plan.proposed':
    case 'draft.proposed':
    case 'calls.proposed':
    case 'output.rejected':
    case 'call.started':
    case 'dependency.met':
    case 'rollback.started':
    case 'rollback.succeeded':
    case 'rollback.failed':
    case 'followup.offered':
    case 'task.cancelled':
      return null;
  }
};

/** The codes for a model or a policy that throws. */
const broken = (duties: readonly Duty[]): readonly Fact[] => [
  ...(['propose', 'correct', 'conclude'] as const)
    .filter((kind) => isOwed(duties, kind))
    .map((): Fact => ({ type: 'run.failed', code: 'MODEL_ERROR' })),
  ...(isOwed(duties, 'decide') ? [{ type: 'run.failed', code: 'POLICY_ERROR' } as const] : []),
];

/**
 * Returns the facts that an eager orchestrator can accept: its own facts if it has duties, else the facts that the
 * outside world can cause. Facts that the chart accepts but no orchestrator submits are counted by reason.
 */
export const eagerFacts =
  (world: World, leftOut: Map<Reason, number>) =>
  (snapshot: TaskSnapshot): readonly Fact[] => {
    if (snapshot.status !== 'active') return [];
    const duties = dutiesOf(snapshot);
    const own = ownFacts(snapshot);
    const said = factsIn(world, snapshot.context).map((fact) => namedIn(snapshot.context, fact));
    const facts = [
      ...new Map([...said, ...broken(duties)].map((fact) => [JSON.stringify(fact), fact])).values(),
    ];
    return [
      ...own,
      ...facts.filter((fact) => {
        const reason =
          own.length > 0 ? 'what it owes itself, it does first' : against(snapshot, duties, fact);
        if (reason !== null && snapshot.can(fact)) leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
        return reason === null;
      }),
    ];
  };
