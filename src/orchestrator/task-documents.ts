import type { Context, Question } from '../../machines/index.ts';
import type { EvidenceObject, UpFeedback } from '../../schema/index.ts';
import type {
  ApprovalDocument,
  Brought,
  CallDocument,
  LedgerEntry,
  OutputDocument,
  Person,
  RequestDocument,
} from '../ports/ledger.ts';
import type { AnswerListing, Turn } from '../ports/model.ts';
import { begunAfter, type BegunById } from './begun.ts';
import { lateAfter, type Compensation, type ConcludedWrite, type RolledBack } from './late.ts';

interface PolicyWord {
  readonly verdict: string;
  readonly reasons: readonly string[];
}

/** The documents of a task: a projection of its ledger's records, which is never stored itself. */
export interface TaskDocuments {
  readonly request: RequestDocument;
  readonly traceId: string;
  readonly plan: OutputDocument | null;
  /** Further calls that a gate has not let in yet. */
  readonly further: OutputDocument | null;
  readonly draft: OutputDocument | null;
  readonly calls: Readonly<Record<string, CallDocument>>;
  /** By `evidence_id`. */
  readonly evidence: Readonly<Record<string, EvidenceObject>>;
  /** What the policy said of a call. */
  readonly decisions: Readonly<Record<string, PolicyWord>>;
  /** Accepted approvals, by the digest of their action. */
  readonly approvals: Readonly<Record<string, readonly ApprovalDocument[]>>;
  /** The people who approved, as `mayRespond` was shown them, by the digest of their action. */
  readonly approvers: Readonly<Record<string, readonly Person[]>>;
  readonly answers: readonly AnswerListing[];
  /** What a call that asked or waited is called again with. */
  readonly resumed: Readonly<Record<string, { readonly answer: UpFeedback | null; readonly met: unknown }>>;
  /** The agent that speaks for a dependency. */
  readonly agents: Readonly<Record<string, string>>;
  readonly rejected: Turn['rejected'];
  /** What was said with the fact that made the run fail. */
  readonly cause: string | null;
  readonly offer: Readonly<Record<string, unknown>> | null;
  readonly spent: { readonly modelCalls: number; readonly calls: number };
  /** Children, and what else calls waited for, of every request of the task. */
  readonly begun: BegunById;
  /** How often an effect in doubt was taken up, by its key. */
  readonly recoveries: Readonly<Record<string, number>>;
  readonly compensating: readonly Compensation[];
  /** What came of rollbacks, in time or late, by the digest of the write. */
  readonly rolledBack: RolledBack;
  /** Writes of the requests before this one, the oldest first. */
  readonly concluded: readonly ConcludedWrite[];
}

/** Returns the documents of a task that has only begun. */
export const emptyDocuments = (request: RequestDocument, traceId: string): TaskDocuments => ({
  request,
  traceId,
  plan: null,
  further: null,
  draft: null,
  calls: {},
  evidence: {},
  decisions: {},
  approvals: {},
  approvers: {},
  answers: [],
  resumed: {},
  agents: {},
  rejected: null,
  cause: null,
  offer: null,
  spent: { modelCalls: 0, calls: 0 },
  begun: {},
  recoveries: {},
  compensating: [],
  rolledBack: {},
  concluded: [],
});

const modelFacts: ReadonlySet<string> = new Set([
  'plan.proposed',
  'draft.proposed',
  'calls.proposed',
  'output.rejected',
  'help.requested',
  'capability.exceeded',
  'information.requested',
]);

const answerOf = (question: Question | undefined, feedback: UpFeedback, by: string): AnswerListing => ({
  question: question?.kind ?? 'changes',
  feedback,
  by,
});

const spent = (documents: TaskDocuments, { fact, actor }: LedgerEntry): TaskDocuments['spent'] => ({
  modelCalls:
    documents.spent.modelCalls +
    (fact !== null && actor.kind === 'agent' && modelFacts.has(fact.type) ? 1 : 0),
  calls: documents.spent.calls + (fact?.type === 'call.started' ? 1 : 0),
});

