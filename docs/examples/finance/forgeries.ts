import { createHmac } from 'node:crypto';
import type { InboxEntry } from 'agentcharter';
import { actionDigest, actionIn, createKeys, type Desk } from './desk.ts';

/** A token that does not count, or `undefined` for a plain word without any. */
export interface Forgery {
  readonly what: string;
  readonly token: string | undefined;
  /** The code with which it must be refused. */
  readonly expected: string;
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const hour = 3_600_000;

/** Approvals that are right in all but one thing. */
export const forgeries = async (desk: Desk, entry: InboxEntry, now: number): Promise<readonly Forgery[]> => {
  const claims = entry.question.approval;
  if (claims === undefined) throw new Error('no approval is asked for');
  const { kid, publicKey } = desk;
  const [, payload] = (await desk.sign(claims)).split('.');
  const unsigned = (alg: string) => `${encode({ alg, typ: 'approval+jwt', kid })}.${payload}`;
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  const mac = createHmac('sha256', pem).update(unsigned('HS256')).digest('base64url');
  const action = actionIn(entry);
  const larger = { ...action, arguments: { ...action.arguments, cents: 100_000_000 } };
  const elsewhere = { ...claims, action_digest: actionDigest(claims.request_id, larger) };
  return [
    {
      what: 'unsigned: alg none',
      token: `${unsigned('none')}.`,
      expected: 'APPROVAL_ALGORITHM_WRONG',
    },
    {
      what: 'HS256, the public key as its secret',
      token: `${unsigned('HS256')}.${mac}`,
      expected: 'APPROVAL_ALGORITHM_WRONG',
    },
    {
      what: 'another key under the desk’s kid',
      token: await desk.sign(claims, { key: createKeys(kid).signing }),
      expected: 'APPROVAL_SIGNATURE_WRONG',
    },
    {
      what: 'the desk’s, for 1,000,000.00 USD',
      token: await desk.sign(elsewhere),
      expected: 'APPROVAL_ARGUMENTS_MISMATCH',
    },
    {
      what: 'the desk’s, expired an hour ago',
      token: await desk.sign(claims, { issuedAt: now - 2 * hour, expiresAt: now - hour }),
      expected: 'APPROVAL_EXPIRED',
    },
    { what: 'a plain approve, no token', token: undefined, expected: 'APPROVAL_REQUIRED' },
  ];
};
