import type { ReasonCode } from '../schema/index.ts';
import type { Call, Context, Effect, Proposal, Report } from './context.ts';
import { operationalStateOf } from './operational-state.ts';

/**
 * Returns a function that caches its result for the last context.
 *
 * A context never changes, and guards between two assigns read the same one. A cache of all contexts would cost more than
 * it saves: most are read there only.
 */
export const derived = <Value>(compute: (c: Context) => Value): ((c: Context) => Value) => {
  let last: { readonly of: Context; readonly value: Value } | undefined;
  return (c) => {
    if (last?.of !== c) last = { of: c, value: compute(c) };
    return last.value;
  };
};

/** A call with its id. */
export interface NamedCall extends Call {
  readonly id: string;
}

export const isWrite = ({ tier }: Pick<Call, 'tier'>): boolean => tier !== 'read_only';

/** Returns whether a call waits to start, or to start again: `proposed` or `allowed`. */
export const isToBeMade = ({ status }: Call): boolean => status === 'proposed' || status === 'allowed';

/** Returns whether a call has started and has no outcome yet: `started`, `asking` or `waiting`. */
export const isOutstanding = ({ status }: Call): boolean =>
  status === 'started' || status === 'asking' || status === 'waiting';

interface Holdable {
  readonly held?: Call['held'] | undefined;
}

/** Returns whether a call is held: a person must approve its values or its tool. */
export const isHeld = ({ held }: Holdable): boolean => held !== undefined;

/** Returns whether a call needs permission before it starts: it is a write, or it is held. */
export const isGated = (call: Pick<Call, 'tier'> & Holdable): boolean => isWrite(call) || isHeld(call);

/**
 * Returns whether an authority must approve a call: a high-risk write, one that the policy wants reviewed, or a held
 * call (UAICP 5.3).
 */
export const needsAuthority = (call: Call): boolean =>
  call.tier === 'write_high_risk' || call.review || isHeld(call);

/**
 * Returns whether an output may go on: it can proceed with enough confidence, or a person waived exactly this digest.
 */
export const isConfident = (c: Context, proposal: Proposal | null): boolean =>
  proposal !== null && (proposal.waived || operationalStateOf(proposal, c.taskClass) === 'completed');

/** Returns whether a call failed, and the run cannot just go on after it. */
export const isFailed = ({ status, observed }: Call): boolean => status === 'failed' && observed !== true;

/** Returns whether the plan may go on, and the further calls if there are any. */
export const isSure = (c: Context): boolean =>
  isConfident(c, c.plan) && (c.further === null || isConfident(c, c.further));

/** Returns whether a call needs no approval, or has it. */
export const isAuthorized = (call: Call): boolean => !needsAuthority(call) || call.authority !== null;

/** Returns the key of a report: a verifier has one report for each digest. */
export const reportKey = (verifier: string, of: string): string => `${of} ${verifier}`;

/** Returns a verifier's report if it covers the evidence that is collected now. */
const currentReport = (c: Context, verifier: string, of: string): Report | undefined => {
  const report = c.reports[reportKey(verifier, of)];
  return report?.evidence === c.collected ? report : undefined;
};

/**
 * Returns whether a verifier passed exactly this digest on the present evidence, and has no failed report (UAICP 5.2).
 */
export const hasPassed = (c: Context, verifier: string, of: string): boolean =>
  currentReport(c, verifier, of)?.status === 'pass' &&
  !Object.values(c.reports).some((report) => report.verifier === verifier && report.status !== 'pass');

/** Returns whether a report failed. Fresh evidence does not change that (UAICP 5.2). */
export const hasFailedReport = (c: Context): boolean =>
  Object.values(c.reports).some(({ status }) => status !== 'pass');

/** Returns why a verifier's reports do not count, apart from failed checks. */
export const faultsOf = (c: Context, verifier: string): readonly ReasonCode[] => [
  ...new Set(
    Object.values(c.reports).flatMap((report) => (report.verifier === verifier ? (report.code ?? []) : [])),
  ),
];

export interface OwedReport {
  readonly verifier: string;
  readonly of: string;
}

const owedOn = (c: Context, verifiers: readonly string[], of: string): readonly OwedReport[] =>
  verifiers
    .filter((verifier) => currentReport(c, verifier, of) === undefined)
    .map((verifier) => ({ verifier, of }));

/**
 * Returns whether only a person confirmed an effect, and the run fails only for missing evidence. Such effects stay.
 */
const isKnownByWord = (c: Context, { evidence }: Effect): boolean =>
  (evidence === null || evidence.byPerson === true) &&
  c.reasons.length > 0 &&
  c.reasons.every(({ code }) => code === 'EVIDENCE_MISSING');

