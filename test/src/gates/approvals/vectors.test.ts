import { describe, expect, it } from 'vitest';
import { signApproval } from '../../../../src/gates/approvals/index.ts';
import { verifySignature } from '../../../../src/gates/approvals/compact.ts';
import { VerificationKey } from '../../../../src/gates/approvals/keys.ts';
import { asked, by, claims, compact, ecKey, edKey, granted, header, now, openOf, verdictOn } from './desk.ts';

const ed = VerificationKey.parse(openOf(edKey));
const ec = VerificationKey.parse(openOf(ecKey));

/** RFC 8037, appendix A.4. */
const ed25519 =
  'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.' +
  'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg';

/** RFC 7515, appendix A.3.1. */
const es256 =
  'eyJhbGciOiJFUzI1NiJ9.' +
  'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.' +
  'DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q';

describe('a published signature', () => {
  it.each([
    ['Ed25519 [RFC 8037 A.4]', ed25519, ed, 'Example of Ed25519 signing'],
    [
      'ES256 [RFC 7515 A.3]',
      es256,
      ec,
      '{"iss":"joe",\r\n "exp":1300819380,\r\n "http://example.com/is_root":true}',
    ],
  ])('of %s verifies and yields its payload', async (_, token, key, payload) => {
    expect(Buffer.from((await verifySignature(token, key)) ?? []).toString()).toBe(payload);
  });

  it.each([
    ['Ed25519', ed25519, ec],
    ['ES256', es256, ed],
    ['Ed25519 with a changed payload', ed25519.replace('.RXh', '.RXg'), ed],
    ['ES256 with a changed payload', es256.replace('.eyJpc3M', '.eyJpc3N'), ec],
  ])('of %s fails for another key or text', async (_, token, key) => {
    expect(await verifySignature(token, key)).toBeNull();
  });

  it('fails under an algorithm that is not pinned to its key [RFC 8725 3.1]', async () => {
    expect(await verifySignature(ed25519, { ...ed, algorithms: ['Ed25519'] })).toBeNull();
    expect(await verifySignature(es256, { ...ec, algorithms: ['ES384'] })).toBeNull();
  });
});

describe('a token signed directly with node:crypto', () => {
  it.each([
    ['EdDSA', edKey],
    ['Ed25519', edKey],
    ['ES256', ecKey],
  ])('with %s is accepted', async (alg, key) => {
    const token = compact({ ...header, alg, kid: key.kid }, claims, by(key));
    expect(await verdictOn(token)).toEqual(granted);
  });

  it('with EdDSA has the same signature as signApproval for the same bytes', async () => {
    const { iss: issuer, sub: approver, aud: audience, jti } = claims;
    const times = { issuedAt: now, expiresAt: now + 600_000 };
    const token = await signApproval({
      claims: asked,
      approver,
      issuer,
      audience,
      jti,
      ...times,
      key: edKey,
    });
    const [head, payload] = token.split('.', 2).map((part) => Buffer.from(part, 'base64url').toString());
    expect(token).toBe(compact(head, payload, by(edKey)));
    expect([head, payload].map((part) => JSON.parse(part ?? '') as unknown)).toEqual([header, claims]);
  });
});
