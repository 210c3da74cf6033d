/**
 * What is told to the model and what the model answers: the facts of docs/reference/facts.md and the task class of decision
 * record 0014, restated.
 */

/** How much harm a tool may do (UAICP 5.3). */
export type Tier = 'read_only' | 'write_low_risk' | 'write_high_risk';

/** A call as the model or a person proposes it (docs/reference/facts.md). */
export interface Proposal {
  readonly id: string;
  readonly tool: string;
  readonly tier: Tier;
  readonly digest: string;
  readonly rollback: boolean;
  /** What it is about, by check. */
  readonly subjects?: Subjects | undefined;
  /** Why a person has to endorse it (decision 0072). */
  readonly held?: readonly HeldCode[] | undefined;
  /** Whether it waits until all writes may be made. */
  readonly together?: true | undefined;
  /** The calls that it comes after, by id. */
  readonly after?: readonly string[] | undefined;
}

/** Where a value comes from, or the tool itself, is not what was declared (decision 0072). */
export type HeldCode = 'FLOW_FORBIDDEN' | 'MANDATE_EXCEEDED';

/** Digests of values that evidence and calls are compared by, by check (docs/reference/facts.md). */
export type Subjects = Readonly<Record<string, string>>;

/** A draft, or the words of a plan: what a gate asks of an output (UpFormat 2.2). */
export interface Words {
  readonly digest: string;
  /** 0 to 1; `unstated`: no one stated it. */
  readonly confidence: number | 'unstated';
  readonly canProceed: boolean;
}

/** A plan: its words and its calls (UAICP 3 flow). */
export interface PlanWords extends Words {
  readonly calls: readonly Proposal[];
}

/** Who may stand behind a high-risk write (UAICP 5.3). */
export type Authority = 'approval' | 'human' | 'system';

/** What a person may answer (UpFormat 2.2). */
export type Feedback = 'edit' | 'approve' | 'reject' | 'rank' | 'comment' | 'instruction';

/** One kind of evidence that is enough (UAICP 5.1). */
export interface Clause {
  readonly type: string;
  readonly tool?: string | undefined;
  readonly allowEmpty?: true | undefined;
  readonly byPerson?: true | undefined;
  readonly check?: string | undefined;
  readonly ofAction?: true | undefined;
}

/** Evidence as it is told of (UAICP 5.1). */
export interface EvidenceWords {
  readonly id: string;
  readonly type: string;
  readonly empty?: boolean | undefined;
  /** The checks that it passes. */
  readonly meets?: readonly string[] | undefined;
  readonly subjects?: Subjects | undefined;
}

/** The evidence and the verifiers that one gate asks for (UAICP 5.1, 5.2). */
export interface Requirements {
  readonly evidence: readonly (Clause | { readonly anyOf: readonly Clause[] })[];
  readonly verifiers: readonly string[];
}

/** The contract of one kind of task, as data (interpretation 0014). */
export interface TaskClass {
  readonly id: string;
  readonly threshold: number;
  readonly unstated: 'ask' | 'proceed';
  /** Any tool, where it is missing. */
  readonly tools?: readonly string[] | undefined;
  readonly host: boolean;
  readonly beforeWrite: Requirements;
  readonly beforeDeliver: Requirements;
  readonly authorities: readonly Authority[];
  readonly approvers: number;
  readonly selfApproval: boolean;
  readonly repairTo: 'plan' | 'execute';
  readonly defaults: readonly ('information' | 'approval' | 'tool')[];
  readonly followup: boolean;
  /** Held calls are refused, and not asked about (decision 0072). */
  readonly flows?: 'refuse' | undefined;
  readonly limits: Readonly<Record<Counter | 'recoveries', number>> & {
    readonly failures?: number | undefined;
  };
  /** What happens where a limit is reached; it stops the run where it is missing (decision 0081). */
  readonly atLimit?: 'ask' | 'keep' | 'stop' | undefined;
}

/** What a run counts for itself as a whole; recoveries are counted for each effect (interpretation 0059). */
export type Counter =
  | 'corrections'
  | 'repairs'
  | 'rounds'
  | 'revisions'
  | 'refreshes'
  | 'pauses'
  | 'clearances'
  | 'modelCalls'
  | 'calls';

interface OfRequest {
  readonly request: string;
}

interface OfAttempt extends OfRequest {
  readonly attempt: number;
}

