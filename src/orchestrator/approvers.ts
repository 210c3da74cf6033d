import { isAmong } from '../../machines/names.ts';
import { reasonMeaning, type ReasonCode } from '../../schema/index.ts';
import type { ApprovalRefusal } from '../ports/approvals.ts';
import type { TaskView } from './view.ts';

export const refused = (code: ReasonCode, explanation: string = reasonMeaning[code]): ApprovalRefusal => ({
  refused: code,
  explanation,
});

/** Whether this approver, by any spelling of the name, stands behind an action already: another person is wanted then. */
export const repeated = ({ context }: TaskView, about: string, approver: string): ReasonCode | null =>
  Object.values(context.calls).some(
    ({ digest, approvers }) => digest === about && isAmong(approvers, approver),
  )
    ? 'APPROVER_REPEATED'
    : null;

/** Whether this is somebody who asks for the action: the agent, or whom it acts for where its task class forbids that. */
export const requesting = ({ projection, context }: TaskView, approver: string): ApprovalRefusal | null => {
  const { agent_id: agent, owner_id: owner, user_id: user } = projection.request.identity;
  const { id, selfApproval } = context.taskClass;
  if (isAmong([agent], approver)) return refused('APPROVER_IS_REQUESTER');
  const behind = user === undefined ? [owner] : [owner, user];
  if (selfApproval || !isAmong(behind, approver)) return null;
  return refused(
    'APPROVER_IS_REQUESTER',
    `${approver} is the user or the owner behind agent ${agent}: ask another person, or declare selfApproval: true in task class ${id}`,
  );
};

/**
 * Why somebody is no approver of an action (UAICP 5.3): an agent never approves what it asks for, the user and the owner
 * behind it only where the task class that was begun under says `selfApproval`, and nobody approves twice.
 */
export const excluded = (view: TaskView, about: string, approver: string): ApprovalRefusal | null => {
  const refusal = requesting(view, approver);
  if (refusal !== null) return refusal;
  const code = repeated(view, about, approver);
  return code === null ? null : refused(code);
};
