import type { Context, Fact, FactOf, FactType, Question } from '../../../../machines/index.ts';
import { gateQuestion, gateSubject, isAboutFurther } from '../../../../machines/question.ts';
import type { UpFeedback } from '../../../../schema/index.ts';
import { afterRenewal } from '../../../gates/origins/provenance.ts';
import type { LedgerEntry, RecordPayload } from '../../../base/ports/ledger.ts';
import { emptyProjection, withFaults, type Projection } from './projection.ts';
import { withEdit, withMade, withProposal, withUndone, type Proposals } from './proposals.ts';
import { withAwaited, withLate, withLateResult, withRemade, withReported, withRolledBack } from './writes.ts';

/** A record, and the contexts of the chart before and after it. */
export interface ProjectedStep {
  readonly before: Context;
  readonly after: Context;
  readonly record: LedgerEntry;
}

export type Change = Partial<Projection>;

/** What became of a call. */
export type CallEnd =
  | 'held'
  | 'running'
  | 'done'
  | 'failed'
  | 'unknown'
  | 'refused by policy'
  | 'rejected'
  | 'not made'
  | 'undone'
  | 'not undone';

/** A change of a call's end. */
export interface CallEvent {
  /** The call's id, or the digest of its action. */
  readonly about: string;
  readonly end: CallEnd;
  readonly why?: string | undefined;
}

const answerEvent = ({
  question,
  feedback,
  by,
}: Extract<Fact, { type: 'human.responded' }>): CallEvent | null => {
  const action = gateSubject('approval', question);
  if (feedback === 'reject' && action !== undefined)
    return { about: action, end: 'rejected', why: `by ${by}` };
  const about = gateSubject('doubt', question);
  if (about === undefined) return null;
  if (feedback === 'approve') return { about, end: 'done', why: `as ${by} says` };
  return feedback === 'reject' ? { about, end: 'not made', why: `as ${by} says` } : null;
};

/** Returns the id of the question that a fact answers: a person's answer, an approval, or the default. */
export const answeredBy = (fact: Fact | null): string | undefined => {
  if (fact?.type === 'human.responded') return fact.question;
  if (fact?.type === 'approval.granted') return gateQuestion('approval', fact.digest);
  if (fact?.type === 'deadline.passed') return fact.of === 'question' ? fact.id : undefined;
  return fact?.type === 'changes.requested' ? 'followup' : undefined;
};

export const questionIn = ({ questions }: Context, fact: Fact): Question | undefined => {
  const id = answeredBy(fact);
  return id !== undefined && Object.hasOwn(questions, id) ? questions[id] : undefined;
};

export type ByDigest<One> = Readonly<Record<string, readonly One[]>>;

const added = <One>(held: ByDigest<One>, digest: string, one: One | undefined): ByDigest<One> =>
  one === undefined ? held : { ...held, [digest]: [...(held[digest] ?? []), one] };

/** Drops every approval of an action: after one has expired or was refused, all are requested again. */
const withoutApprovals = ({ approvals, approvers }: Projection, digest: string): Change => ({
  approvals: { ...approvals, [digest]: [] },
  approvers: { ...approvers, [digest]: [] },
});

const personIn = ({ actor, brought: { person = { id: actor.id } } }: LedgerEntry) => person;

const afterApproval = (
  { approvals, approvers }: Projection,
  { digest, authority }: FactOf<'approval.granted'>,
  record: LedgerEntry,
): Change => ({
  approvals: added(approvals, digest, record.brought.approval),
  ...(authority !== 'system' && { approvers: added(approvers, digest, personIn(record)) }),
});

/** Stores the answer to a tool's question. */
const afterAnswer = ({ resumed }: Projection, before: Context, fact: Fact, answer?: UpFeedback): Change => {
  const question = questionIn(before, fact);
  return answer !== undefined && question?.kind === 'tool'
    ? { resumed: { ...resumed, [question.about]: { answer, met: null } } }
    : {};
};

/** Returns the call of which a person says that its effect in doubt happened. */
const confirmedBy = ({ question, feedback, effect }: FactOf<'human.responded'>): string | undefined =>
  feedback === 'approve' || effect === 'done' ? gateSubject('doubt', question) : undefined;

/** Returns whether a fact answers a question about further calls. */
export const answersFurther = (before: Context, fact: Fact | null): boolean => {
  const question = fact === null ? undefined : questionIn(before, fact);
  return question?.kind === 'plan' && isAboutFurther(before, question.about);
};

