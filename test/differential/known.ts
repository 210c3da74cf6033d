import type { Authority, Proposal, Requirements, TaskClass, Words } from './vocabulary.ts';

/** What is known of one call of this attempt. */
export interface Call extends Proposal {
  /** `ready`: not started, or to be called again. `refused`: a person, or a default, said that it is not made. */
  status: 'ready' | 'started' | 'awaiting' | 'asking' | 'succeeded' | 'failed' | 'doubt' | 'refused';
  readonly round: number;
  verdict: 'allow' | 'needs_review' | null;
  approvals: readonly Approval[];
  /** What it waits for, while it does. */
  dependency: string | null;
  /** Its tool began and was not finished (interpretation 0005). */
  underWay: boolean;
  evidence: Evidence | null;
  code: string | null;
}

/** Evidence that a call brought (UAICP 5.1). */
export interface Evidence {
  readonly id: string;
  readonly type: string;
  stale: boolean;
}

/** A write that happened in this request, or that must not happen again (interpretation 0007). */
export interface Effect {
  readonly digest: string;
  readonly tool: string;
  readonly rollback: boolean;
  status: 'committed' | 'undoing' | 'undone' | 'stuck' | 'ruledOut';
  evidence: Evidence | null;
}

/** One approver, and how they said it (UAICP 5.3). */
export interface Approval {
  readonly authority: Authority;
  readonly approver: string;
}

/** An open question (UpFormat Table 2). */
export interface Question {
  readonly kind: 'information' | 'help' | 'plan' | 'draft' | 'approval' | 'tool' | 'doubt';
  /** `plan` or `draft`, a digest, or the id of a call. */
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
  readonly taskClass: TaskClass;
  request: string;
  attempt: number;
  accepted: boolean;
  plan: Output | null;
  draft: Output | null;
  calls: Call[];
  effects: Effect[];
  reports: Map<string, Report>;
  /** How many evidence objects this attempt has collected. */
  collected: number;
  questions: Map<string, Question>;
  /** The wave that is being worked off: it is finished before anything else is looked at (interpretation 0003). */
  wave: 'checking' | 'authorizing' | null;
  counters: Record<keyof TaskClass['limits'], number>;
  /** Why the next attempt is due, if one is. */
  again: 'repair' | 'revise' | null;
  /** Why the run fails, first reason first; empty while it does not. */
  reasons: string[];
  cancelled: boolean;
  outcome: 'delivered' | 'failed' | 'cancelled' | null;
  offer: 'owed' | 'made' | 'over';
}

/** An output that was taken, and a person's word that it may go on (interpretation 0006). */
export interface Output extends Words {
  waived: boolean;
}

const nothing = { corrections: 0, repairs: 0, rounds: 0, revisions: 0, refreshes: 0, pauses: 0 };

/** A run that was just asked for. */
export const fresh = (taskClass: TaskClass, request: string): Known => ({
  taskClass,
  request,
  attempt: 0,
  accepted: false,
  plan: null,
  draft: null,
  calls: [],
  effects: [],
  reports: new Map(),
  collected: 0,
  questions: new Map(),
  wave: null,
  counters: { ...nothing },
  again: null,
  reasons: [],
  cancelled: false,
  outcome: null,
  offer: 'over',
});

export const isWrite = ({ tier }: Proposal): boolean => tier !== 'read_only';
export const isFailing = (k: Known): boolean => k.reasons.length > 0;
export const callOf = (k: Known, id: string): Call | undefined => k.calls.find((call) => call.id === id);

/** Whether a bounded number is used up. */
export const isSpent = (k: Known, what: keyof TaskClass['limits']): boolean =>
  k.counters[what] >= k.taskClass.limits[what];

/** Names from outside are new, have no colon, and are not what XState would read as an actor (interpretation 0016). */
export const isNewQuestion = (k: Known, id: string): boolean =>
  !id.includes(':') && id !== 'sessionId' && !k.questions.has(id);

/** The calls of a proposal have new names, each its own (interpretation 0016). */
export const areNewCalls = (taken: readonly Proposal[], calls: readonly Proposal[]): boolean => {
  const ids = [...taken, ...calls].map(({ id }) => id);
  return new Set(ids).size === ids.length && !ids.includes('sessionId');
};

/** The effect that stands, or stood, under a digest. */
export const effectOf = (k: Known, digest: string): Effect | undefined =>
  k.effects.find((effect) => effect.digest === digest);

/** Evidence that is known, with the tool that brought it: of this attempt's calls and of what was committed. */
export const evidenceOf = (k: Known): readonly (Evidence & { readonly tool: string })[] => [
  ...k.calls.flatMap(({ evidence, tool }) => (evidence === null ? [] : [{ ...evidence, tool }])),
  ...k.effects.flatMap(({ evidence, tool, status }) =>
    evidence === null || status !== 'committed' ? [] : [{ ...evidence, tool }],
  ),
];

/** What stands of the evidence that is asked for (UAICP 5.1). */
export const evidenceAgainst = (k: Known, { evidence }: Requirements): readonly string[] =>
  evidence.flatMap(({ type, tool }) => {
    const known = evidenceOf(k).filter(
      (one) => one.type === type && (tool === undefined || one.tool === tool),
    );
    if (known.some(({ stale }) => !stale)) return [];
    return [known.length > 0 ? 'EVIDENCE_STALE' : 'EVIDENCE_MISSING'];
  });

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
export const isHalfDone = (k: Known): boolean =>
  k.calls.some(
    (call) => isWrite(call) && call.underWay && ['ready', 'awaiting', 'asking'].includes(call.status),
  );

/** Those who stand behind an action already: calls of one action share them (interpretation 0007). */
export const approvalsOf = (k: Known, digest: string): readonly Approval[] =>
  left(k, digest)[0]?.approvals ?? [];

/** The writes of one action that are left: none once it was done, whatever is proposed again (CHART 4). */
export const left = (k: Known, digest: string): readonly Call[] =>
  effectOf(k, digest) === undefined
    ? k.calls.filter((call) => isWrite(call) && call.digest === digest && call.status === 'ready')
    : [];
