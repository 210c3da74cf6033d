import { describe, expect, it } from 'vitest';
import {
  asked,
  by,
  claims,
  codeOf,
  compact,
  edKey,
  elsewhere,
  granted,
  header,
  now,
  start,
  token,
  verdictOn,
} from './desk.ts';

const day = 86_400;
const written = JSON.stringify(claims);
const signed = (payload: unknown): string => compact(header, payload, by(edKey));

it.each<[string, object, string]>([
  ...Object.keys(claims).map((name): [string, object, string] => [
    `without ${name}`,
    { [name]: undefined },
    'APPROVAL_MALFORMED',
  ]),
  ['whose exp is a text', { exp: String(claims.exp) }, 'APPROVAL_MALFORMED'],
  ['whose exp is a fraction', { exp: claims.exp + 0.5 }, 'APPROVAL_MALFORMED'],
  ['whose exp is huge', { exp: 1e300 }, 'APPROVAL_MALFORMED'],
  ['whose exp is in milliseconds', { exp: claims.exp * 1_000 }, 'APPROVAL_MALFORMED'],
  ['whose exp is negative', { nbf: -2, exp: -1 }, 'APPROVAL_MALFORMED'],
  ['whose exp is its nbf', { exp: claims.nbf }, 'APPROVAL_MALFORMED'],
  ['whose exp is before its nbf', { exp: claims.nbf - 1 }, 'APPROVAL_MALFORMED'],
  ['that lives 30 days and a second', { exp: claims.nbf + 30 * day + 1 }, 'APPROVAL_MALFORMED'],
  ['whose nbf is null', { nbf: null }, 'APPROVAL_MALFORMED'],
  ['whose iat is a text', { iat: 'now' }, 'APPROVAL_MALFORMED'],
  ['whose jti is empty', { jti: '' }, 'APPROVAL_MALFORMED'],
  ['whose jti is too long', { jti: 'x'.repeat(129) }, 'APPROVAL_MALFORMED'],
  ['whose approver holds a line end', { sub: 'kim\nadmin: yes' }, 'APPROVAL_MALFORMED'],
  ['whose approver is a list', { sub: ['kim'] }, 'APPROVAL_MALFORMED'],
  ['whose decision is unknown', { decision: 'approved' }, 'APPROVAL_MALFORMED'],
  ['whose decision is true', { decision: true }, 'APPROVAL_MALFORMED'],
  [
    'whose action digest is in capitals',
    { action_digest: asked.action_digest.toUpperCase() },
    'APPROVAL_MALFORMED',
  ],
  ['whose action digest is a list', { action_digest: [asked.action_digest] }, 'APPROVAL_MALFORMED'],
  ['whose tier is unknown', { tier: 'write' }, 'APPROVAL_MALFORMED'],
  ['of another issuer', { iss: 'https://desk.example/' }, 'APPROVAL_ISSUER_WRONG'],
  ['for another audience', { aud: 'payments-test' }, 'APPROVAL_AUDIENCE_WRONG'],
  ['for several others', { aud: ['mail', 'payment', 'paymentss'] }, 'APPROVAL_AUDIENCE_WRONG'],
  ['for no audience', { aud: [] }, 'APPROVAL_AUDIENCE_WRONG'],
  ['that rejects', { decision: 'reject' }, 'APPROVAL_REJECTED'],
  ['of another request', { request_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }, 'APPROVAL_REQUEST_MISMATCH'],
  ['of a call of another tool', { tool: 'wire-transfer-test' }, 'APPROVAL_CALL_MISMATCH'],
  ['of another version of the tool', { tool_version: '1' }, 'APPROVAL_CALL_MISMATCH'],
  ['of edited arguments', { action_digest: elsewhere }, 'APPROVAL_ARGUMENTS_MISMATCH'],
  ['of another tier', { tier: 'write_low_risk' }, 'APPROVAL_TIER_MISMATCH'],
  ['under another policy', { policy_version: 'rules-6' }, 'APPROVAL_POLICY_MISMATCH'],
  ['under no policy', { policy_version: null }, 'APPROVAL_POLICY_MISMATCH'],
  ['for another summary', { summary_digest: elsewhere }, 'APPROVAL_SUMMARY_MISMATCH'],
])('verification rejects a token %s', async (_, changed, code) => {
  expect(await codeOf(token(changed))).toBe(code);
});

it.each<[string, unknown]>([
  ['that is no JSON', 'approve'],
  ['that is empty', ''],
  ['that is null', 'null'],
  ['that is a list', `[${written}]`],
  ['with a claim twice', `${written.slice(0, -1)},"decision":"approve"}`],
  ['with a claim twice, once in escapes', `{"d\\u0065cision":"reject",${written.slice(1)}`],
  ['with a key __proto__', `{"__proto__":{"admin":true},${written.slice(1)}`],
  ['that is nested too deeply', `{"note":${'['.repeat(65)}${']'.repeat(65)},${written.slice(1)}`],
  ['after a byte order mark', `\ufeff${written}`],
])('verification rejects a signed payload %s', async (_, payload) => {
  expect(await codeOf(signed(payload))).toBe('APPROVAL_MALFORMED');
});

