import type { ReasonCode } from '../schema/index.ts';
import type { Call, Context, Effect, Proposal, Report } from './context.ts';
import { operationalStateOf } from './operational-state.ts';

/**
 * Returns a function that keeps its value for the context that it was asked about last.
 *
 * A context never changes, and the guards of one step ask about the same one. A map of every context costs more than it
 * saves: most are asked about for one step only.
 */
export const derived = <Value>(compute: (c: Context) => Value): ((c: Context) => Value) => {
  let last: { readonly of: Context; readonly value: Value } | undefined;
  return (c) => {
    if (last?.of !== c) last = { of: c, value: compute(c) };
    return last.value;
  };
};

/** A call with the identifier that it stands under. */
export interface NamedCall extends Call {
  readonly id: string;
}

/** Every call of this attempt, in plan order. */
export const callsOf = derived((c): readonly NamedCall[] =>
  Object.entries(c.calls)
    .map(([id, call]) => ({ id, ...call }))
    .toSorted((one, other) => one.at - other.at),
);

export const isWrite = ({ tier }: Pick<Call, 'tier'>): boolean => tier !== 'read_only';

/** The call is not begun. */
export const isToBeMade = ({ status }: Call): boolean => status === 'proposed' || status === 'allowed';

/** The intent is recorded and the tool has not given its last word. */
export const isOutstanding = ({ status }: Call): boolean =>
  status === 'started' || status === 'asking' || status === 'waiting';

interface Holdable {
  readonly held?: Call['held'] | undefined;
}

/** Whether a person has to endorse the values or the tool of a call. */
export const isHeld = ({ held }: Holdable): boolean => held !== undefined;

/** A call goes through the gate before a write: it changes the world, or a person has to endorse it. */
export const isGated = (call: Pick<Call, 'tier'> & Holdable): boolean => isWrite(call) || isHeld(call);

/** A person or a signed approval must stand behind this call (UAICP 5.3). */
export const needsAuthority = (call: Call): boolean =>
  call.tier === 'write_high_risk' || call.review || isHeld(call);

/** The output may go on: by its own confidence, or because a person waived exactly this digest. */
export const isConfident = (c: Context, proposal: Proposal | null): boolean =>
  proposal !== null && (proposal.waived || operationalStateOf(proposal, c.taskClass) === 'completed');

export const hasFailed = (c: Context): boolean => callsOf(c).some(({ status }) => status === 'failed');

/** The plan, and the further calls that wait behind it, may go on. */
export const isSure = (c: Context): boolean =>
  isConfident(c, c.plan) && (c.further === null || isConfident(c, c.further));

/** Whether nobody has to stand behind a call, or somebody does. */
export const isAuthorized = (call: Call): boolean => !needsAuthority(call) || call.authority !== null;

/** Reads that are left; none once a call has failed, or while the plan has to be assessed again. */
const readsLeft = derived((c): readonly NamedCall[] =>
  hasFailed(c) || !isSure(c) ? [] : callsOf(c).filter((call) => !isWrite(call) && call.status === 'allowed'),
);

/** Reads that may be called now, all at once. */
export const readsOwed = derived((c): readonly NamedCall[] => readsLeft(c).filter(isAuthorized));

/** Reads that a person has to endorse first. What comes after a read, such as checks of a write, waits for them. */
export const readsHeld = derived((c): readonly NamedCall[] =>
  readsLeft(c).filter((call) => !isAuthorized(call)),
);

/** Writes that are neither done nor refused, in plan order. */
export const writesOwed = derived((c): readonly NamedCall[] =>
  callsOf(c).filter((call) => isWrite(call) && isToBeMade(call)),
);

/** Writes that were made, in plan order. */
export const writesMade = derived((c): readonly NamedCall[] =>
  callsOf(c).filter((call) => isWrite(call) && call.status === 'succeeded'),
);

/** Calls that are decided on: none before the reads that a person has to endorse. */
export const policyOwed = derived((c): readonly NamedCall[] =>
  readsHeld(c).length > 0 ? [] : callsOf(c).filter(({ status }) => status === 'proposed'),
);

export const outstanding = derived((c): readonly NamedCall[] => callsOf(c).filter(isOutstanding));

export const inDoubt = derived((c): readonly NamedCall[] =>
  callsOf(c).filter(({ status }) => status === 'doubted'),
);