/** The question that a fact answers: by a person, by an approval, or by its declared default. */
export const answeredBy = (fact: LedgerEntry['fact']): string | undefined => {
  switch (fact?.type) {
    case 'human.responded':
      return fact.question;
    case 'approval.granted':
      return `approval:${fact.digest}`;
    case 'deadline.passed':
      return fact.of === 'question' ? fact.id : undefined;
    case 'changes.requested':
      return 'followup';
    default:
      return undefined;
  }
};

const questionIn = (context: Context, id: string | undefined): Question | undefined =>
  id !== undefined && Object.hasOwn(context.questions, id) ? context.questions[id] : undefined;

const resumed = (
  documents: TaskDocuments,
  before: Context,
  { fact, brought }: LedgerEntry,
): TaskDocuments['resumed'] => {
  if (fact?.type === 'dependency.met') {
    const waiting = before.dependencies[fact.dependency] ?? [];
    const met = { answer: null, met: brought.met };
    return { ...documents.resumed, ...Object.fromEntries(waiting.map((call) => [call, met])) };
  }
  if (brought.feedback === undefined) return documents.resumed;
  const question = questionIn(before, answeredBy(fact));
  return question?.kind === 'tool'
    ? { ...documents.resumed, [question.about]: { answer: brought.feedback, met: null } }
    : documents.resumed;
};

/** What stands behind actions, by their digests. */
type ByDigest<One> = Readonly<Record<string, readonly One[]>>;

const added = <One>(held: ByDigest<One>, digest: string, one: One | undefined): ByDigest<One> =>
  one === undefined ? held : { ...held, [digest]: [...(held[digest] ?? []), one] };

/** Once one approval of an action has expired or was refused, all of it are asked for again. */
const withdrawn = <One>(
  held: ByDigest<One>,
  { calls }: Context,
  fact: LedgerEntry['fact'],
): ByDigest<One> => {
  if (fact?.type === 'call.refused') return { ...held, [calls[fact.call]?.digest ?? '']: [] };
  if (fact?.type === 'deadline.passed' && fact.of === 'approval') return { ...held, [fact.id]: [] };
  return held;
};

/** Approvals that count. */
const approvals = (
  { approvals: held }: TaskDocuments,
  before: Context,
  { fact, brought: { approval } }: LedgerEntry,
): TaskDocuments['approvals'] =>
  fact?.type === 'approval.granted' ? added(held, fact.digest, approval) : withdrawn(held, before, fact);

/** The people behind an action: by a token, or by their word. */
const approvers = (
  { approvers: held }: TaskDocuments,
  before: Context,
  { fact, actor, brought: { person = { id: actor.id } } }: LedgerEntry,
): TaskDocuments['approvers'] => {
  if (fact?.type === 'approval.granted')
    return fact.authority === 'system' ? held : added(held, fact.digest, person);
  const question = fact?.type === 'human.responded' ? questionIn(before, fact.question) : undefined;
  const isApproval = fact?.type === 'human.responded' && fact.feedback === 'approve';
  return question?.kind === 'approval' && isApproval
    ? added(held, question.about, person)
    : withdrawn(held, before, fact);
};

/** Returns the approvals that hold in the attempt after a record: in a new attempt, only those of calls that it kept. */
const carriedOver = <One>(held: ByDigest<One>, before: Context, after: Context): ByDigest<One> => {
  if (before.attempt === after.attempt) return held;
  const approved = new Set(
    Object.values(after.calls).flatMap(({ digest, approvers }) => (approvers.length > 0 ? [digest] : [])),
  );
  return Object.fromEntries(Object.entries(held).filter(([digest]) => approved.has(digest)));
};

