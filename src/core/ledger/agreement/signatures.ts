import { createClaimsReader } from '../../../gates/approvals/claims.ts';
import { headerOf } from '../../../gates/approvals/compact.ts';
import type { ApprovalKey } from '../../../gates/approvals/keys.ts';
import { approvalType, type ApprovalToken } from '../../../gates/approvals/token.ts';
import type { ApprovalClaims } from '../../../base/ports/approvals.ts';
import type { ApprovalDocument, LedgerRecord } from '../../../base/ports/ledger.ts';
import type { Finding } from '../findings.ts';
import { comparisonOf, memberOf, type Compare } from './comparison.ts';

/** An approval on record, and the number of its record. */
export interface RecordedApproval {
  readonly seq: number;
  /** What the record brought; `undefined` once it was erased. */
  readonly approval: ApprovalDocument | undefined;
}

/** Returns the approvals that records name. */
export const approvalsIn = (records: readonly LedgerRecord[]): readonly RecordedApproval[] =>
  records.flatMap(({ seq, documents, brought: { approval } }) =>
    documents.approval === undefined ? [] : [{ seq, approval }],
  );

interface Fault {
  readonly fault: Pick<Finding, 'code' | 'message'>;
}

const invalid = (why: string): Fault => ({
  fault: { code: 'approval_invalid', message: `the token of its approval ${why}` },
});

/** Returns what a given key signed for its approver, or why a token does not count. */
const claimsOf = async (
  token: unknown,
  keys: ReadonlyMap<string | undefined, ApprovalKey>,
  readClaims: ReturnType<typeof createClaimsReader>,
): Promise<{ readonly claims: ApprovalToken } | Fault> => {
  const header = headerOf(token);
  if (header === null || typeof token !== 'string') return invalid('is no compact JWS');
  if (header.typ !== approvalType) return invalid(`is not of type ${approvalType}`);
  const { kid, alg } = header;
  const key = keys.get(kid);
  if (key === undefined) {
    const name = kid === undefined ? 'no key' : `key ${JSON.stringify(kid)}, which was not given`;
    return { fault: { code: 'approval_key_unknown', message: `the token of its approval names ${name}` } };
  }
  if (!key.algorithms.includes(alg)) return invalid('is of another algorithm than the key that it names');
  const claims = await readClaims(token, key);
  if (claims === 'unsigned') return invalid('is not signed by the key that it names');
  if (claims === 'malformed') return invalid('is signed, and is no approval');
  const { subjects } = key;
  if (subjects === 'any' || subjects.includes(claims.sub)) return { claims };
  return invalid(`is of ${JSON.stringify(claims.sub)}, for whom its key may not sign`);
};

const claimNames = [
  'request_id',
  'tool',
  'tool_version',
  'action_digest',
  'tier',
  'policy_version',
  'summary_digest',
] as const satisfies readonly (keyof ApprovalClaims)[];

/** Compares an approval with what its token says; a host may let it end earlier than the token, never later. */
const compareToken = (approval: ApprovalDocument, claims: ApprovalToken, compare: Compare): void => {
  const place = 'its token';
  compare('approval', '/approver', memberOf(approval, 'approver'), claims.sub, place);
  compare('approval', '/jti', memberOf(approval, 'jti'), claims.jti, place);
  for (const name of claimNames)
    compare('approval', `/claims/${name}`, memberOf(memberOf(approval, 'claims'), name), claims[name], place);
  compare('approval', '/token', claims.decision, 'approve', 'its fact');
  const end = claims.exp * 1_000;
  const expiresAt = memberOf(approval, 'expiresAt');
  if (typeof expiresAt !== 'string' || !(Date.parse(expiresAt) <= end))
    compare('approval', '/expiresAt', expiresAt, new Date(end).toISOString(), place);
};

/** What checking signatures found: the problems, and how many approvals have none and were not erased. */
export interface Signatures {
  readonly findings: readonly Finding[];
  readonly signed: number;
}

/** Checks that given keys signed approvals, and that each approval says what its token says. */
export const checkSignatures = async (
  approvals: readonly RecordedApproval[],
  given: readonly ApprovalKey[],
): Promise<Signatures> => {
  const keys = new Map<string | undefined, ApprovalKey>(given.map((key) => [key.kid, key]));
  const readClaims = createClaimsReader();
  const findings: Finding[] = [];
  let signed = 0;
  for (const { seq, approval } of approvals) {
    if (approval === undefined) continue;
    const read = await claimsOf(memberOf(approval, 'token'), keys, readClaims);
    const before = findings.length;
    if ('fault' in read) findings.push({ seq, ...read.fault });
    else compareToken(approval, read.claims, comparisonOf(seq, findings));
    if (findings.length === before) signed += 1;
  }
  return { findings, signed };
};