/** Reads whose evidence is too old, while a write is still owed. */
export const staleReads = derived((c): readonly NamedCall[] =>
  writesOwed(c).length > 0
    ? callsOf(c).filter((call) => !isWrite(call) && call.evidence?.stale === true)
    : [],
);

/** A report's key: a verifier reports once on one thing. */
export const reportKey = (verifier: string, of: string): string => `${of} ${verifier}`;

/** Returns a verifier's report, if it was made on the evidence that is collected now. */
const currentReport = (c: Context, verifier: string, of: string): Report | undefined => {
  const report = c.reports[reportKey(verifier, of)];
  return report?.evidence === c.collected ? report : undefined;
};

/** The verifier passed exactly this, on exactly this evidence, and failed nothing else in this attempt (UAICP 5.2). */
export const hasPassed = (c: Context, verifier: string, of: string): boolean =>
  currentReport(c, verifier, of)?.status === 'pass' &&
  !Object.values(c.reports).some((report) => report.verifier === verifier && report.status !== 'pass');

/** A verifier did not pass something in this attempt: no fresh evidence makes that undone (UAICP 5.2). */
export const hasFailedReport = (c: Context): boolean =>
  Object.values(c.reports).some(({ status }) => status !== 'pass');

/** Why reports of a verifier do not count, beyond checks that failed. */
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

/** Reports owed before a write: on every write that is still owed, once the reads are made. */
export const checksOwed = derived((c): readonly OwedReport[] =>
  readsHeld(c).length > 0
    ? []
    : [...new Set(writesOwed(c).map(({ digest }) => digest))].flatMap((of) =>
        owedOn(c, c.taskClass.beforeWrite.verifiers, of),
      ),
);

/** Reports owed before deliver: on the draft. */
export const reportsOwed = derived((c): readonly OwedReport[] =>
  c.draft === null ? [] : owedOn(c, c.taskClass.beforeDeliver.verifiers, c.draft.digest),
);

/** Whether a verifier owes this report now. */
export const isReportOwed = (c: Context, { verifier, of }: OwedReport): boolean =>
  [...checksOwed(c), ...reportsOwed(c)].some((owed) => owed.verifier === verifier && owed.of === of);

/** The one write that may be called next: writes go one at a time, in plan order. */
export const nextWrite = (c: Context): NamedCall | undefined => writesOwed(c)[0];

/** Returns the writes of earlier attempts that the current plan does not ask for. They must be undone before the run goes on. */
export const unplannedWrites = derived((c): readonly Effect[] =>
  c.effects.filter(
    ({ digest, status }) =>
      status !== 'undone' &&
      status !== 'closed' &&
      status !== 'kept' &&
      !callsOf(c).some((call) => call.digest === digest),
  ),
);

/** The run fails for want of evidence alone: that undoes nothing of which a person says that it happened. */
const isKnownByWord = (c: Context, { evidence }: Effect): boolean =>
  (evidence === null || evidence.byPerson === true) &&
  c.reasons.length > 0 &&
  c.reasons.every(({ code }) => code === 'EVIDENCE_MISSING');

/** Returns the effects that are undone: of a run that fails all, of another one those that its plan does not ask for. */
const effectsToUndo = (c: Context): readonly Effect[] =>
  c.reasons.length > 0 ? c.effects.filter((effect) => !isKnownByWord(c, effect)) : unplannedWrites(c);

/** Returns the writes that may have begun and have no outcome: a question is open about them, or they wait to be made again. */
export const partialWrites = derived((c): readonly NamedCall[] =>
  callsOf(c).filter(
    (call) => isWrite(call) && call.underWay && (call.status === 'asking' || isToBeMade(call)),
  ),
);

/** Whether approvals of a call may still end: nothing rests on them yet. */
export const isApprovalUnused = (call: Call): boolean =>
  isToBeMade(call) && call.approvers.length > 0 && !call.underWay;

/** Returns whether a write was started and has no outcome yet: it may still take effect. */
export const hasWriteInFlight = (c: Context): boolean =>
  callsOf(c).some((call) => isWrite(call) && (call.status === 'started' || call.status === 'waiting'));

/** Writes to roll back: what has begun, then newest first; none while another may land. */
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

/** Whose silence ends a turn: the model's, or that of the host in which the agent runs. */
export const turnDeadline = ({ taskClass }: Context): 'model' | 'host' => (taskClass.host ? 'host' : 'model');

/** The run may stop once more for a question. */
export const mayPause = (c: Context): boolean => c.counters.pauses < c.taskClass.limits.pauses;
