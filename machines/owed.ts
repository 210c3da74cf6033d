import type { ReasonCode } from '../schema/index.ts';
import type { Call, Context, Effect, Proposal, Report } from './context.ts';
import { operationalStateOf } from './operational-state.ts';

/**
 * Returns a function that caches its result for the last context.
 *
 * A context never changes, and the guards of one step read the same one. A cache of all contexts would cost more than
 * it saves: most are read in one step only.
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

/** Returns every call of this attempt, in plan order. */
export const callsOf = derived((c): readonly NamedCall[] =>
  Object.entries(c.calls)
    .map(([id, call]) => ({ id, ...call }))
    .toSorted((one, other) => one.at - other.at),
);

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

export const hasFailed = (c: Context): boolean => callsOf(c).some(isFailed);

/** Returns whether the plan may go on, and the further calls if there are any. */
export const isSure = (c: Context): boolean =>
  isConfident(c, c.plan) && (c.further === null || isConfident(c, c.further));

/** Returns whether a call needs no approval, or has it. */
export const isAuthorized = (call: Call): boolean => !needsAuthority(call) || call.authority !== null;

/**
 * Returns the reads that are still to be made. None once a call has failed, or while a plan or further calls are
 * uncertain.
 */
const readsLeft = derived((c): readonly NamedCall[] =>
  hasFailed(c) || !isSure(c) ? [] : callsOf(c).filter((call) => !isWrite(call) && call.status === 'allowed'),
);

/** Returns the reads that may start now, in parallel. */
export const readsOwed = derived((c): readonly NamedCall[] => readsLeft(c).filter(isAuthorized));

/**
 * Returns the held reads that a person has not approved yet. Later steps, such as the checks of a write, wait for them.
 */
export const readsHeld = derived((c): readonly NamedCall[] =>
  readsLeft(c).filter((call) => !isAuthorized(call)),
);

/** Returns the writes that wait to start, in plan order. */
export const writesOwed = derived((c): readonly NamedCall[] =>
  callsOf(c).filter((call) => isWrite(call) && isToBeMade(call)),
);

/** Returns the writes that succeeded, in plan order. */
export const writesMade = derived((c): readonly NamedCall[] =>
  callsOf(c).filter((call) => isWrite(call) && call.status === 'succeeded'),
);

/** Returns the calls that need a policy decision. None while a held read waits for approval. */
export const policyOwed = derived((c): readonly NamedCall[] =>
  readsHeld(c).length > 0 ? [] : callsOf(c).filter(({ status }) => status === 'proposed'),
);

export const outstanding = derived((c): readonly NamedCall[] => callsOf(c).filter(isOutstanding));

export const inDoubt = derived((c): readonly NamedCall[] =>
  callsOf(c).filter(({ status }) => status === 'doubted'),
);

/** Returns the reads whose evidence is stale, while a write waits to start. */
export const staleReads = derived((c): readonly NamedCall[] =>
  writesOwed(c).length > 0
    ? callsOf(c).filter((call) => !isWrite(call) && call.evidence?.stale === true)
    : [],
);

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
 * Returns the reports that are due before a write, on each write that waits to start. None while a held read waits for
 * approval.
 */
export const checksOwed = derived((c): readonly OwedReport[] =>
  readsHeld(c).length > 0
    ? []
    : [...new Set(writesOwed(c).map(({ digest }) => digest))].flatMap((of) =>
        owedOn(c, c.taskClass.beforeWrite.verifiers, of),
      ),
);

/** Returns the reports that are due before delivery, on the draft. */
export const reportsOwed = derived((c): readonly OwedReport[] =>
  c.draft === null ? [] : owedOn(c, c.taskClass.beforeDeliver.verifiers, c.draft.digest),
);

/** Returns whether this report is due now. */
export const isReportOwed = (c: Context, { verifier, of }: OwedReport): boolean =>
  [...checksOwed(c), ...reportsOwed(c)].some((owed) => owed.verifier === verifier && owed.of === of);

/** Returns the next write. Writes are made one at a time, in plan order. */
export const nextWrite = (c: Context): NamedCall | undefined => writesOwed(c)[0];

/**
 * Returns the writes that happened and that the current plan does not contain. The run goes on only once they are
 * undone.
 */
export const unplannedWrites = derived((c): readonly Effect[] =>
  c.effects.filter(
    ({ digest, status }) =>
      status !== 'undone' &&
      status !== 'closed' &&
      status !== 'kept' &&
      !callsOf(c).some((call) => call.digest === digest),
  ),
);

/**
 * Returns whether only a person confirmed an effect, and the run fails only for missing evidence. Such effects stay.
 */
const isKnownByWord = (c: Context, { evidence }: Effect): boolean =>
  (evidence === null || evidence.byPerson === true) &&
  c.reasons.length > 0 &&
  c.reasons.every(({ code }) => code === 'EVIDENCE_MISSING');

/**
 * Returns the effects to undo. A run that fails undoes all of them (see `isKnownByWord` for the exception). Any other
 * run undoes its unplanned writes.
 */
const effectsToUndo = (c: Context): readonly Effect[] =>
  c.reasons.length > 0 ? c.effects.filter((effect) => !isKnownByWord(c, effect)) : unplannedWrites(c);

/**
 * Returns the writes that may have had an effect and are not finished: their tool asks a question, or they wait to
 * start again.
 */
export const partialWrites = derived((c): readonly NamedCall[] =>
  callsOf(c).filter(
    (call) => isWrite(call) && call.underWay && (call.status === 'asking' || isToBeMade(call)),
  ),
);

/** Returns whether a call has approvals that no start has used yet, so that they may still expire. */
export const isApprovalUnused = (call: Call): boolean =>
  isToBeMade(call) && call.approvers.length > 0 && !call.underWay;

/** Returns whether a write has started and has no outcome yet: it may still take effect. */
export const hasWriteInFlight = (c: Context): boolean =>
  callsOf(c).some((call) => isWrite(call) && (call.status === 'started' || call.status === 'waiting'));

/**
 * Returns the writes to roll back: first those whose rollback has started, then newest first. No rollback starts while
 * a write is in flight.
 */
export const undoOwed = derived((c): readonly Effect[] => {
  const begun = c.effects.filter(({ status }) => status === 'undoing');
  const rest = effectsToUndo(c).filter(({ status, rollback }) => status === 'committed' && rollback);
  return [...begun, ...(hasWriteInFlight(c) ? [] : rest.toReversed())];
});

/** Returns an id that is unique for each turn of the model within this request. */
export const modelTurnId = ({
  attempt,
  counters: { rounds, corrections, revisions, pauses },
}: Context): string => [attempt, rounds, corrections, revisions, pauses].join('.');

/** Returns which deadline ends a turn of the model: that of the host in which the agent runs, or that of the model. */
export const turnDeadline = ({ taskClass }: Context): 'model' | 'host' => (taskClass.host ? 'host' : 'model');
