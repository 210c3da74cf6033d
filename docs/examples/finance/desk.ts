import { generateKeyPairSync, hash, randomUUID, type KeyObject } from 'node:crypto';
import type { ApprovalClaims, InboxEntry } from 'agentcharter';
import { signApproval, type ApprovalToSign } from 'agentcharter/approvals';
import type { EvidenceObject } from 'agentcharter/schema';
import { z } from 'zod';
import { money, Transfer } from './records.ts';

/** Who issues approvals, and for whom: a token of another desk, or for another room, is none here. */
export const parties = { issuer: 'https://desk.bank.example', audience: 'wire-room' };

/** A fresh pair of Ed25519 keys under a name: the private one, and the set that everybody may see. */
export const createKeys = (kid: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const jwk = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }), kty: 'OKP', kid });
  return { signing: jwk(privateKey), open: { keys: [jwk(publicKey)] }, publicKey };
};

const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** The digest of JSON data (RFC 8785, as far as what is shown here needs it). */
const digestOf = (value: unknown): string => `sha256:${hash('sha256', JSON.stringify(value, inOrder))}`;

const Shown = z.object({
  action: z.object({
    tool: z.string(),
    version: z.string(),
    arguments: z.object({ ticket: z.string(), transfer: Transfer }),
    rollback: z.looseObject({ type: z.string(), target: z.string() }),
  }),
  evidence: z.array(z.object({ evidence_id: z.string(), source: z.string(), hash: z.string() })),
});
type Action = z.infer<typeof Shown>['action'];

/** The action that a question of approval is about. */
export const actionIn = ({ message }: InboxEntry): Action => Shown.parse(message.payload).action;

/** What an approval names an action by. */
export const actionDigest = (request: string, action: Action): string => digestOf({ request, ...action });

/** What the approver sees; throws where it is not what the claims stand for, so that nobody signs blindly. */
const show = ({ question, message }: InboxEntry, known: readonly EvidenceObject[]): readonly string[] => {
  const { approval } = question;
  const { explanation } = message;
  const { question: _, ...payload } = message.payload;
  const { action, evidence } = Shown.parse(payload);
  const isOfThis =
    approval?.summary_digest === digestOf({ explanation, payload }) &&
    approval.action_digest === actionDigest(approval.request_id, action);
  if (!isOfThis) throw new Error('the approval that is asked for is not of what is shown');
  const proofs = evidence.map(({ evidence_id, source, hash }) => {
    const proof = known.find((object) => object.evidence_id === evidence_id)?.payload;
    if (proof === undefined || digestOf(proof) !== hash)
      throw new Error(`the evidence of ${source} is not what was collected`);
    return `${source} ${JSON.stringify(proof)}`;
  });
  const { wire, from, to, cents, currency } = action.arguments.transfer;
  const { type, target } = action.rollback;
  return [
    explanation,
    `${money(cents)} ${currency} of ${wire}: from ${to} back to ${from}`,
    `${approval.tier} under ${approval.policy_version}; undone by ${type} ${target}`,
    ...proofs,
  ];
};

/** Where a person sees what is asked, and signs it for ten minutes. */
export const openDesk = (now: () => number) => {
  const { signing: key, open: keys, publicKey } = createKeys('desk-1');
  const sign = (claims: ApprovalClaims, changed: Partial<ApprovalToSign> = {}): Promise<string> => {
    const times = { issuedAt: now(), expiresAt: now() + 600_000 };
    return signApproval({
      ...parties,
      claims,
      approver: 'kim',
      jti: randomUUID(),
      ...times,
      key,
      ...changed,
    });
  };
  return { kid: key.kid, keys, publicKey, show, sign };
};
export type Desk = ReturnType<typeof openDesk>;
