import * as z from 'zod';
import { EvidenceObject, RiskTier, RollbackAction, type UpFormatMessage } from '../../../schema/index.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { digest } from '../../base/canonical/digest.ts';
import { isDescribed } from '../../base/define/rollback.ts';
import { CharterError } from '../../base/errors.ts';
import type { ApprovalClaims } from '../../base/ports/approvals.ts';

/** What an approver sees: the proposed action, the policy's verdict, and the evidence. */
export const ApprovalSubject = z.object({
  action: z.object({
    id: z.string(),
    tool: z.string(),
    version: z.string(),
    arguments: z.unknown(),
    rollback: RollbackAction.nullable(),
    occurrence: z.string().optional(),
    performs: z.literal('caller').optional(),
    digest: z.string(),
  }),
  tier: RiskTier,
  policy: z.object({ verdict: z.string(), reasons: z.array(z.string()) }).nullable(),
  evidence: z.array(EvidenceObject),
});
export type ApprovalSubject = z.infer<typeof ApprovalSubject>;

type Action = Omit<ApprovalSubject['action'], 'id' | 'digest'>;

/** Returns what the digest of an action covers: request, tool, tool version, arguments, rollback; and the occurrence, or that its caller performs it, if it says so. */
export const coveredAction = (
  request: string,
  { tool, version, arguments: given, rollback, occurrence, performs }: Action,
): object => ({
  request,
  tool,
  version,
  arguments: given ?? null,
  rollback,
  ...(occurrence !== undefined && { occurrence }),
  ...(performs !== undefined && { performs }),
});

/** Returns the digest of an action. */
export const actionDigest = (request: string, action: Action): string =>
  digest(coveredAction(request, action));

/**
 * Returns the digest of what an approver sees: the explanation and payload of a question, without the question
 * itself.
 */
export const summaryDigest = ({
  explanation,
  payload,
}: Pick<UpFormatMessage, 'explanation' | 'payload'>): string => {
  const { question: _question, ...shown } = payload;
  return digest({ explanation, payload: shown });
};

const faultOf = (
  subject: ApprovalSubject,
  message: Pick<UpFormatMessage, 'explanation' | 'payload'>,
  claims: ApprovalClaims,
): readonly [path: string, message: string] | null => {
  const { action, evidence, tier } = subject;
  if (summaryDigest(message) !== claims.summary_digest) return ['', 'it does not match the claims'];
  if (actionDigest(claims.request_id, action) !== claims.action_digest)
    return ['/action', 'it is not the action of the claims'];
  if (action.tool !== claims.tool || action.version !== claims.tool_version || tier !== claims.tier)
    return ['/action', 'its tool or its tier does not match the claims'];
  if (tier === 'write_high_risk' && !isDescribed(action.rollback))
    return ['/action/rollback', 'expected the rollback of a high-risk write: type, target and payload'];
  const changed = evidence.findIndex(({ hash, payload }) => digest(payload ?? null) !== hash);
  return changed === -1 ? null : [`/evidence/${changed}`, 'its payload does not match its hash'];
};

const refuse = (path: string, fault: string): CharterError =>
  new CharterError('document_invalid', `ApprovalSubject must not be signed: ${fault}`, {
    document: 'ApprovalSubject',
    issues: [{ path, message: fault }],
  });

/**
 * Returns the subject of a question of approval, with every digest recomputed.
 *
 * Throws `document_invalid` if the subject does not match the claims of the question (UAICP 5.3).
 */
export const approvalSubject = ({
  question,
  message,
}: {
  readonly question: { readonly approval?: ApprovalClaims };
  readonly message: Pick<UpFormatMessage, 'explanation' | 'payload'>;
}): { readonly subject: ApprovalSubject; readonly claims: ApprovalClaims } => {
  const { approval: claims } = question;
  if (claims === undefined) throw refuse('', 'the question asks for no approval');
  const subject = parseDocument('ApprovalSubject', ApprovalSubject, message.payload);
  const fault = faultOf(subject, message, claims);
  if (fault !== null) throw refuse(...fault);
  return { subject, claims };
};
