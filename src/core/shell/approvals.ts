import * as z from 'zod';
import type { Call } from '../../../machines/index.ts';
import { isAmong } from '../../../machines/names.ts';
import { isAuthorized } from '../../../machines/owed.ts';
import { Identifier, ReasonCode, reasonMeaning } from '../../../schema/index.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import type { ApprovalClaims, ApprovalRefusal, Grant } from '../../base/ports/approvals.ts';
import type { ApprovalDocument, Person } from '../../base/ports/ledger.ts';
import type { MayRespond } from '../../base/ports/may-respond.ts';
import type { OpenQuestion } from '../../base/ports/open-question.ts';
import { openQuestion } from '../kernel/questions.ts';
import type { TaskView } from '../kernel/view.ts';
import type { CallRun } from './duties/performer.ts';
import type { Environment } from './environment.ts';
import { inTime } from './slots.ts';
import type { LiveTask } from './live-task.ts';

const refused = (code: ReasonCode, explanation: string = reasonMeaning[code]): ApprovalRefusal => ({
  refused: code,
  explanation,
});

/** Calls that ended without a result: who approved one is asked about the next one of the same action. */
const unmade: ReadonlySet<Call['status']> = new Set(['failed', 'refused', 'dropped'] as const);

/** Returns whether this approver, in any spelling of the name, has already approved an action that was made or may be. */
const isRepeated = ({ context }: TaskView, about: string, approver: string): boolean =>
  Object.values(context.calls).some(
    ({ digest, status, approvers }) =>
      digest === about && !unmade.has(status) && isAmong(approvers, approver),
  );

/**
 * Returns the refusal of an approver who is the requester: the agent, or its owner or user unless `selfApproval`
 * allows it.
 */
const requesting = ({ projection, context }: TaskView, approver: string): ApprovalRefusal | null => {
  const { agent_id: agent, owner_id: owner, user_id: user } = projection.request.identity;
  const { id, selfApproval } = context.taskClass;
  if (isAmong([agent], approver)) return refused('APPROVER_IS_REQUESTER');
  const principals = user === undefined ? [owner] : [owner, user];
  if (selfApproval || !isAmong(principals, approver)) return null;
  return refused(
    'APPROVER_IS_REQUESTER',
    `${approver} is the user or the owner behind agent ${agent}: ask another person, or declare selfApproval: true in task class ${id}`,
  );
};

/**
 * Returns the rule that keeps a person or a system, by who they are, from approving an action (UAICP 5.3); `null` if none does. An agent never
 * approves its own request; its user and owner may only with `selfApproval`; no one approves twice, and no token counts twice.
 * `missing` is the token of a question that takes signed approvals only.
 */
export const approvalRefusal = (
  view: TaskView,
  about: string,
  approver: string,
  token: Pick<ApprovalDocument, 'jti'> | 'missing' | null = null,
): ApprovalRefusal | null => {
  if (token === 'missing')
    return refused(
      'APPROVAL_REQUIRED',
      `task class ${view.taskClass.id} takes signed approvals only: send one as \`approval\`, or list "human" in its \`authorities\``,
    );
  const { [about]: accepted = [] } = view.projection.approvals;
  if (token !== null && accepted.some(({ jti }) => jti === token.jti)) return refused('APPROVAL_SPENT');
  return (
    requesting(view, approver) ?? (isRepeated(view, about, approver) ? refused('APPROVER_REPEATED') : null)
  );
};

/** The default of `mayRespond`: any person, but not the requesting agent. */
export const anyoneButRequester: MayRespond = (name, { requester }) => !isAmong([requester], name);

/**
 * Calls `mayRespond` with the question, which is worded only if the host reads it; only `true` permits. Throws the error
 * of `mayRespond`.
 */
export const isAllowed = async (
  { mayRespond }: Pick<Environment, 'mayRespond'>,
  person: Person,
  { taskId, projection: { request } }: TaskView,
  question: () => OpenQuestion,
): Promise<boolean> => {
  if (mayRespond === anyoneButRequester) return !isAmong([request.identity.agent_id], person.id);
  const { identity } = request;
  const asked = { taskId, question: question(), requester: identity.agent_id, identity, person };
  const answer: unknown = await mayRespond(person.id, deepFreeze(asked));
  return answer === true;
};

const unverifiable = refused('GUARD_ERROR', 'the token could not be verified');

/** The refusal of every token if no approvals are configured. */
export const unconfigured: ApprovalRefusal = refused(
  'APPROVAL_KEY_UNKNOWN',
  'no approvals are configured, so no token can be verified: pass `approvals`, such as jwsApprovals(...)',
);

/** The last instant that a Date can represent (ECMA-262, time values). */
const lastInstant = 8.64e15;

