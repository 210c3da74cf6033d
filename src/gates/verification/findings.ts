import * as z from 'zod';
import { clausesOf, type EvidenceRequirement } from '../../../machines/index.ts';
import { VerificationCheck, VerificationReport, type ReasonCode } from '../../../schema/index.ts';
import { frozenCopy } from '../../base/canonical/freeze.ts';
import type { VerificationSubject, Verifier } from '../../base/ports/verifier.ts';

/** The expected properties of a verifier's report: the verifier, its subject and the evidence to cover. */
export interface Asked {
  readonly verifier: Pick<Verifier, 'id' | 'requires'>;
  readonly subject: VerificationSubject;
  readonly evidence: readonly EvidenceRequirement[];
}

/** The result of reading a verifier's answer; its own status is recomputed (UAICP 5.2). */
export interface Reading {
  readonly status: VerificationReport['status'];
  /** Why the report is rejected, apart from a failed check. */
  readonly code: ReasonCode | null;
  readonly checks: readonly VerificationCheck[];
  readonly evidenceIds: readonly string[];
}

const Findings = z.looseObject({
  ...VerificationReport.partial().shape,
  checks: z.array(VerificationCheck).min(1),
});
type Findings = z.infer<typeof Findings>;

/** The report field that names the digest of the subject. */
export const subjectKey = 'agentcharter:subject';

const isForeign = (found: Findings, { verifier, subject }: Asked): boolean =>
  (found.request_id ?? subject.requestId) !== subject.requestId ||
  (found.verifier_id ?? verifier.id) !== verifier.id ||
  (found[subjectKey] ?? subject.digest) !== subject.digest;

const answers = (
  { evidence_type, source }: VerificationSubject['evidence'][number],
  required: EvidenceRequirement,
): boolean =>
  clausesOf(required).some(({ type, tool }) => evidence_type === type && (tool ?? source) === source);

/** Returns whether a report names only evidence that the verifier received, and every kind that is required. */
const covers = (ids: readonly string[], { subject, evidence }: Asked): boolean => {
  const shown = subject.evidence;
  const named = shown.filter(({ evidence_id }) => ids.includes(evidence_id));
  const isOurs = ids.every((id) => shown.some(({ evidence_id }) => evidence_id === id));
  return isOurs && evidence.every((required) => named.some((one) => answers(one, required)));
};

/** Returns the status of checks. A skipped check is not a pass; only a check that is not required may be skipped. */
const statusOf = (checks: readonly VerificationCheck[], requires?: readonly string[]): Reading['status'] => {
  if (checks.some(({ result }) => result === 'fail')) return 'fail';
  const isPassed = ({ check_id, result }: VerificationCheck): boolean =>
    result === 'pass' || requires?.includes(check_id) === false;
  const hasPassed = checks.some(({ result }) => result === 'pass');
  return hasPassed && checks.every(isPassed) ? 'pass' : 'partial';
};

const lacksChecks = ({ checks }: Findings, { verifier: { requires = [] } }: Asked): boolean =>
  requires.some((id) => !checks.some(({ check_id }) => check_id === id));

const codeOf = (found: Findings, status: Reading['status'], asked: Asked, ids: readonly string[]) => {
  if (isForeign(found, asked)) return 'REPORT_FOREIGN';
  if (!covers(ids, asked)) return 'REPORT_EVIDENCE_MISMATCH';
  if (lacksChecks(found, asked)) return 'REPORT_INVALID';
  return found.status === 'pass' && status !== 'pass' ? 'REPORT_CONTRADICTORY' : null;
};

/** Returns one failed check with the reason why there is no report. */
export const noReport = (code: ReasonCode, id: string, details: string): Reading => ({
  status: 'fail',
  code,
  checks: [{ check_id: id, result: 'fail', details }],
  evidenceIds: [],
});

/** Reads a verifier's answer and compares it with the expectations. */
export const readFindings = (answer: unknown, asked: Asked): Reading => {
  const { id, requires } = asked.verifier;
  const read = Findings.safeParse(frozenCopy(answer, 'Findings'));
  if (!read.success) return noReport('REPORT_INVALID', id, 'its checks cannot be read');
  const { checks, evidence_ids: ids, status: claimed } = read.data;
  const evidenceIds = ids ?? asked.subject.evidence.map(({ evidence_id }) => evidence_id);
  const status = statusOf(checks, requires);
  const code = codeOf(read.data, status, asked, evidenceIds);
  const isPass = status === 'pass' && code === null && (claimed ?? 'pass') === 'pass';
  return {
    status: isPass ? 'pass' : status === 'partial' && code === null ? 'partial' : 'fail',
    code,
    checks,
    evidenceIds,
  };
};
