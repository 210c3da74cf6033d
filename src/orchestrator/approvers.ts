import type { ReasonCode } from '../../schema/index.ts';
import type { Task } from './task.ts';

/** Whether this approver stands behind an action already: another one is wanted then. */
export const repeated = ({ snapshot }: Task, about: string, approver: string): ReasonCode | null =>
  Object.values(snapshot.context.calls).some(
    ({ digest, approvers }) => digest === about && approvers.includes(approver),
  )
    ? 'APPROVER_REPEATED'
    : null;

/** Why somebody is no approver of an action: the agent that asks for it never is (UAICP 5.3). */
export const excluded = (task: Task, about: string, approver: string): ReasonCode | null =>
  approver === task.dossier.request.identity.agent_id
    ? 'APPROVER_IS_REQUESTER'
    : repeated(task, about, approver);