const VerifierAnswer = z.union([
  z.strictObject({ refused: ReasonCode, explanation: z.string() }),
  z.strictObject({ approver: Identifier, jti: Identifier, expiresAt: z.number().max(lastInstant) }),
]);

/** Verifies a token with the host's `approvals`; an error or a timeout refuses it. */
export const askApprovals = async (
  { taskClass }: Pick<LiveTask, 'taskClass'>,
  { approvals, clock }: Pick<Environment, 'approvals' | 'clock'>,
  token: string,
  claims: ApprovalClaims,
): Promise<Grant | ApprovalRefusal> => {
  if (approvals === null) return unconfigured;
  try {
    const answer = approvals.verify(token, deepFreeze({ ...claims }), clock.now());
    return VerifierAnswer.parse(await inTime(clock, taskClass.deadlines.policy, answer));
  } catch {
    return unverifiable; // the error could quote the token
  }
};

const changed: ApprovalRefusal = {
  refused: 'APPROVAL_SIGNATURE_WRONG',
  explanation: 'the recorded token is not the one that was accepted',
};

const insufficientAuthority: ApprovalRefusal = {
  refused: 'APPROVAL_REQUIRED',
  explanation: 'the task class now requires another authority, or more approvers',
};

const missing: ApprovalRefusal = {
  refused: 'APPROVAL_REQUIRED',
  explanation: 'an approver has no recorded token',
};

/** Returns whether there is a token for each approver who needed one. */
const hasRequiredTokens = (run: CallRun): boolean => {
  const { calls, taskClass } = run.task.view.context;
  const { authority, approvers = [], tier } = calls[run.of.call] ?? {};
  if (authority !== 'approval') return true;
  const approvedByToken = new Set(approvalsOf(run).map(({ approver }) => approver));
  const isByTokenAlone =
    tier === 'write_high_risk' && taskClass.authorities.every((one) => one === 'approval');
  return isByTokenAlone
    ? approvers.every((approver) => approvedByToken.has(approver))
    : approvers.some((approver) => approvedByToken.has(approver));
};

/**
 * Returns whether a call has the authority that it needs: one that a person rejected has none. A high-risk write also
 * needs enough approvers for the current task class.
 */
const hasAuthority = ({ task, of }: CallRun): boolean => {
  const { calls, taskClass } = task.view.context;
  const made = calls[of.call];
  if (made === undefined || !isAuthorized(made)) return false;
  const { authority, approvers, tier } = made;
  if (tier !== 'write_high_risk') return true;
  return (
    authority !== null && taskClass.authorities.includes(authority) && approvers.length >= taskClass.approvers
  );
};

/** Returns the approvals of a call. */
export const approvalsOf = ({ task, call }: CallRun): readonly ApprovalDocument[] =>
  task.view.projection.approvals[call.digest] ?? [];

/** Terms without a deadline: the question is answered. */
const terms = { deadline: null, byDefault: null };

/** Returns the question that an approval of this action answers. */
const questionOf = ({ task, environment, call }: CallRun): OpenQuestion => {
  const question = { kind: 'approval', about: call.digest } as const;
  const policyVersion = environment.policy.version ?? null;
  const { context } = task.view.snapshot;
  return openQuestion(context, task.view.projection, `approval:${call.digest}`, question, {
    terms,
    policyVersion,
    cause: undefined,
  });
};

/** Returns why an approver may no longer approve; `null` if all may. */
const withdrawnApprover = async (
  run: CallRun,
  approvers: readonly string[],
): Promise<ApprovalRefusal | null> => {
  const { task, environment, call } = run;
  const people = task.view.projection.approvers[call.digest] ?? [];
  for (const approver of approvers) {
    const refusal = requesting(task.view, approver);
    if (refusal !== null) return refusal;
    const person = people.find(({ id }) => id === approver) ?? { id: approver };
    const isStillAllowed = await isAllowed(environment, person, task.view, () => questionOf(run)).catch(
      () => false,
    );
    if (!isStillAllowed)
      return {
        refused: 'APPROVER_WITHDRAWN',
        explanation: `${approver} is no longer allowed to approve this action`,
      };
  }
  return null;
};

/**
 * Returns why an approval no longer counts, checked again right before the effect (UAICP 5.3): its token, and the
 * permission of each approver.
 */
export const approvalFault = async (run: CallRun): Promise<ApprovalRefusal | null> => {
  const { task, environment, call, of } = run;
  const { policy } = environment;
  const made = task.view.context.calls[of.call];
  if (!hasAuthority(run)) return insufficientAuthority;
  if (!hasRequiredTokens(run)) return missing;
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
  return made?.authority === 'system' ? null : withdrawnApprover(run, made?.approvers ?? []);
};
