import type { UpFeedback, UpFormatMessage, EvidenceObject } from '../../../../schema/index.ts';
import { provenanceOf, type Provenance } from '../../../gates/origins/provenance.ts';
import type { AgentIdentity } from '../../../base/ports/agent-identity.ts';
import type {
  ApprovalDocument,
  CallDocument,
  OutputDocument,
  Person,
  RecordPayload,
  RequestDocument,
} from '../../../base/ports/ledger.ts';
import type { AnswerListing, Turn } from '../../../base/ports/model.ts';
import type { OpenQuestion } from '../../../base/ports/open-question.ts';
import { noProposals, type Proposals } from './proposals.ts';
import type { BegunById, LateWrite, ConcludedWrite, RolledBack } from './writes.ts';

/** A question and its message. */
export interface Asked {
  readonly question: OpenQuestion;
  readonly message: UpFormatMessage;
}

/** A policy's decision about a call. */
interface RecordedDecision {
  readonly verdict: string;
  readonly reasons: readonly string[];
}

/** The projection of a task's ledger: all data of its records and emissions outside the chart's state. */
export interface Projection {
  readonly request: RequestDocument;
  readonly traceId: string;
  readonly plan: OutputDocument | null;
  /** Further calls that no gate has accepted yet. */
  readonly further: OutputDocument | null;
  readonly draft: OutputDocument | null;
  /** By the id of the call. */
  readonly calls: Readonly<Record<string, CallDocument>>;
  /** By `evidence_id`. */
  readonly evidence: Readonly<Record<string, EvidenceObject>>;
  /** The policy's decision, by the id of the call. */
  readonly decisions: Readonly<Record<string, RecordedDecision>>;
  /** Accepted approvals, by the digest of their action. */
  readonly approvals: Readonly<Record<string, readonly ApprovalDocument[]>>;
  /** The people who approved, as `mayRespond` saw them, by the digest of their action. */
  readonly approvers: Readonly<Record<string, readonly Person[]>>;
  readonly answers: readonly AnswerListing[];
  /** What the values of calls may come from. */
  readonly provenance: Provenance;
  /** The answer or dependency result for the next attempt of a call, by its id. */
  readonly resumed: Readonly<Record<string, { readonly answer: UpFeedback | null; readonly met: unknown }>>;
  /** The agent that can meet each dependency. */
  readonly agents: Readonly<Record<string, AgentIdentity>>;
  readonly rejected: Turn['rejected'];
  /** The evidence that the task of a call lacked, by the id of the call. */
  readonly lacked: ReadonlyMap<string, readonly string[]>;
  /** What tools said of calls that they did not do, or may not have done, by the id of the call; and verifiers of what failed. */
  readonly failures: Readonly<Record<string, string>>;
  /** Whether an urgent cancellation aborts every tool. */
  readonly isUrgent: boolean;
  /** The explanation of the fact that made the run fail. */
  readonly cause: string | null;
  readonly offer: Readonly<Record<string, unknown>> | null;
  /** Child tasks and other dependencies of calls, of every request of the task. */
  readonly begun: BegunById;
  /** Late writes whose rollback has not ended. */
  readonly lateWrites: readonly LateWrite[];
  /** The results of rollbacks, by the digest of the write. */
  readonly rolledBack: RolledBack;
  /** The digests of writes that were rolled back while it was not known whether they had happened. */
  readonly undoneInDoubt: readonly string[];
  /** Writes of the earlier requests, oldest first. */
  readonly concluded: readonly ConcludedWrite[];
  /** The proposals of an outside agent in the current request. */
  readonly proposals: Proposals;
  /** The last saved state of a guarded agent in the current request; `null` for none. */
  readonly agentState: unknown;
  /** The saved states of its agent that are still on record, oldest first: the digest and the length of each. */
  readonly agentStates: readonly { readonly digest: string; readonly length: number }[];
  /** Every message that the task itself sent, in order. */
  readonly messages: readonly UpFormatMessage[];
  /** These, and the messages of other participants, in order. */
  readonly thread: readonly UpFormatMessage[];
  /** Every question that a message asked, in order. */
  readonly asked: readonly Asked[];
}

/** Returns the projection of a new task. */
export const emptyProjection = (request: RequestDocument, traceId: string): Projection => ({
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
  provenance: provenanceOf(request),
  resumed: {},
  agents: {},
  rejected: null,
  lacked: new Map(),
  failures: {},
  isUrgent: false,
  cause: null,
  offer: null,
  begun: {},
  lateWrites: [],
  rolledBack: {},
  undoneInDoubt: [],
  concluded: [],
  proposals: noProposals,
  agentState: null,
  agentStates: [],
  messages: [],
  thread: [],
  asked: [],
});

/** Returns the failures with what a verifier found; as they are if every check passed. */
export const withFaults = (
  { failures }: Pick<Projection, 'failures'>,
  verifier: string,
  report: RecordPayload['report'],
): Partial<Pick<Projection, 'failures'>> => {
  const faults = report?.checks.filter(({ result }) => result !== 'pass') ?? [];
  const words = faults.map(({ check_id: check, details }) => (details ? `${check}: ${details}` : check));
  return words.length === 0 ? {} : { failures: { ...failures, [verifier]: words.join('; ') } };
};