/** Returns the output that a person's answer replaces; none for further calls that are accepted with it. */
const replacedBy = (
  { draft }: FactOf<'human.responded'>,
  { before, after, record: { fact, brought } }: ProjectedStep,
): Change => {
  const { output } = brought;
  if (output === undefined) return {};
  if (draft !== undefined) return { draft: output };
  if (!answersFurther(before, fact)) return { plan: output };
  return after.further === null ? {} : { further: output };
};

/** A write that a person says was made is the run's own: nothing of it is late. */
const afterConfirmed = (p: Projection, proposals: Proposals, call: string): Change => ({
  proposals: withMade(proposals, call),
  rolledBack: withRemade(p.rolledBack, p.calls[call]),
  lateWrites: p.lateWrites.filter(
    ({ digest, status }) => status !== 'owed' || digest !== p.calls[call]?.digest,
  ),
});

const afterResponse = (p: Projection, fact: FactOf<'human.responded'>, step: ProjectedStep): Change => {
  const { before, record } = step;
  const { feedback } = record.brought;
  const [question, confirmed] = [questionIn(before, fact), confirmedBy(fact)];
  const isApproval = question?.kind === 'approval' && fact.feedback === 'approve';
  const outputEdited = answersFurther(before, fact) ? 'further' : 'plan';
  const isEdit = fact.plan !== undefined || record.brought.calls !== undefined;
  const proposals = isEdit
    ? withEdit(p.proposals, record, fact.plan === undefined ? 'call' : outputEdited)
    : p.proposals;
  return {
    proposals,
    ...(confirmed !== undefined && afterConfirmed(p, proposals, confirmed)),
    ...replacedBy(fact, step),
    ...(isApproval && { approvers: added(p.approvers, question.about, personIn(record)) }),
    ...afterAnswer(p, before, fact, feedback),
  };
};

/** Returns what a further request of the same task keeps: pending work on earlier writes, and the thread. */
const renewed = (p: Projection, before: Context): Change => {
  const written = before.effects.map((effect) => ({
    ...effect,
    request: before.request,
    call: Object.values(p.calls).find(({ digest }) => digest === effect.digest),
  }));
  const { request, traceId, plan, answers, provenance, begun, lateWrites, rolledBack } = p;
  const { messages, thread, asked, agentStates } = p;
  return {
    ...emptyProjection(request, traceId),
    plan,
    answers,
    provenance: afterRenewal(provenance, Object.values(p.evidence)), // a model remembers what it was shown
    begun,
    lateWrites,
    rolledBack,
    messages,
    thread,
    asked,
    agentStates,
    concluded: [...p.concluded, ...written],
  };
};

/** Adds the evidence that the task of a call lacked, if its end says so. */
const withLacked = ({ lacked }: Projection, call: string, payload: RecordPayload['payload']): Change => {
  const missing: unknown = payload?.['missingEvidence'];
  if (!Array.isArray(missing)) return {};
  return { lacked: new Map([...lacked, [call, missing.filter((one) => typeof one === 'string')]]) };
};

const isInDoubt = ({ calls }: Context, digest: string): boolean =>
  Object.values(calls).some((one) => one.digest === digest && one.status === 'doubted');

/** What a fact changes in a ledger beside the chart. A fact without a member changes nothing there. */
interface Meaning<Of> {
  /** Returns what it changes in the projection. */
  readonly changes?: (p: Projection, fact: Of, step: ProjectedStep) => Change;
  /** Returns what it changes in the projection as an orphan: it came too late to count, or undoes what did. */
  readonly changesLate?: (p: Projection, fact: Of, before: Context, record: LedgerEntry) => Change;
  /** Returns what became of a call by it. */
  readonly ends?: (fact: Of, brought: RecordPayload) => CallEvent | null;
}

const proposed = (as: 'plan' | 'further'): Meaning<FactOf<'plan.proposed' | 'calls.proposed'>> => ({
  changes: (p, _, { record }) => ({
    ...(record.brought.output !== undefined && { [as]: record.brought.output }),
    proposals: withProposal(p.proposals, record, as === 'plan'),
  }),
});

/** A call that ended without a result. */
const failed = (end: CallEnd): Meaning<FactOf<'call.failed' | 'call.doubted'>> => ({
  changes: (p, fact, { record: { brought } }) => ({
    begun: withReported(p.begun, fact),
    ...withLacked(p, fact.call, brought.payload),
    ...(brought.explanation !== undefined && {
      failures: { ...p.failures, [fact.call]: brought.explanation },
    }),
  }),
  changesLate: ({ begun }, fact) => ({ begun: withReported(begun, fact) }),
  ends: ({ call: about }, { explanation: why }) => ({ about, end, why }),
});

