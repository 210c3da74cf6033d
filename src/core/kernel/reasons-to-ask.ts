import type { Context } from '../../../machines/index.ts';
import type { RiskTier } from '../../../schema/index.ts';
import { oneLine } from '../../text/foreign-text.ts';
import type { Projection } from '../../ledger/projection/projection.ts';
import { holdWords } from '../../origins/hold-words.ts';
import type { CallDocument } from '../../ports/ledger.ts';

/** Returns why a person is asked about a write: the policy's reasons, or the tier that the policy does not decide. */
export const reasonsToAsk = (
  { taskClass: { approvers } }: Context,
  { decisions }: Pick<Projection, 'decisions'>,
  { id, tool, origins }: Pick<CallDocument, 'id' | 'tool' | 'origins'>,
  tier: RiskTier,
): readonly string[] => {
  const { verdict, reasons: decided = [] } = decisions[id] ?? {};
  const held = holdWords(origins);
  const reasons = [...held, ...decided];
  if (verdict === 'needs_review' || tier !== 'write_high_risk') return reasons;
  const people = approvers > 1 ? `${approvers} people approve` : 'a person approves';
  return [...held, `${oneLine(tool)} is a high-risk write: ${people} each one.`];
};

/** Returns the consequence of approving a write: what else it takes, and who may not give it. */
export const approvalConsequence = (
  { taskClass: { approvers, selfApproval } }: Context,
  { request: { identity } }: Pick<Projection, 'request'>,
  needsToken: boolean,
): string => {
  const made = 'The write is made, as shown';
  const when = approvers > 1 ? `${made}, once ${approvers} people have approved it.` : `${made}.`;
  if (!needsToken) return when;
  const behind = [...new Set([identity.user_id ?? identity.owner_id, identity.owner_id])];
  const others = selfApproval ? '' : `, of someone other than ${behind.map(oneLine).join(' or ')}`;
  return `${when} This takes a signed approval${others}.`;
};
