import * as z from 'zod';
import { Identifier, ReasonCode, type UpFeedback } from '../../schema/index.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { messageIdOf } from '../feedback/target.ts';
import type { ApprovalClaims, ApprovalRefusal, Grant } from '../ports/approvals.ts';
import { excluded, refused } from './approvers.ts';
import { rfc3339 } from './clock.ts';
import type { Environment } from './environment.ts';
import type { OpenQuestion } from '../ports/open-question.ts';
import { answered, refuse, refuseOnRecord } from './respond.ts';
import type { Answer } from './word.ts';
import { inTime } from './in-time.ts';
import { isOpen } from './settled.ts';
import type { Task } from './task.ts';

const unverifiable = refused('GUARD_ERROR', 'the token could not be verified');

/** What is said of every token where nobody is there to verify it. */
const unconfigured: ApprovalRefusal = refused(
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
  { approvals, clock }: Environment,
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

const verified = async (
  task: Task,
  environment: Environment,
  { about, approval }: OpenQuestion,
  token: string,
): Promise<ApprovalRefusal | { readonly grant: Grant; readonly claims: ApprovalClaims }> => {
  if (approval === undefined) return unconfigured;
  const grant = await askApprovals(task, environment, token, approval);
  if ('refused' in grant) return grant;
  if ((task.view.projection.approvals[about] ?? []).some(({ jti }) => jti === grant.jti))
    return refused('APPROVAL_SPENT');
  return excluded(task.view, about, grant.approver) ?? { grant, claims: approval };
};

/**
 * Reads feedback that an approval token travels beside: the verified approver's word for exactly this action (UAICP 5.3).
 *
 * Throws `feedback_refused` with the code of what is wrong with the token, and records the refusal.
 */
export const readApproval = async (
  task: Task,
  environment: Environment,
  question: OpenQuestion,
  feedback: UpFeedback,
  { token, by }: { readonly token: string; readonly by: string },
): Promise<Answer & { readonly approver: string }> => {
  if (question.kind !== 'approval') throw refuse(task, question, 'it asks for no approval');
  if (feedback.type !== 'approve')
    throw refuse(task, question, `a token goes with approve, not ${feedback.type}`);
  const read = await verified(task, environment, question, token);
  if ('refused' in read) {
    const { refused: code, explanation } = read;
    throw await refuseOnRecord(task, question, { code, by, explanation });
  }
  if (!isOpen(task.view, messageIdOf(feedback), question)) {
    await task.refuse({ actor: { kind: 'human', id: by }, brought: { explanation: answered } });
    throw refuse(task, question, answered);
  }
  const { grant, claims } = read;
  const { approver, jti, expiresAt } = grant;
  const { request } = task.view.context;
  return {
    fact: { type: 'approval.granted', request, digest: question.about, authority: 'approval', approver },
    brought: { feedback, approval: { token, claims, approver, jti, expiresAt: rfc3339(expiresAt) } },
    approver,
  };
};
