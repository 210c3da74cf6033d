import type {
  Authority,
  Counter,
  EvidenceWords,
  Proposal,
  Requirements,
  TaskClass,
  Words,
} from './vocabulary.ts';

/** What is known of one call of this attempt. */
export interface Call extends Proposal {
  /**
   * `ready`: not started, or to be called again. `refused`: a person, or a default, said that it is not made. `dropped`:
   * a read that was given up because another call failed.
   */
  status:
    'ready' | 'started' | 'awaiting' | 'asking' | 'succeeded' | 'failed' | 'dropped' | 'doubt' | 'refused';
  verdict: 'allow' | 'needs_review' | null;
  /** What clears it was looked at since the run last waited (decision 0040). */
  cleared: boolean;
  approvals: readonly Approval[];
  /** As many stood behind it as had to when it began, whatever the contract asks for by now (decision 0040). */
  beganApproved: boolean;
  /** What it waits for, while it does. */
  dependency: string | null;
  /** Its tool began and was not finished (interpretation 0005). */
  underWay: boolean;
  evidence: Evidence | null;
  code: string | null;
  /** Its failure was told to the model, and the run goes on (decision 0082). */
  isTold: boolean;
}

/** Evidence that a call brought (UAICP 5.1). */
export interface Evidence extends EvidenceWords {
  /** A person said so, and no tool. */
  readonly byPerson: boolean;
  stale: boolean;
}

/** A write that happened in this request, or that must not happen again (interpretation 0007). */
export interface Effect {
  readonly digest: string;
  readonly tool: string;
  readonly rollback: boolean;
  /** `ruledOut`: a person said that it must not be. `kept`: it stays although the run fails. */
  status: 'committed' | 'undoing' | 'undone' | 'stuck' | 'ruledOut' | 'kept';
  evidence: Evidence | null;
  /** Someone stood behind it when it was made, and as many as had to. */
  readonly isApproved: boolean;
  /** As many stood behind it as had to, if any had to, when it was made. */
  readonly isAuthorized: boolean;
}

/** One approver, and how they said it (UAICP 5.3). */
export interface Approval {
  readonly authority: Authority;
  readonly approver: string;
}

/** An open question (UpFormat Table 2). */
export interface Question {
  readonly kind: 'information' | 'help' | 'plan' | 'draft' | 'approval' | 'tool' | 'doubt' | 'host' | 'limit';
  /** `plan` or `draft`, a digest, the id of a call, or a turn of the model. */
  readonly about: string;
}

/** The last report of one verifier on one digest (UAICP 5.2). */
export interface Report {
  readonly verifier: string;
  /** How much evidence there was when it was asked for. */
  readonly evidence: number;
  /** Whether it, or one before it in this attempt, did not pass. */
  readonly hasFailed: boolean;
}

/** All that is known of a run: a list of what was told, by what it was about. */
export interface Known {
  taskClass: TaskClass;
  request: string;
  attempt: number;
  accepted: boolean;
  plan: Output | null;
  /** Calls beyond the plan that were proposed and not let in yet. */
  further: (Output & { readonly calls: readonly Proposal[] }) | null;
  draft: Output | null;
  calls: Call[];
  effects: Effect[];
  reports: Map<string, Report>;
  /** How many evidence objects this attempt has collected. */
  collected: number;
  questions: Map<string, Question>;
  /** Calls of an agent in its own host were taken beside a question: the run goes on beside them (decision 0089). */
  goesOn: boolean;
  /** The wave that is being worked off: it is finished before anything else is looked at (interpretation 0003). */
  wave: 'checking' | 'authorizing' | 'concluding' | 'verifying' | null;
  counters: Record<Counter, number>;
  /** How often each effect was looked up or made again, by its kind and digest (interpretation 0059). */
  recoveries: Map<string, number>;
  /** The pauses that a person's answer ended, and how often a person raised a limit (decision 0081). */
  answered: number;
  raised: Map<string, number>;
  /** How often each tool failed in this request (decision 0082). */
  failures: Map<string, number>;
  /** Why the next attempt is due, if one is. */
  nextCause: 'repair' | 'revise' | null;
  /** Why the run fails, first reason first; empty while it does not. */
  reasons: string[];
  /** The limit that ended the run, if one of turns or calls did. */
  exceeded: 'modelCalls' | 'calls' | null;
  /** What is reported as not undone: writes by digest, and calls that are in doubt. */
  leaves: string[];
  cancelled: boolean;
  outcome: 'delivered' | 'failed' | 'cancelled' | null;
  offer: 'owed' | 'made' | 'over';
}

/** An output that was taken, and a person's word that it may go on (interpretation 0006). */
export interface Output extends Words {
  waived: boolean;
  /** Its gate was open once; a stricter contract may close it again (decision 0040). */
  passed: boolean;
}

