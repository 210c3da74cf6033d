import type {
  Call,
  CharterSnapshot,
  Context,
  EvidenceRequirement,
  Proposal,
} from '../../../../machines/index.ts';

export const rests = (snapshot: CharterSnapshot, name: string): boolean =>
  JSON.stringify(snapshot.value).includes(`"${name}"`);

export const isWrite = ({ tier }: Call): boolean => tier !== 'read_only';
export const isFlying = ({ status }: Call): boolean =>
  status === 'started' || status === 'asking' || status === 'waiting';
export const isOwedRead = (call: Call): boolean => !isWrite(call) && call.status === 'allowed';

export const isSure = (c: Context, proposal: Proposal | null): boolean =>
  proposal !== null &&
  (proposal.waived || (proposal.canProceed && proposal.confidence > c.taskClass.threshold));

export const isHeld = (c: Context, { type, tool }: EvidenceRequirement): boolean =>
  Object.values(c.calls).some(
    (call) =>
      call.status === 'succeeded' &&
      call.evidence?.type === type &&
      !call.evidence.stale &&
      (tool === undefined || tool === call.tool),
  );

export const isPassed = (c: Context, verifier: string, of: string): boolean =>
  Object.values(c.reports).some(
    (report) =>
      report.verifier === verifier &&
      report.of === of &&
      report.evidence === c.collected &&
      report.status === 'pass',
  );

export const isCleared = (call: Call): boolean =>
  (call.tier !== 'write_high_risk' || (call.authority !== null && call.rollback)) &&
  (!call.review || call.authority !== null);

/** The run fails, and one of these decided it. */
export const failsWith = ({ reasons: [first] }: Context, ...codes: readonly string[]): boolean =>
  first !== undefined && codes.includes(first.code);

export const isSpent = (c: Context, count: keyof Context['counters']): boolean =>
  c.counters[count] >= c.taskClass.limits[count];

export const isSettled = (snapshot: CharterSnapshot): boolean =>
  snapshot.status === 'done' || snapshot.hasTag('settled');