/** What a run has and owes now. */
export interface RunView {
  /** Every call of this attempt, in plan order. */
  readonly calls: readonly NamedCall[];
  readonly hasFailed: boolean;
  /** The reads that may start now, in parallel. None once a call has failed, or while a plan or further calls are uncertain. */
  readonly readsOwed: readonly NamedCall[];
  /** The held reads that a person has not approved yet. Later steps, such as the checks of a write, wait for them. */
  readonly readsHeld: readonly NamedCall[];
  /** The writes that wait to start, in plan order. */
  readonly writesOwed: readonly NamedCall[];
  /** The writes that succeeded, in plan order. */
  readonly writesMade: readonly NamedCall[];
  /** Whether a write has started and has no outcome yet: it may still take effect. */
  readonly hasWriteInFlight: boolean;
  /** The writes that may have had an effect and are not finished: their tool asks, or they wait to start again. */
  readonly partialWrites: readonly NamedCall[];
  /** The calls that need a policy decision. None while a held read waits for approval. */
  readonly policyOwed: readonly NamedCall[];
  readonly outstanding: readonly NamedCall[];
  readonly inDoubt: readonly NamedCall[];
  /** The reads whose evidence is stale, while a write waits to start. */
  readonly staleReads: readonly NamedCall[];
  /** The reports that are due before a write, on each write that waits to start. None while a held read waits for approval. */
  readonly checksOwed: readonly OwedReport[];
  /** The reports that are due before delivery, on the draft. */
  readonly reportsOwed: readonly OwedReport[];
  /** The writes that happened and that the current plan does not contain. The run goes on only once they are undone. */
  readonly unplannedWrites: readonly Effect[];
  /** The writes to roll back: first those whose rollback has started, then newest first. None starts while a write is in flight. */
  readonly undoOwed: readonly Effect[];
}

/** Returns the writes that happened and that these calls do not contain. */
const unplanned = ({ effects }: Context, calls: readonly NamedCall[]): readonly Effect[] =>
  effects.filter(
    ({ digest, status }) =>
      status !== 'undone' &&
      status !== 'closed' &&
      status !== 'kept' &&
      !calls.some((call) => call.digest === digest),
  );

/**
 * Returns the view of a run that its guards, duties, reasons and questions read: computed together for a context.
 *
 * A run that fails undoes all effects (see `isKnownByWord` for the exception). Any other run undoes its unplanned writes.
 */
export const runOf = derived((c): RunView => {
  const calls = Object.entries(c.calls)
    .map(([id, call]) => ({ id, ...call }))
    .toSorted((one, other) => one.at - other.at);
  const [reads, writes] = [calls.filter((call) => !isWrite(call)), calls.filter(isWrite)];
  const hasFailed = calls.some(isFailed);
  const readsLeft = hasFailed || !isSure(c) ? [] : reads.filter(({ status }) => status === 'allowed');
  const readsHeld = readsLeft.filter((call) => !isAuthorized(call));
  const writesOwed = writes.filter(isToBeMade);
  const hasWriteInFlight = writes.some(({ status }) => status === 'started' || status === 'waiting');
  const unplannedWrites = unplanned(c, calls);
  const toUndo =
    c.reasons.length > 0 ? c.effects.filter((effect) => !isKnownByWord(c, effect)) : unplannedWrites;
  const rest = toUndo.filter(({ status, rollback }) => status === 'committed' && rollback);
  return {
    calls,
    hasFailed,
    readsOwed: readsLeft.filter(isAuthorized),
    readsHeld,
    writesOwed,
    writesMade: writes.filter(({ status }) => status === 'succeeded'),
    hasWriteInFlight,
    partialWrites: writes.filter((call) => call.underWay && (call.status === 'asking' || isToBeMade(call))),
    policyOwed: readsHeld.length > 0 ? [] : calls.filter(({ status }) => status === 'proposed'),
    outstanding: calls.filter(isOutstanding),
    inDoubt: calls.filter(({ status }) => status === 'doubted'),
    staleReads: writesOwed.length > 0 ? reads.filter(({ evidence }) => evidence?.stale === true) : [],
    checksOwed:
      readsHeld.length > 0
        ? []
        : [...new Set(writesOwed.map(({ digest }) => digest))].flatMap((of) =>
            owedOn(c, c.taskClass.beforeWrite.verifiers, of),
          ),
    reportsOwed: c.draft === null ? [] : owedOn(c, c.taskClass.beforeDeliver.verifiers, c.draft.digest),
    unplannedWrites,
    undoOwed: [
      ...c.effects.filter(({ status }) => status === 'undoing'),
      ...(hasWriteInFlight ? [] : rest.toReversed()),
    ],
  };
});

/** Returns whether this report is due now. */
export const isReportOwed = (c: Context, { verifier, of }: OwedReport): boolean => {
  const { checksOwed, reportsOwed } = runOf(c);
  return [...checksOwed, ...reportsOwed].some((owed) => owed.verifier === verifier && owed.of === of);
};

/** Returns the next write. Writes are made one at a time, in plan order. */
export const nextWrite = (c: Context): NamedCall | undefined => runOf(c).writesOwed[0];

/** Returns whether a call has approvals that no start has used yet, so that they may still expire. */
export const isApprovalUnused = (call: Call): boolean =>
  isToBeMade(call) && call.approvers.length > 0 && !call.underWay;

/** Returns an id that is unique for each turn of the model within this request. */
export const modelTurnId = ({
  attempt,
  counters: { rounds, corrections, revisions, pauses },
}: Context): string => [attempt, rounds, corrections, revisions, pauses].join('.');

/** Returns which deadline ends a turn of the model: that of the host in which the agent runs, or that of the model. */
export const turnDeadline = ({ taskClass }: Context): 'model' | 'host' => (taskClass.host ? 'host' : 'model');
