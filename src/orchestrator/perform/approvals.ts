import type { ApprovalRefusal } from '../../ports/approvals.ts';
import type { ApprovalDocument } from '../../ports/ledger.ts';
import { askApprovals } from '../approve.ts';
import type { Run } from './outcome.ts';

const changed: ApprovalRefusal = {
  refused: 'APPROVAL_SIGNATURE_WRONG',
  explanation: 'the token on record is not the one that was accepted',
};

const missing: ApprovalRefusal = {
  refused: 'APPROVAL_REQUIRED',
  explanation: 'an approver is named, and no token of theirs is on record',
};

/** Whether there is a token for everybody who can have approved by nothing else. */
const areOnRecord = (run: Run): boolean => {
  const { calls, taskClass } = run.task.snapshot.context;
  const { authority, approvers = [], tier } = calls[run.of.call] ?? {};
  if (authority !== 'approval') return true;
  const held = new Set(approvalsOf(run).map(({ approver }) => approver));
  const isByTokenAlone =
    tier === 'write_high_risk' && taskClass.authorities.every((one) => one === 'approval');
  return isByTokenAlone
    ? approvers.every((approver) => held.has(approver))
    : approvers.some((approver) => held.has(approver));
};

/** The approvals that stand behind a call. */
export const approvalsOf = ({ task, call }: Run): readonly ApprovalDocument[] =>
  task.dossier.approvals[call.digest] ?? [];

/**
 * Why an approval no longer stands behind a call, verified again where the effect is about to happen (UAICP 5.3); a call
 * that was under way goes on under the approval that it used.
 */
export const approvalFault = async (run: Run): Promise<ApprovalRefusal | null> => {
  const { task, environment, call, of } = run;
  const { policy } = environment;
  const made = task.snapshot.context.calls[of.call];
  if (made?.underWay === true) return null;
  if (!areOnRecord(run)) return missing;
  for (const { token, claims, jti, approver } of approvalsOf(run)) {
    const now = {
      ...claims,
      request_id: of.request,
      tool: call.tool,
      tool_version: call.version,
      action_digest: call.digest,
      tier: made?.tier ?? 'write_high_risk',
      policy_version: policy.version ?? null,
    };
    const grant = await askApprovals(task, environment, token, now);
    if ('refused' in grant) return grant;
    if (grant.jti !== jti || grant.approver !== approver) return changed;
  }
  return null;
};