const nothing = {
  corrections: 0,
  repairs: 0,
  rounds: 0,
  revisions: 0,
  refreshes: 0,
  pauses: 0,
  clearances: 0,
  modelCalls: 0,
  calls: 0,
};

/** A run that was just asked for. */
export const fresh = (taskClass: TaskClass, request: string): Known => ({
  taskClass,
  request,
  attempt: 0,
  accepted: false,
  plan: null,
  further: null,
  draft: null,
  calls: [],
  effects: [],
  reports: new Map(),
  collected: 0,
  questions: new Map(),
  goesOn: false,
  wave: null,
  counters: { ...nothing },
  recoveries: new Map(),
  answered: 0,
  raised: new Map(),
  failures: new Map(),
  nextCause: null,
  reasons: [],
  exceeded: null,
  leaves: [],
  cancelled: false,
  outcome: null,
  offer: 'over',
});

export const isWrite = ({ tier }: Proposal): boolean => tier !== 'read_only';
/** Someone may have to stand behind it: a write, or a read that is held (decision 0072). */
export const isGated = (call: Proposal): boolean => isWrite(call) || call.held !== undefined;
export const isFailing = (k: Known): boolean => k.reasons.length > 0;
export const callOf = (k: Known, id: string): Call | undefined => k.calls.find((call) => call.id === id);

/** Names from outside are new, have no colon, and are not what XState would read as an actor (interpretation 0016). */
export const isNewQuestion = (k: Known, id: string): boolean =>
  !id.includes(':') && id !== 'sessionId' && !k.questions.has(id);

/** The effect that stands, or stood, under a digest. */
export const effectOf = (k: Known, digest: string): Effect | undefined =>
  k.effects.find((effect) => effect.digest === digest);

const keyOf = (verifier: string, digest: string): string => `${digest} ${verifier}`;
export const reportOf = (k: Known, verifier: string, digest: string): Report | undefined =>
  k.reports.get(keyOf(verifier, digest));
/** A failure blocks for the whole attempt, whatever is said after it (CHART 6). */
export const noteReport = (
  k: Known,
  verifier: string,
  digest: string,
  status: 'pass' | 'fail' | 'timeout',
): void => {
  const before = reportOf(k, verifier, digest);
  const hasFailed = status !== 'pass' || before?.hasFailed === true;
  k.reports.set(keyOf(verifier, digest), { verifier, evidence: k.collected, hasFailed });
};

/** What a verifier that is asked for has not yet said of these digests, on the evidence that stands (UAICP 5.2). */
export const verifiersOwed = (k: Known, { verifiers }: Requirements, digests: readonly string[]) =>
  digests.flatMap((of) =>
    verifiers
      .filter((verifier) => reportOf(k, verifier, of)?.evidence !== k.collected)
      .map((verifier) => ({ verifier, of })),
  );

/** Whether a verifier that is asked for did not pass something in this attempt, whatever it was (CHART 6). */
export const hasFailedReport = (k: Known, { verifiers }: Requirements): boolean =>
  [...k.reports.values()].some(({ verifier, hasFailed }) => hasFailed && verifiers.includes(verifier));

/** The calls that wait for one outside event (interpretation 0009). */
export const waitingFor = (k: Known, dependency: string): readonly Call[] =>
  k.calls.filter((call) => call.status === 'awaiting' && call.dependency === dependency);

/** A write that was begun and not finished: no repair and no revision may forget it (interpretation 0005). */
export const isPartial = (call: Call): boolean =>
  isWrite(call) && call.underWay && ['ready', 'asking'].includes(call.status);

export const hasPartialWrites = (k: Known): boolean => k.calls.some(isPartial);

/** Those who stand behind an action already: calls of one action share them (interpretation 0007). */
export const approvalsOf = (k: Known, digest: string): readonly Approval[] =>
  unresolvedCalls(k, digest)[0]?.approvals ?? [];

/** The calls of one action that are left and gated: none once it was done, whatever is proposed again (CHART 4). */
export const unresolvedCalls = (k: Known, digest: string): readonly Call[] =>
  effectOf(k, digest) === undefined
    ? k.calls.filter((call) => isGated(call) && call.digest === digest && call.status === 'ready')
    : [];

/** A call that failed, and after which the run cannot just go on. */
export const isBroken = ({ status, isTold }: Call): boolean => status === 'failed' && !isTold;

/** A tool failed: the model is told, as often as the class allows, and the run goes on (decision 0082). */
export const tell = (k: Known, call: Call): void => {
  const most = k.taskClass.limits.failures;
  const isOfTool = call.code === 'TOOL_FAILED' || call.code === 'TOOL_TIMEOUT';
  if (call.status !== 'failed' || most === undefined || !isOfTool) return;
  const count = (k.failures.get(call.tool) ?? 0) + 1;
  k.failures.set(call.tool, count);
  call.isTold = count <= most;
};
