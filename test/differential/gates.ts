import { evidenceAgainst } from './evidence.ts';
import {
  effectOf,
  hasFailedReport,
  hasPartialWrites,
  isBroken,
  isWrite,
  verifiersOwed,
  type Call,
  type Known,
  type Output,
} from './known.ts';

const isEnough = ({ taskClass }: Known, confidence: Output['confidence']): boolean =>
  confidence === 'unstated' ? taskClass.unstated === 'proceed' : confidence > taskClass.threshold;

/** What stands against an output: it is bound to its digest, and a person may wave it through (UpFormat 2.3). */
export const against = (k: Known, { confidence, canProceed, waived }: Output): readonly string[] =>
  waived
    ? []
    : [...(canProceed ? [] : ['CANNOT_PROCEED']), ...(isEnough(k, confidence) ? [] : ['CONFIDENCE_LOW'])];

/** How many have to stand behind a write: behind one that the policy wants reviewed, one person (UAICP 5.3). */
export const approversOf = (k: Known, { tier }: Call): number =>
  tier === 'write_high_risk' ? k.taskClass.approvers : 1;

/** Whether someone has to stand behind a write at all (UAICP 5.3). */
export const needsAuthority = ({ tier, verdict, held }: Call): boolean =>
  tier === 'write_high_risk' || verdict === 'needs_review' || held !== undefined;

/** What is missing where no one stands behind a write: an endorsement, if it is held (decision 0072). */
export const authorityMissing = ({ held }: Call): string => held?.[0] ?? 'APPROVAL_REQUIRED';

/** Whether those who have to stand behind a write do. */
export const isAuthorized = (k: Known, call: Call): boolean =>
  !needsAuthority(call) || call.approvals.length >= approversOf(k, call);

/** Who approved a high-risk write by an authority that the contract in force does not take, approved nothing (decision 0040). */
export const makeReady = (k: Known, call: Call): void => {
  call.status = 'ready';
  const last = call.approvals.at(-1);
  const isFull = call.approvals.length >= approversOf(k, call);
  if (call.tier !== 'write_high_risk' || last === undefined || !(isFull || call.beganApproved)) return;
  if (!k.taskClass.authorities.includes(last.authority)) call.approvals = [];
};

const hasNoWayBack = (call: Call): boolean => call.tier === 'write_high_risk' && !call.rollback;

/** What broke before a write or a draft, and whether doing it all again could mend it (interpretation 0016). */
export const broken = (k: Known, writes: readonly Call[]): readonly string[] => {
  const failed = k.calls.filter(isBroken).map(({ code }) => code ?? 'TOOL_FAILED');
  if (writes.length === 0) return failed;
  const digests = writes.map(({ digest }) => digest);
  const isChecked = verifiersOwed(k, k.taskClass.beforeWrite, digests).length === 0;
  const unmet = [
    ...evidenceAgainst(k, k.taskClass.beforeWrite, writes),
    ...(oldReads(k).length > 0 ? ['EVIDENCE_STALE'] : []),
    ...(isChecked && hasFailedReport(k, k.taskClass.beforeWrite) ? ['VERIFICATION_FAILED'] : []),
  ];
  return [
    ...failed,
    ...(writes.some(hasNoWayBack) ? ['ROLLBACK_REQUIRED'] : []),
    ...(failed.length > 0 ? [] : unmet),
  ];
};

export const isMendable = (k: Known, codes: readonly string[]): boolean => {
  if (hasPartialWrites(k)) return false;
  if (k.taskClass.repairTo === 'plan') return true;
  return codes.every(
    (code) =>
      !['EFFECT_CLOSED', 'HUMAN_REJECTED', 'ROLLBACK_REQUIRED'].includes(code) &&
      (code !== 'EVIDENCE_MISSING' || k.calls.some((call) => !isWrite(call))),
  );
};

export const oldReads = (k: Known): readonly Call[] =>
  k.calls.filter((call) => !isWrite(call) && call.evidence?.stale === true);

/** The outputs that stand now. */
export const outputsOf = ({ plan, further, draft }: Known) =>
  [
    { kind: 'plan', output: plan },
    { kind: 'plan', output: further },
    { kind: 'draft', output: draft },
  ] as const;

/** What stands against the outputs, those that passed before a stricter contract included. */
export const unsure = (k: Known): readonly string[] =>
  outputsOf(k).flatMap(({ output }) => (output === null ? [] : against(k, output)));

/** A stricter contract makes a plan that passed unsure again: it is asked about before its calls go on (decision 0040). */
export const isPlanUnsure = (k: Known): boolean => k.plan !== null && against(k, k.plan).length > 0;

/** A write that was made, and that no one stands behind who has to. */
export const isUnapproved = (k: Known, call: Call): boolean =>
  needsAuthority(call) && effectOf(k, call.digest)?.isAuthorized === false;

/** Reads that are left: none beside a call that failed, or under a plan that is not sure any more (decision 0040). */
export const readsOf = (k: Known): readonly Call[] =>
  isPlanUnsure(k) || k.calls.some(isBroken)
    ? []
    : k.calls.filter((call) => !isWrite(call) && call.status === 'ready');

/** Reads that someone has to stand behind first: whatever comes after the reads waits for them (decision 0072). */
export const readsHeld = (k: Known): readonly Call[] => readsOf(k).filter((call) => !isAuthorized(k, call));
