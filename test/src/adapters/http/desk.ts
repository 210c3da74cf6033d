import { randomUUID } from 'node:crypto';
import type { InboxEntry } from 'agentcharter';
import { approvalSubject, signApproval } from 'agentcharter/approvals';
import { generateKeys } from '../../../key-pair.ts';

const parties = { issuer: 'https://desk.example', audience: 'bank' };
const pair = () => generateKeys();
const [desk, forger] = [pair(), pair()];
const kid = 'desk';

/** Whose approvals count. */
export const trusted = {
  ...parties,
  keys: { keys: [{ ...desk.publicKey.export({ format: 'jwk' }), kid, subjects: ['kim'] }] },
};

const sign = (entry: InboxEntry, { privateKey }: typeof desk): Promise<string> =>
  signApproval({
    ...parties,
    approver: 'kim',
    claims: approvalSubject(entry).claims,
    jti: randomUUID(),
    issuedAt: Date.now(),
    expiresAt: Date.now() + 600_000,
    key: { ...privateKey.export({ format: 'jwk' }), kid },
  });

export const signedBy = (entry: InboxEntry): Promise<string> => sign(entry, desk);

/** Signed with a key that nobody trusts. */
export const forged = (entry: InboxEntry): Promise<string> => sign(entry, forger);
