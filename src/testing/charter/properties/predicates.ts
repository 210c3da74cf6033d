import type {
  Authority,
  Call,
  CharterSnapshot,
  Context,
  EvidenceClause,
  EvidenceReference,
  EvidenceRequirement,
  Proposal,
} from '../../../../machines/index.ts';

export const rests = (snapshot: CharterSnapshot, name: string): boolean =>
  JSON.stringify(snapshot.value).includes(`"${name}"`);

export const isWrite = ({ tier }: Call): boolean => tier !== 'read_only';
export const isFlying = ({ status }: Call): boolean =>
  status === 'started' || status === 'asking' || status === 'waiting';
/** Returns whether people are asked about approvals only, and about none of these calls. */
export const isAskedOfOthers = ({ questions }: Context, calls: readonly Call[]): boolean =>
  Object.values(questions).every(
    ({ kind, about }) => kind === 'approval' && calls.every(({ digest }) => digest !== about),
  );
export const isOwedRead = (call: Call): boolean => !isWrite(call) && call.status === 'allowed';

export const isSure = (c: Context, proposal: Proposal | null): boolean =>
  proposal !== null &&
  (proposal.waived ||
    (proposal.canProceed &&
      (proposal.confidence === 'unstated'
        ? c.taskClass.unstated === 'proceed'
        : proposal.confidence > c.taskClass.threshold)));

const isEvidenceFor = ({ tool, evidence }: Call, clause: EvidenceClause, write: Call | undefined): boolean =>
  evidence !== null &&
  evidence.type === clause.type &&
  !evidence.stale &&
  (clause.tool === undefined || clause.tool === tool) &&
  !(evidence.empty === true && clause.allowEmpty !== true) &&
  !(evidence.byPerson === true && clause.byPerson !== true) &&
  (clause.check === undefined || evidence.meets?.includes(clause.check) === true) &&
  (clause.ofAction !== true ||
    write === undefined ||
    (evidence.subjects?.[clause.check ?? ''] ?? 'none') === write.subjects?.[clause.check ?? '']);

/** Returns whether required evidence exists, for this write if given. */
export const isHeld = (c: Context, requirement: EvidenceRequirement, write?: Call): boolean =>
  Object.values(c.calls).some(
    (call) =>
      call.status === 'succeeded' &&
      ('anyOf' in requirement ? requirement.anyOf : [requirement]).some((clause) =>
        isEvidenceFor(call, clause, write),
      ),
  );

export const isPassed = (c: Context, verifier: string, of: string): boolean =>
  Object.values(c.reports).some(
    (report) =>
      report.verifier === verifier &&
      report.of === of &&
      report.evidence === c.collected &&
      report.status === 'pass',
  );

/** Returns whether nothing holds a call, or a person or a signed approval endorsed it. */
export const isEndorsed = ({ held, authority }: Call): boolean =>
  held === undefined || authority === 'approval' || authority === 'human';

/** Returns whether a held call was not made itself: it shares the outcome of a call of its action that is not held. */
export const isShared = ({ calls }: Context, { digest, held }: Call): boolean =>
  held !== undefined &&
  Object.values(calls).some(
    (one) => one.digest === digest && one.held === undefined && one.status === 'succeeded',
  );

export const isCleared = (call: Call): boolean =>
  isEndorsed(call) &&
  (call.tier !== 'write_high_risk' || (call.authority !== null && call.rollback)) &&
  (!call.review || call.authority !== null);

/**
 * Returns whether no tool result shows that an effect happened, at most a person's statement, and the run
 * fails because evidence is missing.
 */
export const restsOnStatementAlone = ({ reasons }: Context, evidence: EvidenceReference | null): boolean =>
  (evidence === null || evidence.byPerson === true) && reasons[0]?.code === 'EVIDENCE_MISSING';

/** Returns whether the run fails and one of these codes is its first reason. */
export const failsWith = ({ reasons: [first] }: Context, ...codes: readonly string[]): boolean =>
  first !== undefined && codes.includes(first.code);

/** Returns what is left of a limit, as far as people extended it; less than 0 beyond it. Answered pauses cost nothing. */
const leftOf = (c: Context, count: string, used: number): number => {
  const most = new Map(Object.entries(c.taskClass.limits)).get(count) ?? 0;
  const times = new Map(Object.entries(c.extensions ?? {})).get(count) ?? 0;
  return most * (1 + times) - used + (count === 'pauses' ? (c.answered ?? 0) : 0);
};

export const isSpent = (c: Context, count: keyof Context['counters']): boolean =>
  leftOf(c, count, c.counters[count]) <= 0;

export const isSettled = (snapshot: CharterSnapshot): boolean =>
  snapshot.status === 'done' || snapshot.hasTag('settled');

/** Returns whether a run that fails at a limit keeps a write with this authority. */
export const keepsAtLimit = (c: Context, authority: Authority | null): boolean =>
  c.taskClass.atLimit === 'keep' && authority !== null && failsWith(c, 'BUDGET_SPENT');

/** Returns whether a count is within its limit, or a person is or was asked about it. */
export const isWithin = (c: Context, count: string, used: number): boolean => {
  const isAsked =
    c.questions[`limit:${count}`] !== undefined || (c.extensions !== undefined && c.reasons.length > 0);
  return leftOf(c, count, used) >= 0 || isAsked;
};

/** Returns whether a call failed in a task class that does not let the run go on after it. */
export const isBroken = ({ status, observed }: Call): boolean => status === 'failed' && observed !== true;