const rolledBack: Meaning<FactOf<'rollback.succeeded' | 'rollback.failed'>> = {
  changes: (p, fact, { record }) => withRolledBack(p.rolledBack, fact, record),
  changesLate: (p, fact, before, record) => ({
    ...withLate(p, before, fact),
    ...withRolledBack(p.rolledBack, fact, record),
  }),
};

const meanings: { readonly [Type in FactType]?: Meaning<FactOf<Type>> } = {
  'plan.proposed': proposed('plan'),
  'calls.proposed': proposed('further'),
  'draft.proposed': {
    changes: ({ proposals }, _, { record }) => ({
      ...(record.brought.output !== undefined && { draft: record.brought.output }),
      proposals: { ...proposals, drafts: [...proposals.drafts, record.brought.output ?? null] },
    }),
  },
  'policy.decided': {
    changes: ({ decisions }, { call, verdict }, { record: { brought } }) => ({
      decisions: { ...decisions, [call]: { verdict, reasons: brought.reasons ?? [] } },
    }),
    ends: ({ call, verdict }, { reasons }) =>
      verdict === 'deny' ? { about: call, end: 'refused by policy', why: reasons?.join('; ') } : null,
  },
  'verifier.reported': {
    changes: (p, { verifier }, { record: { brought } }) => withFaults(p, verifier, brought.report),
  },
  'approval.granted': { changes: (p, fact, { record }) => afterApproval(p, fact, record) },
  'call.started': { ends: ({ call }) => ({ about: call, end: 'running' }) },
  'call.succeeded': {
    changes: (p, fact, { before }) => ({
      begun: withReported(p.begun, fact),
      proposals: withMade(p.proposals, fact.call),
      rolledBack: withRemade(p.rolledBack, before.calls[fact.call]),
    }),
    changesLate: (p, fact, before, record) => ({
      ...withLateResult(p, before, fact, record),
      begun: withReported(p.begun, fact),
    }),
    ends: ({ call }) => ({ about: call, end: 'done' }),
  },
  'call.failed': failed('failed'),
  'call.doubted': failed('unknown'),
  'call.refused': {
    changes: (p, { call }, { before }) => withoutApprovals(p, before.calls[call]?.digest ?? ''),
    ends: ({ call }, { explanation }) => ({ about: call, end: 'not made', why: explanation }),
  },
  'dependency.awaited': {
    changes: (p, fact, { before, record: { brought } }) => {
      const begun = withAwaited(p.begun, before, fact);
      const { agent, owner = p.request.identity.owner_id } = brought;
      if (agent === undefined) return { begun };
      return { begun, agents: { ...p.agents, [fact.dependency]: { agent_id: agent, owner_id: owner } } };
    },
  },
  'dependency.met': {
    changes: (p, { dependency }, { before, record: { brought } }) => {
      const met = { answer: null, met: brought.met };
      const waiting = before.dependencies[dependency] ?? [];
      return { resumed: { ...p.resumed, ...Object.fromEntries(waiting.map((call) => [call, met])) } };
    },
  },
  'recovery.started': { changesLate: (p, fact, before) => withLate(p, before, fact) },
  'rollback.started': {
    changes: ({ proposals }, { digest }) => ({ proposals: withUndone(proposals, digest) }),
    changesLate: (p, fact, before, { brought: { calls: [call] = [] } }) => ({
      ...withLate(p, before, fact, { call }),
      ...(isInDoubt(before, fact.digest) && { undoneInDoubt: [...p.undoneInDoubt, fact.digest] }),
    }),
  },
  'rollback.succeeded': { ...rolledBack, ends: ({ digest }) => ({ about: digest, end: 'undone' }) },
  'rollback.failed': {
    ...rolledBack,
    ends: ({ digest }, { explanation }) => ({ about: digest, end: 'not undone', why: explanation }),
  },
  'human.responded': { changes: afterResponse, ends: answerEvent },
  'deadline.passed': {
    changes: (p, fact, { before, record }) =>
      fact.of === 'approval'
        ? withoutApprovals(p, fact.id)
        : afterAnswer(p, before, fact, record.brought.feedback),
  },
  'followup.offered': { changes: (_, __, { record: { brought } }) => ({ offer: brought.payload ?? null }) },
  'task.cancelled': { changes: ({ isUrgent }, { urgent = isUrgent }) => ({ isUrgent: urgent }) },
  'changes.requested': { changes: (p, _, { before }) => renewed(p, before) },
};

/** Returns what a fact changes in a ledger. */
export const meaningOf = <Type extends FactType>(type: Type): Meaning<FactOf<Type>> => meanings[type] ?? {};
