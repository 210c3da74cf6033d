import type { Context, Fact, FactOf, Question } from '../../../machines/index.ts';
import { isAboutFurther, gateSubject } from '../../../machines/question.ts';
import type { EvidenceObject, UpFeedback } from '../../../schema/index.ts';
import type { CallDocument, LedgerEntry, RecordPayload } from '../../ports/ledger.ts';
import { afterMessage, afterRenewal } from '../../origins/provenance.ts';
import { withoutState, withState } from './agent-states.ts';
import { emptyProjection, type Projection } from './projection.ts';
import { noProposals, withEdit, withMade, withProposal, withUndone, type Proposals } from './proposals.ts';
import { provenanceAfter } from './provenance.ts';
import { afterOrphan, failureIn, withAwaited, withReported, withRolledBack } from './writes.ts';

/** A record, and the contexts of the chart before and after it. */
export interface ProjectedStep {
  readonly before: Context;
  readonly after: Context;
  readonly record: LedgerEntry;
}

type Change = Partial<Projection>;

/** Returns the id of the question that a fact answers: a person's answer, an approval, or the default. */
export const answeredBy = (fact: Fact | null): string | undefined => {
  if (fact?.type === 'human.responded') return fact.question;
  if (fact?.type === 'approval.granted') return `approval:${fact.digest}`;
  if (fact?.type === 'deadline.passed') return fact.of === 'question' ? fact.id : undefined;
  return fact?.type === 'changes.requested' ? 'followup' : undefined;
};

const questionIn = ({ questions }: Context, fact: Fact): Question | undefined => {
  const id = answeredBy(fact);
  return id !== undefined && Object.hasOwn(questions, id) ? questions[id] : undefined;
};

