import { bytesOf } from '../../approvals/base64url.ts';
import { headerOf, readAs } from '../../approvals/compact.ts';
import { ApprovalToken, approvalType } from '../../approvals/token.ts';
import type { ApprovalClaims } from '../../ports/approvals.ts';
import type { ApprovalDocument, LedgerRecord } from '../../ports/ledger.ts';
import { memberOf, type Compare } from './comparison.ts';
import type { Known } from './known.ts';

/** The most that a verifier of approvals allows for the clock of their issuer, in milliseconds. */
const leeway = 60_000;

const claimNames = [
  'request_id',
  'tool',
  'tool_version',
  'action_digest',
  'tier',
  'policy_version',
  'summary_digest',
] as const satisfies readonly (keyof ApprovalClaims)[];

/** Returns the claims of a token of an approval, whoever signed it; `null` for a token of another kind. */
const claimsIn = (token: unknown): ApprovalToken | 'malformed' | null => {
  const header = headerOf(token);
  if (header?.typ !== approvalType || typeof token !== 'string') return null;
  const [, payload = ''] = token.split('.', 2);
  return readAs(ApprovalToken, bytesOf(payload)) ?? 'malformed';
};

/** Returns the time of a record by the clock of its machine, in milliseconds. */
const timeOf = ({ timestamp, behind }: LedgerRecord): number => Date.parse(timestamp) - behind;

const compareToken = (record: LedgerRecord, approval: ApprovalDocument, compare: Compare): void => {
  const claims = claimsIn(approval.token);
  if (claims === null) return;
  const place = 'its token';
  if (claims === 'malformed') return compare('approval', '/token', 'malformed', approvalType, 'its header');
  compare('approval', '/approver', approval.approver, claims.sub, place);
  compare('approval', '/jti', approval.jti, claims.jti, place);
  compare('approval', '/expiresAt', Date.parse(approval.expiresAt), claims.exp * 1_000, place);
  for (const name of claimNames)
    compare('approval', `/claims/${name}`, memberOf(approval.claims, name), claims[name], place);
  compare('approval', '/token', claims.decision, 'approve', 'its fact');
  const time = timeOf(record);
  const isInTime = time >= claims.nbf * 1_000 - leeway && time < claims.exp * 1_000 + leeway;
  if (!isInTime) compare('record', '/timestamp', record.timestamp, approval.expiresAt, 'its token ends at');
};

/** Compares an approval with the fact that it is granted, with the call that it is for, and with its own token. */
export const compareApproval = (record: LedgerRecord, known: Known, compare: Compare): void => {
  const { kind, fact, request_id, brought, documents } = record;
  const { approval } = brought;
  const isNeeded = kind === 'fact' && fact?.type === 'approval.granted' && fact.authority === 'approval';
  if (documents.approval === undefined ? !isNeeded : approval === undefined) return; // none, or erased
  const claims = memberOf(approval, 'claims');
  if (fact?.type === 'approval.granted') {
    compare('approval', '/approver', memberOf(approval, 'approver'), fact.approver, 'its fact');
    compare('approval', '/claims/action_digest', memberOf(claims, 'action_digest'), fact.digest, 'its fact');
    compare('record', '/fact/authority', fact.authority, 'approval', 'its approval');
    const call = known.calls.get(fact.digest);
    const place = 'the call that it is for';
    compare('approval', '/claims/tool', memberOf(claims, 'tool'), call?.tool, place);
    compare('approval', '/claims/tool_version', memberOf(claims, 'tool_version'), call?.version, place);
    compare('approval', '/claims/tier', memberOf(claims, 'tier'), known.tiers.get(fact.digest), place);
  }
  compare('approval', '/claims/request_id', memberOf(claims, 'request_id'), request_id, 'its record');
  if (approval !== undefined) compareToken(record, approval, compare);
};
