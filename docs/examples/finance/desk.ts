import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomUUID,
  type KeyObject,
} from 'node:crypto';
import type { InboxEntry } from 'agentcharter';
import {
  type ApprovalClaims,
  approvalSubject,
  signApproval,
  type ApprovalToSign,
} from 'agentcharter/approvals';
import { z } from 'zod';
import { money, Transfer } from './records.ts';

/** The issuer and the audience of approvals. Other tokens do not count. */
export const parties = { issuer: 'https://desk.bank.example', audience: 'wire-room' };

/** Creates Ed25519 keys under a name: the private key, and the public key set. */
export const createKeys = (kid: string) => {
  // as text first: Node 20 may hang if a key is exported while its job is collected
  const pair = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const publicKey = createPublicKey(pair.publicKey);
  const jwk = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }), kid });
  return { signing: jwk(createPrivateKey(pair.privateKey)), open: { keys: [jwk(publicKey)] }, publicKey };
};

const Reversal = z.object({ ticket: z.string(), transfer: Transfer });

/** Returns the reversal of a question. Throws if it does not match the claims. */
export const reversalIn = (entry: InboxEntry) => {
  const { subject, claims } = approvalSubject(entry);
  return { subject, claims, reversal: Reversal.parse(subject.action.arguments) };
};

/** What the approver sees before signing. */
const show = (entry: InboxEntry): readonly string[] => {
  const { subject, claims, reversal } = reversalIn(entry);
  const { wire, from, to, cents, currency } = reversal.transfer;
  const { rollback } = subject.action;
  return [
    entry.message.explanation,
    `${money(cents)} ${currency} of ${wire}: from ${to} back to ${from}`,
    `${subject.tier} under ${claims.policy_version}; undone by ${rollback?.type} ${rollback?.target}`,
    `policy: ${subject.policy?.verdict}, ${subject.policy?.reasons.join(', ')}`,
    ...subject.evidence.map(({ source, payload }) => `${source} ${JSON.stringify(payload)}`),
  ];
};

/** The people that the desk's key may sign for. */
const approver = 'kim';

/** Shows a person the request and signs it for ten minutes, with keys that outlive the wire room. */
export const openDesk = (now: () => number, own = createKeys('desk-1')) => {
  const { signing: key, open, publicKey } = own;
  const keys = { keys: open.keys.map((jwk) => ({ ...jwk, subjects: [approver] })) };
  const sign = (claims: ApprovalClaims, changed: Partial<ApprovalToSign> = {}): Promise<string> => {
    const times = { issuedAt: now(), expiresAt: now() + 600_000 };
    return signApproval({
      ...parties,
      claims,
      approver,
      jti: randomUUID(),
      ...times,
      key,
      ...changed,
    });
  };
  return { kid: key.kid, keys, publicKey, show, sign };
};
export type Desk = ReturnType<typeof openDesk>;