type ByDigest<One> = Readonly<Record<string, readonly One[]>>;

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
const answersFurther = (before: Context, fact: Fact | null): boolean => {
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
const afterConfirmed = ({ calls, lateWrites }: Projection, proposals: Proposals, call: string): Change => ({
  proposals: withMade(proposals, call),
  lateWrites: lateWrites.filter(({ digest, status }) => status !== 'owed' || digest !== calls[call]?.digest),
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

/** Applies a fact by its type. */
const afterFact = (p: Projection, fact: Fact, step: ProjectedStep): Change => {
  const { before, record } = step;
  const { brought } = record;
  const { output } = brought;
  switch (fact.type) {
    case 'plan.proposed':
      return {
        ...(output !== undefined && { plan: output }),
        proposals: withProposal(p.proposals, record, true),
      };
    case 'calls.proposed':
      return {
        ...(output !== undefined && { further: output }),
        proposals: withProposal(p.proposals, record, false),
      };
    case 'draft.proposed':
      return {
        ...(output !== undefined && { draft: output }),
        proposals: { ...p.proposals, drafts: [...p.proposals.drafts, output ?? null] },
      };
    case 'policy.decided': {
      const { verdict } = fact;
      return { decisions: { ...p.decisions, [fact.call]: { verdict, reasons: brought.reasons ?? [] } } };
    }
    case 'approval.granted':
      return afterApproval(p, fact, record);
    case 'call.succeeded':
      return { begun: withReported(p.begun, fact), proposals: withMade(p.proposals, fact.call) };
    case 'call.failed':
    case 'call.doubted':
      return {
        begun: withReported(p.begun, fact),
        ...withLacked(p, fact.call, brought.payload),
      };
    case 'call.refused':
      return withoutApprovals(p, before.calls[fact.call]?.digest ?? '');
    case 'dependency.awaited': {
      const begun = withAwaited(p.begun, before, fact);
      const { agent, owner = p.request.identity.owner_id } = brought;
      if (agent === undefined) return { begun };
      return { begun, agents: { ...p.agents, [fact.dependency]: { agent_id: agent, owner_id: owner } } };
    }
    case 'dependency.met': {
      const met = { answer: null, met: brought.met };
      const waiting = before.dependencies[fact.dependency] ?? [];
      return { resumed: { ...p.resumed, ...Object.fromEntries(waiting.map((call) => [call, met])) } };
    }
    case 'rollback.started':
      return { proposals: withUndone(p.proposals, fact.digest) };
    case 'rollback.succeeded':
      return withRolledBack(p.rolledBack, fact.digest, null);
    case 'rollback.failed':
      return withRolledBack(p.rolledBack, fact.digest, failureIn(record));
    case 'human.responded':
      return afterResponse(p, fact, step);
    case 'deadline.passed':
      return fact.of === 'approval'
        ? withoutApprovals(p, fact.id)
        : afterAnswer(p, before, fact, brought.feedback);
    case 'followup.offered':
      return { offer: brought.payload ?? null };
    case 'changes.requested':
      return renewed(p, before);
    case 'request.accepted':
    case 'request.refused':
    case 'information.requested':
    case 'output.rejected':
    case 'help.requested':
    case 'capability.exceeded':
    case 'call.cleared':
    case 'call.started':
    case 'evidence.changed':
    case 'output.changed':
    case 'recovery.started':
    case 'taskClass.changed':
    case 'question.raised':
    case 'verifier.reported':
    case 'task.cancelled':
    case 'run.failed':
      return {};
  }
};

/** Returns what a new attempt keeps: approvals of its unchanged calls, and no answers to tools. */
const kept = (p: Projection, { calls }: Context): Change => {
  const approved = new Set(
    Object.values(calls).flatMap(({ digest, approvers }) => (approvers.length > 0 ? [digest] : [])),
  );
  const ofKept = <One>(held: ByDigest<One>): ByDigest<One> =>
    Object.fromEntries(Object.entries(held).filter(([digest]) => approved.has(digest)));
  return { approvals: ofKept(p.approvals), approvers: ofKept(p.approvers), resumed: {} };
};

const byId = (calls: readonly CallDocument[]): Record<string, CallDocument> =>
  Object.fromEntries(calls.map((call) => [call.id, call]));

/** Applies the documents that any fact may carry. */
const broughtTo = (p: Projection, fact: Fact | null, { before, after, record }: ProjectedStep): Change => {
  const { calls, evidence, feedback, rejected, explanation, reasons } = record.brought;
  const one = (given: EvidenceObject) => ({ ...p.evidence, [given.evidence_id]: given });
  const by = record.actor.id;
  const question = (fact && questionIn(before, fact)?.kind) ?? 'changes';
  const provenance = provenanceAfter(p, record, answersFurther(before, fact));
  const hasFailed = before.reasons.length === 0 && after.reasons.length > 0;
  return {
    ...(provenance !== p.provenance && { provenance }),
    rejected: rejected ?? (fact !== null && correcting.has(fact.type) ? p.rejected : null),
    ...(after.further === null && p.further !== null && { further: null }),
    ...(feedback !== undefined && { answers: [...p.answers, { question, feedback, by }] }),
    ...(calls !== undefined && { calls: { ...p.calls, ...byId(calls) } }),
    ...(evidence !== undefined && { evidence: one(evidence) }),
    ...(hasFailed && { cause: explanation ?? reasons?.join('; ') ?? null }),
  };
};

const projectFact = (p: Projection, step: ProjectedStep): Projection => {
  const { before, after, record } = step;
  const { fact } = record;
  const given = { ...p, ...broughtTo(p, fact, step) };
  const one = fact === null ? given : { ...given, ...afterFact(given, fact, step) };
  const isReplanned = record.to === 'submitted.plan.proposing' && one.proposals.replaced.size > 0;
  return {
    ...one,
    ...(before.attempt !== after.attempt && kept(one, after)),
    ...(isReplanned && { proposals: { ...one.proposals, replaced: noProposals.replaced } }),
  };
};

/** The facts after which the model may still correct the output that was rejected. */
const correcting: ReadonlySet<Fact['type']> = new Set([
  'output.rejected',
  'help.requested',
  'human.responded',
]);

/** Returns the projection after one more record. */
export const project = (projection: Projection, step: ProjectedStep): Projection => {
  const { before, record } = step;
  const { fact } = record;
  switch (record.kind) {
    case 'fact':
      return projectFact(projection, step);
    case 'orphan':
      return { ...projection, ...(fact && afterOrphan(projection, before, fact, record)) };
    case 'agent':
      return { ...projection, ...withState(projection, record.brought.agentState) };
    case 'message':
      return { ...projection, provenance: afterMessage(projection.provenance, record.brought.message) };
    case 'erasure':
      return { ...projection, ...withoutState(projection, record.erased) };
    case 'recovery':
    case 'refusal':
    case 'upgrade':
    case 'end':
      return projection;
  }
};