/** A fact about one call of one attempt. */
export interface OfCall extends OfAttempt {
  readonly call: string;
}

/** A fact about one action of one request, whatever the call is named. */
export interface OfAction extends OfRequest {
  readonly digest: string;
}

interface Answer {
  readonly question: string;
  readonly feedback: Feedback;
  readonly by?: string | undefined;
  readonly plan?: PlanWords | undefined;
  readonly draft?: Words | undefined;
  readonly call?: Proposal | undefined;
  /** Whether the editor approves the call, too. */
  readonly approves?: true | undefined;
  readonly effect?: 'done' | 'absent' | undefined;
  readonly evidence?: EvidenceWords | undefined;
}

interface Report extends OfAttempt {
  readonly verifier: string;
  readonly of: string;
  readonly evidence: number;
  readonly status: 'pass' | 'fail';
  readonly code?: string | undefined;
}

interface Fields {
  readonly 'request.accepted': object;
  readonly 'request.refused': { readonly code: string };
  readonly 'information.requested': { readonly question: string };
  readonly 'plan.proposed': PlanWords;
  readonly 'draft.proposed': Words;
  readonly 'calls.proposed': PlanWords;
  readonly 'output.rejected': { readonly question: string };
  readonly 'help.requested': { readonly question: string };
  readonly 'capability.exceeded': object;
  readonly 'policy.decided': OfCall &
    OfAction & { readonly verdict: 'allow' | 'deny' | 'needs_review'; readonly ends?: 'call' | undefined };
  readonly 'approval.granted': OfAction & { readonly authority: Authority; readonly approver: string };
  readonly 'call.cleared': OfCall & OfAction;
  readonly 'taskClass.changed': { readonly taskClass: TaskClass };
  readonly 'call.started': OfCall & OfAction;
  readonly 'call.succeeded': OfCall & { readonly evidence: EvidenceWords };
  readonly 'call.failed': OfCall & { readonly code: string };
  readonly 'call.doubted': OfCall & { readonly code: string };
  readonly 'call.refused': OfCall & { readonly code: string };
  readonly 'dependency.awaited': OfCall & { readonly dependency: string };
  readonly 'dependency.met': { readonly dependency: string };
  readonly 'question.raised': OfCall & { readonly question: string };
  readonly 'verifier.reported': Report;
  readonly 'rollback.started': OfAction;
  readonly 'rollback.succeeded': OfAction;
  readonly 'rollback.failed': OfAction;
  readonly 'human.responded': Answer;
  readonly 'deadline.passed': { readonly of: string; readonly id: string };
  readonly 'followup.offered': object;
  readonly 'changes.requested': OfRequest;
  readonly 'task.cancelled': object;
  readonly 'run.failed': { readonly code: string };
  readonly 'evidence.changed': OfRequest & { readonly evidence: string; readonly code: string };
  readonly 'output.changed': OfAction;
  readonly 'recovery.started': OfAction & { readonly effect: 'call' | 'rollback' };
}

/** The name of a fact. */
export type FactName = keyof Fields;

/** One fact, by its name. */
export type FactNamed<Name extends FactName> = { readonly type: Name } & Fields[Name];

/** Something that happened in the world (docs/reference/facts.md). */
export type Fact = { readonly [Name in FactName]: FactNamed<Name> }[FactName];

/** An operational state (UpFormat Table 2). */
export type Operational =
  'submitted' | 'waiting' | 'needsHumanDecision' | 'completed' | 'followup' | 'failed' | 'cancelled';

/** A phase (UAICP 3 states). */
export type Phase = 'intake' | 'plan' | 'execute' | 'verify' | 'undoing' | 'deliver' | 'fail_safe';

/** What can be seen of a run: how far it is, what may start, and how it came out. */
export interface View {
  readonly state: Operational;
  readonly phase: Phase;
  readonly settled: boolean;
  /** The calls that may start now. */
  readonly mayStart: readonly string[];
  /** The deadlines that run, each by what it is of and the name of what would be late. */
  readonly deadlines: readonly string[];
  readonly outcome: 'delivered' | 'failed' | 'cancelled' | null;
  /** The first reason why the run fails. */
  readonly reason: string | null;
  /** What a run that failed leaves behind, as it says: calls in doubt, and writes that were not undone. */
  readonly leaves: readonly string[];
}