const outputs = ({ fact, brought: { output } }: LedgerEntry, after: Context): Partial<TaskDocuments> => {
  if (output === undefined) return {};
  if (fact?.type === 'draft.proposed') return { draft: output };
  if (fact?.type === 'plan.proposed') return { plan: output };
  if (fact?.type === 'calls.proposed') return { further: output };
  if (fact?.type !== 'human.responded') return {};
  if (fact.draft !== undefined) return { draft: output };
  return after.further === null ? { plan: output } : { further: output };
};

const byId = (calls: Brought['calls']): Record<string, CallDocument> =>
  Object.fromEntries((calls ?? []).map((call) => [call.id, call]));

/** Returns the documents for a further request of the same task. Pending work on earlier writes stays in them. */
const renewed = (documents: TaskDocuments, before: Context): TaskDocuments => {
  const { request, traceId, plan, calls, begun, recoveries, compensating, rolledBack, concluded } = documents;
  const written = before.effects.map((effect) => ({
    ...effect,
    request: before.request,
    call: Object.values(calls).find(({ digest }) => digest === effect.digest),
  }));
  return {
    ...emptyDocuments(request, traceId),
    plan,
    begun,
    recoveries,
    compensating,
    rolledBack,
    concluded: [...concluded, ...written],
  };
};

/** What every record leaves, also one that changed no state: children, effects taken up, late writes that are undone. */
const alwaysAfter = (documents: TaskDocuments, before: Context, record: LedgerEntry): TaskDocuments => {
  const { recovery } = record.brought;
  const begun = begunAfter(documents.begun, before, record);
  const after = { ...documents, begun, ...lateAfter(documents, before, record) };
  if (recovery === undefined) return after;
  const { key } = recovery;
  return { ...after, recoveries: { ...documents.recoveries, [key]: (documents.recoveries[key] ?? 0) + 1 } };
};

/** Returns the documents after one more record. `before` and `after` are the chart's contexts around it. */
export const projectRecord = (
  filed: TaskDocuments,
  before: Context,
  after: Context,
  record: LedgerEntry,
): TaskDocuments => {
  const { fact, brought, actor } = record;
  const documents = alwaysAfter(filed, before, record);
  if (record.kind !== 'fact') return documents;
  const answers =
    brought.feedback === undefined
      ? documents.answers
      : [...documents.answers, answerOf(questionIn(before, answeredBy(fact)), brought.feedback, actor.id)];
  if (fact?.type === 'changes.requested') return { ...renewed(documents, before), answers };
  return {
    ...documents,
    ...(after.further === null && { further: null }),
    ...outputs(record, after),
    answers,
    calls: { ...documents.calls, ...byId(brought.calls) },
    evidence:
      brought.evidence === undefined
        ? documents.evidence
        : { ...documents.evidence, [brought.evidence.evidence_id]: brought.evidence },
    decisions:
      fact?.type === 'policy.decided'
        ? { ...documents.decisions, [fact.call]: { verdict: fact.verdict, reasons: brought.reasons ?? [] } }
        : documents.decisions,
    approvals: carriedOver(approvals(documents, before, record), before, after),
    approvers: carriedOver(approvers(documents, before, record), before, after),
    resumed: after.attempt === before.attempt ? resumed(documents, before, record) : {},
    agents:
      fact?.type === 'dependency.awaited' && brought.agent !== undefined
        ? { ...documents.agents, [fact.dependency]: brought.agent }
        : documents.agents,
    rejected: brought.rejected ?? (fact?.type === 'output.rejected' ? documents.rejected : null),
    cause: causeOf(documents, before, after, brought),
    offer: fact?.type === 'followup.offered' ? (brought.payload ?? null) : documents.offer,
    spent: spent(documents, record),
  };
};

const causeOf = (
  documents: TaskDocuments,
  before: Context,
  after: Context,
  brought: Brought,
): string | null => {
  const hasFailed = before.reasons.length === 0 && after.reasons.length > 0;
  return hasFailed ? (brought.explanation ?? brought.reasons?.join('; ') ?? null) : documents.cause;
};
