import * as z from 'zod';
import { isAmong } from '../../machines/names.ts';
import { Identifier, ReasonCode, reasonMeaning } from '../../schema/index.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import type { ApprovalClaims, ApprovalRefusal, Grant } from '../ports/approvals.ts';
import type { ApprovalDocument, Person } from '../ports/ledger.ts';
import type { MayRespond } from '../ports/may-respond.ts';
import type { OpenQuestion } from '../ports/open-question.ts';
import type { Environment } from './environment.ts';
import type { Run } from './perform/performer.ts';
import { openQuestion } from './questions.ts';
import { inTime } from './slots.ts';
import type { Task } from './task.ts';
import type { TaskView } from './view.ts';

/** The ports of approvals. */
export type ApprovalPorts = Pick<Environment, 'approvals' | 'mayRespond' | 'policy' | 'clock'>;

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

/** The default of `mayRespond`: everybody but the agent that asked. */
export const everybodyElse: MayRespond = (name, { requester }) => !isAmong([requester], name);

/** Asks the host whether a person may answer a question: only `true` is yes. Throws what `mayRespond` throws. */
export const isAllowed = async (
  { mayRespond }: Pick<ApprovalPorts, 'mayRespond'>,
  person: Person,
  { taskId, projection: { request } }: TaskView,
  question: OpenQuestion,
): Promise<boolean> => {
  const { identity } = request;
  const asked = { taskId, question, requester: identity.agent_id, identity, person };
  const answer: unknown = await mayRespond(person.id, deepFreeze(asked));
  return answer === true;
};

const unverifiable = refused('GUARD_ERROR', 'the token could not be verified');

/** What is said of every token where nobody is there to verify it. */
export const unconfigured: ApprovalRefusal = refused(
  'APPROVAL_KEY_UNKNOWN',
  'no approvals are configured, so no token can be verified',
);

/** The last instant that a date can name (ECMA-262, time values). */
const lastInstant = 8.64e15;

const Answered = z.union([
  z.strictObject({ refused: ReasonCode, explanation: z.string() }),
  z.strictObject({ approver: Identifier, jti: Identifier, expiresAt: z.number().max(lastInstant) }),
]);

/** What whoever verifies tokens answers, read; one that throws, or does not answer in time, has refused. */
export const askApprovals = async (
  { taskClass }: Task,
  { approvals, clock }: ApprovalPorts,
  token: string,
  claims: ApprovalClaims,
): Promise<Grant | ApprovalRefusal> => {
  if (approvals === null) return unconfigured;
  try {
    const answer = approvals.verify(token, deepFreeze({ ...claims }), clock.now());
    return Answered.parse(await inTime(clock, taskClass.deadlines.policy, answer));
  } catch {
    return unverifiable; // its error could quote the token
  }
};

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
const terms = { deadline: null, byDefault: null };

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
