import type { ApprovalRefusal } from '../../ports/approvals.ts';
import type { ApprovalDocument } from '../../ports/ledger.ts';
import { isAllowed } from '../answer.ts';
import { askApprovals } from '../approve.ts';
import { requesting } from '../approvers.ts';
import type { OpenQuestion } from '../../ports/open-question.ts';
import { openQuestion } from '../questions.ts';
import type { Run } from './run.ts';

const changed: ApprovalRefusal = {
  refused: 'APPROVAL_SIGNATURE_WRONG',
  explanation: 'the token on record is not the one that was accepted',
};

const outgrown: ApprovalRefusal = {
  refused: 'APPROVAL_REQUIRED',
  explanation: 'the task class asks for another authority, or for more approvers, by now',
};

const missing: ApprovalRefusal = {
  refused: 'APPROVAL_REQUIRED',
  explanation: 'an approver is named, and no token of theirs is on record',
};

/** Whether there is a token for everybody who can have approved by nothing else. */
const areOnRecord = (run: Run): boolean => {
  const { calls, taskClass } = run.task.view.context;
  const { authority, approvers = [], tier } = calls[run.of.call] ?? {};
  if (authority !== 'approval') return true;
  const held = new Set(approvalsOf(run).map(({ approver }) => approver));
  const isByTokenAlone =
    tier === 'write_high_risk' && taskClass.authorities.every((one) => one === 'approval');
  return isByTokenAlone
    ? approvers.every((approver) => held.has(approver))
    : approvers.some((approver) => held.has(approver));
};

/** A high-risk write has an authority, and as many approvers, as the task class asks for by now. */
const isEnough = ({ task, of }: Run): boolean => {
  const { calls, taskClass } = task.view.context;
  const { authority = null, approvers = [], tier } = calls[of.call] ?? {};
  if (tier !== 'write_high_risk') return true;
  return (
    authority !== null && taskClass.authorities.includes(authority) && approvers.length >= taskClass.approvers
  );
};

/** The approvals that stand behind a call. */
export const approvalsOf = ({ task, call }: Run): readonly ApprovalDocument[] =>
  task.view.projection.approvals[call.digest] ?? [];

/** It was answered: no deadline runs for it any more. */
const terms = () => ({ deadline: null, byDefault: null });

/** The question that an approval of this action answers. */
const questionOf = ({ task, environment, call }: Run): OpenQuestion => {
  const question = { kind: 'approval', about: call.digest } as const;
  const policyVersion = environment.policy.version ?? null;
  const { context } = task.view.snapshot;
  return openQuestion(context, task.view.projection, `approval:${call.digest}`, question, {
    terms,
    policyVersion,
  });
};

/** Why somebody who approved may not approve any more; `null` where all may. */
const withdrawn = async (run: Run, approvers: readonly string[]): Promise<ApprovalRefusal | null> => {
  const { task, environment, call } = run;
  const people = task.view.projection.approvers[call.digest] ?? [];
  for (const approver of approvers) {
    const refusal = requesting(task.view, approver);
    if (refusal !== null) return refusal;
    const person = people.find(({ id }) => id === approver) ?? { id: approver };
    const isStillAllowed = await isAllowed(environment, person, task.view, questionOf(run)).catch(
      () => false,
    );
    if (!isStillAllowed)
      return {
        refused: 'APPROVER_WITHDRAWN',
        explanation: `${approver} may not approve this action any more`,
      };
  }
  return null;
};

/**
 * Why an approval no longer stands behind a call, verified again where the effect is about to happen (UAICP 5.3): its
 * token, and whether each person who approved may still do so.
 */
export const approvalFault = async (run: Run): Promise<ApprovalRefusal | null> => {
  const { task, environment, call, of } = run;
  const { policy } = environment;
  const made = task.view.context.calls[of.call];
  if (!isEnough(run)) return outgrown;
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
  return made?.authority === 'system' ? null : withdrawn(run, made?.approvers ?? []);
};
