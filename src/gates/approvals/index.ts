export { signApproval } from './sign.ts';
export type { ApprovalToSign } from './sign.ts';
export { actionDigest, ApprovalSubject, approvalSubject } from './subject.ts';
export { ApprovalToken } from './token.ts';
export type { ApprovalJwk, ApprovalKeySet, Subjects } from './keys.ts';
export type { KeySet } from './keys.ts';
export { jwsApprovals } from './verify.ts';
export type { JwsApprovalsOptions } from './verify.ts';
export type { ApprovalClaims, ApprovalRefusal, Grant } from '../../base/ports/approvals.ts';
