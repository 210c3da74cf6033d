import { createClaimsReader } from '../../approvals/claims.ts';
import { headerOf } from '../../approvals/compact.ts';
import type { ApprovalKey } from '../../approvals/keys.ts';
import { approvalType } from '../../approvals/token.ts';
import type { LedgerRecord } from '../../ports/ledger.ts';
import type { Finding } from '../findings.ts';
import { memberOf } from './comparison.ts';

/** The token of an approval, and the number of its record. */
export interface RecordedToken {
  readonly seq: number;
  readonly token: unknown;
}

/** Returns the tokens of the approvals that were not erased. */
export const tokensIn = (records: readonly LedgerRecord[]): readonly RecordedToken[] =>
  records.flatMap(({ seq, brought: { approval } }) =>
    approval === undefined ? [] : [{ seq, token: memberOf(approval, 'token') }],
  );

type Fault = Pick<Finding, 'code' | 'message'>;

const invalid = (why: string): Fault => ({
  code: 'approval_invalid',
  message: `the token of its approval ${why}`,
});

/** Returns why a token does not count; `null` if a given key signed it for its approver. */
const faultOf = async (
  token: unknown,
  keys: ReadonlyMap<string | undefined, ApprovalKey>,
  readClaims: ReturnType<typeof createClaimsReader>,
): Promise<Fault | null> => {
  const header = headerOf(token);
  if (header === null || typeof token !== 'string') return invalid('is no compact JWS');
  if (header.typ !== approvalType) return invalid(`is not of type ${approvalType}`);
  const { kid, alg } = header;
  const key = keys.get(kid);
  if (key === undefined) {
    const name = kid === undefined ? 'no key' : `key ${JSON.stringify(kid)}, which was not given`;
    return { code: 'approval_key_unknown', message: `the token of its approval names ${name}` };
  }
  if (!key.algorithms.includes(alg)) return invalid('is of another algorithm than the key that it names');
  const claims = await readClaims(token, key);
  if (claims === 'unsigned') return invalid('is not signed by the key that it names');
  if (claims === 'malformed') return invalid('is signed, and is no approval');
  const { subjects } = key;
  if (subjects === 'any' || subjects.includes(claims.sub)) return null;
  return invalid(`is of ${JSON.stringify(claims.sub)}, for whom its key may not sign`);
};

/** Returns the problems of the signatures of approvals. */
export const signatureFindings = async (
  tokens: readonly RecordedToken[],
  given: readonly ApprovalKey[],
): Promise<readonly Finding[]> => {
  const keys = new Map<string | undefined, ApprovalKey>(given.map((key) => [key.kid, key]));
  const readClaims = createClaimsReader();
  const findings: Finding[] = [];
  for (const { seq, token } of tokens) {
    const fault = await faultOf(token, keys, readClaims);
    if (fault !== null) findings.push({ seq, ...fault });
  }
  return findings;
};
