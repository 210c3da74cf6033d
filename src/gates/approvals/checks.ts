import type { ReasonCode } from '../../../schema/index.ts';
import type { ApprovalClaims } from '../../base/ports/approvals.ts';
import type { Subjects } from './keys.ts';
import type { ApprovalToken } from './token.ts';

/** The expected properties of a token's claims; times in milliseconds. */
interface Against {
  readonly subjects: Subjects;
  readonly issuer: string;
  readonly audience: string;
  readonly leeway: number;
  readonly now: number;
  readonly expected: ApprovalClaims;
}

interface Check {
  readonly code: ReasonCode;
  readonly explanation: string;
  readonly holds: (claims: ApprovalToken, against: Against) => boolean;
}

const sameAsAsked =
  (...names: readonly (keyof ApprovalClaims)[]): Check['holds'] =>
  (claims, { expected }) =>
    names.every((name) => claims[name] === expected[name]);

/** The checks of a verified token's claims, in order; the first failure is reported. */
export const checks: readonly Check[] = [
  {
    code: 'APPROVAL_SUBJECT_MISMATCH',
    explanation: 'Sign with a key of this approver: the `subjects` of this one do not name them.',
    holds: ({ sub }, { subjects }) => subjects === 'any' || subjects.includes(sub),
  },
  {
    code: 'APPROVAL_ISSUER_WRONG',
    explanation: 'Ask the approval desk that is trusted here: another one issued this.',
    holds: ({ iss }, { issuer }) => iss === issuer,
  },
  {
    code: 'APPROVAL_AUDIENCE_WRONG',
    explanation: 'Ask for an approval that is issued for this system: this one is for another.',
    holds: ({ aud }, { audience }) => (typeof aud === 'string' ? aud === audience : aud.includes(audience)),
  },
  // Two comparisons, so that a `now` of NaN passes neither.
  {
    code: 'APPROVAL_NOT_YET_VALID',
    explanation: 'Wait until the approval becomes valid, or compare the clocks of both systems.',
    holds: ({ nbf }, { now, leeway }) => now >= nbf * 1_000 - leeway,
  },
  {
    code: 'APPROVAL_EXPIRED',
    explanation: 'Ask for a new approval: this one has expired.',
    holds: ({ exp }, { now, leeway }) => now < exp * 1_000 + leeway,
  },
  {
    code: 'APPROVAL_REJECTED',
    explanation: 'The approver decided to reject: answer the question with a rejection.',
    holds: ({ decision }) => decision === 'approve',
  },
  {
    code: 'APPROVAL_REQUEST_MISMATCH',
    explanation: 'Ask for an approval of this request: this one is of another.',
    holds: sameAsAsked('request_id'),
  },
  {
    code: 'APPROVAL_CALL_MISMATCH',
    explanation: 'Ask for an approval of this tool in this version: this one is of another.',
    holds: sameAsAsked('tool', 'tool_version'),
  },
  {
    code: 'APPROVAL_ARGUMENTS_MISMATCH',
    explanation: 'Ask again: the arguments or the rollback are not those that were approved.',
    holds: sameAsAsked('action_digest'),
  },
  {
    code: 'APPROVAL_TIER_MISMATCH',
    explanation: 'Ask again: the approval was given for another risk tier.',
    holds: sameAsAsked('tier'),
  },
  {
    code: 'APPROVAL_POLICY_MISMATCH',
    explanation: 'Ask again: the approval was given under another version of the policy.',
    holds: sameAsAsked('policy_version'),
  },
  {
    code: 'APPROVAL_SUMMARY_MISMATCH',
    explanation: 'Ask again: the approver was shown another summary than this one.',
    holds: sameAsAsked('summary_digest'),
  },
];