describe('verification accepts a token', () => {
  it.each<[string, object]>([
    ['for several audiences, this one included', { aud: ['mail', 'payments'] }],
    ['with claims of other names', { amr: ['hwk'], note: { seen: 3 } }],
    ['issued before it begins to hold', { iat: start - day }],
  ])('%s', async (_, changed) => {
    expect(await verdictOn(token(changed))).toEqual(granted);
  });

  it('with a lifetime of 30 days', async () => {
    const exp = start + 30 * day;
    expect(await verdictOn(token({ exp }))).toEqual({ ...granted, expiresAt: exp * 1_000 });
  });

  it('without a policy version when the policy has none', async () => {
    const expected = { ...asked, policy_version: null };
    expect(await verdictOn(token({ policy_version: null }), { expected })).toEqual(granted);
    expect(await codeOf(token(), { expected })).toBe('APPROVAL_POLICY_MISMATCH');
  });
});

describe('the validity period', () => {
  const begins = now;
  const ends = claims.exp * 1_000;

  it.each([
    ['30 s before nbf, by the leeway', begins - 30_000, {}, null],
    ['a millisecond earlier', begins - 30_001, {}, 'APPROVAL_NOT_YET_VALID'],
    ['at nbf, without leeway', begins, { leeway: 0 }, null],
    ['a millisecond before nbf, without leeway', begins - 1, { leeway: 0 }, 'APPROVAL_NOT_YET_VALID'],
    ['a millisecond before the end of the leeway after exp', ends + 29_999, {}, null],
    ['at the end of the leeway after exp', ends + 30_000, {}, 'APPROVAL_EXPIRED'],
    ['a millisecond later', ends + 30_001, {}, 'APPROVAL_EXPIRED'],
    ['a millisecond before exp, without leeway', ends - 1, { leeway: 0 }, null],
    ['at exp, without leeway', ends, { leeway: 0 }, 'APPROVAL_EXPIRED'],
    ['a millisecond before the longest leeway ends', ends + 59_999, { leeway: 60_000 }, null],
    ['at the end of the longest leeway', ends + 60_000, { leeway: 60_000 }, 'APPROVAL_EXPIRED'],
    ['that is no number', Number.NaN, {}, 'APPROVAL_NOT_YET_VALID'],
    ['without end', Infinity, {}, 'APPROVAL_EXPIRED'],
  ])('is checked against the current time: %s', async (_, at, changed, code) => {
    expect(await codeOf(token(), { at, ...changed })).toBe(code);
  });
});

it('verification reports faults in the documented order, and only the first', async () => {
  const faults: readonly (readonly [object, string])[] = [
    [{ exp: 1, nbf: 2 }, 'APPROVAL_MALFORMED'],
    [{ iss: 'x' }, 'APPROVAL_ISSUER_WRONG'],
    [{ aud: 'x' }, 'APPROVAL_AUDIENCE_WRONG'],
    [{ nbf: start + 60, exp: start + 90 }, 'APPROVAL_NOT_YET_VALID'],
    [{ nbf: start - 90, exp: start - 60 }, 'APPROVAL_EXPIRED'],
    [{ decision: 'reject' }, 'APPROVAL_REJECTED'],
    [{ request_id: 'x' }, 'APPROVAL_REQUEST_MISMATCH'],
    [{ tool: 'x' }, 'APPROVAL_CALL_MISMATCH'],
    [{ action_digest: elsewhere }, 'APPROVAL_ARGUMENTS_MISMATCH'],
    [{ tier: 'read_only' }, 'APPROVAL_TIER_MISMATCH'],
    [{ policy_version: 'x' }, 'APPROVAL_POLICY_MISMATCH'],
    [{ summary_digest: elsewhere }, 'APPROVAL_SUMMARY_MISMATCH'],
  ];
  const together = faults.map(
    (_, index) =>
      Object.assign(
        {},
        ...faults
          .slice(index)
          .map(([fault]) => fault)
          .toReversed(),
      ) as object,
  );
  expect(await Promise.all(together.map((changed) => codeOf(token(changed))))).toEqual(
    faults.map(([, code]) => code),
  );
});

it('an explanation is one sentence and quotes nothing of the token', async () => {
  const secret = 'hunter2';
  const sent = [
    token({ iss: secret }),
    token({ exp: secret }),
    token({}, { typ: secret }),
    token({}, { kid: secret }),
    token({}, { alg: secret }),
    secret,
  ];
  const verdicts = await Promise.all(sent.map((one) => verdictOn(one)));
  for (const verdict of verdicts) {
    expect(verdict).toMatchObject({ explanation: expect.stringMatching(/^[A-Z][^.]{20,90}\.$/) });
    expect(JSON.stringify(verdict)).not.toContain(secret);
  }
});
