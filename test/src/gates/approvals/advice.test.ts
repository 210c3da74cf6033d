import { expect, it } from 'vitest';
import {
  by,
  claims,
  compact,
  ecKey,
  edKey,
  elsewhere,
  header,
  now,
  otherKey,
  token,
  verdictOn,
} from './desk.ts';

const form = 'Send a compact JWS of at most 8 KiB with alg, typ and kid alone.';
const trusted = 'Sign with a key that is trusted here, and name it by its kid.';
const ecHeader = { ...header, kid: ecKey.kid };

/** Each refusal of UAICP 5.3 as its reader sees it: what to do, without internal names. */
it.each<[string, string, string, number?]>([
  ['approve', 'APPROVAL_MALFORMED', form],
  [token({}, { crit: ['exp'] }), 'APPROVAL_MALFORMED', form],
  [
    token({}, { typ: 'JWT' }),
    'APPROVAL_TYPE_WRONG',
    'Send a token of type approval+jwt: this one is of another.',
  ],
  [token({}, { kid: 'ed-9' }), 'APPROVAL_KEY_UNKNOWN', trusted],
  [token({}, { kid: undefined }), 'APPROVAL_KEY_UNKNOWN', trusted],
  [token({}, { alg: 'none' }), 'APPROVAL_ALGORITHM_WRONG', 'Sign with EdDSA: that is what this key is for.'],
  [
    compact(ecHeader, claims, by(edKey)),
    'APPROVAL_ALGORITHM_WRONG',
    'Sign with ES256: that is what this key is for.',
  ],
  [
    compact(header, claims, by(otherKey)),
    'APPROVAL_SIGNATURE_WRONG',
    'Ask again: the key that the token names has not signed it.',
  ],
  [token({ jti: undefined }), 'APPROVAL_MALFORMED', 'Sign each claim of an approval, for 30 days at most.'],
  [
    token({ iss: 'x' }),
    'APPROVAL_ISSUER_WRONG',
    'Ask the approval desk that is trusted here: another one issued this.',
  ],
  [
    token({ aud: 'x' }),
    'APPROVAL_AUDIENCE_WRONG',
    'Ask for an approval that is issued for this system: this one is for another.',
  ],
  [
    token(),
    'APPROVAL_NOT_YET_VALID',
    'Wait until the approval becomes valid, or compare the clocks of both systems.',
    now - 60_000,
  ],
  [token(), 'APPROVAL_EXPIRED', 'Ask for a new approval: this one has expired.', now + 3_600_000],
  [
    token({ decision: 'reject' }),
    'APPROVAL_REJECTED',
    'The approver decided to reject: answer the question with a rejection.',
  ],
  [
    token({ request_id: 'x' }),
    'APPROVAL_REQUEST_MISMATCH',
    'Ask for an approval of this request: this one is of another.',
  ],
  [
    token({ tool: 'x' }),
    'APPROVAL_CALL_MISMATCH',
    'Ask for an approval of this tool in this version: this one is of another.',
  ],
  [
    token({ action_digest: elsewhere }),
    'APPROVAL_ARGUMENTS_MISMATCH',
    'Ask again: the arguments or the rollback are not those that were approved.',
  ],
  [
    token({ tier: 'read_only' }),
    'APPROVAL_TIER_MISMATCH',
    'Ask again: the approval was given for another risk tier.',
  ],
  [
    token({ policy_version: 'x' }),
    'APPROVAL_POLICY_MISMATCH',
    'Ask again: the approval was given under another version of the policy.',
  ],
  [
    token({ summary_digest: elsewhere }),
    'APPROVAL_SUMMARY_MISMATCH',
    'Ask again: the approver was shown another summary than this one.',
  ],
])('verification rejects %.12s… as %s: %s', async (sent, refused, explanation, at = now) => {
  expect(await verdictOn(sent, { at })).toEqual({ refused, explanation });
});
