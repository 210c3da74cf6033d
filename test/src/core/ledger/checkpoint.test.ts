import { CompactSign, type JWK } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { isCharterError } from '../../../../src/base/errors.ts';
import { signCheckpoint, verifyLedger, type VerifyOptions } from '../../../../src/core/ledger/index.ts';
import { generateJwks } from '../../../key-pair.ts';
import { madeLedger, sealedAnew } from './made.ts';

const timestamp = '2026-11-22T00:00:00Z';
const made = madeLedger(26);
const records = made.records();
const last = records.at(-1)!;
const names: readonly string[] = ['EdDSA', 'ES256'];
const keyOf = (alg: string, kid: string): { secret: JWK; open: JWK } => {
  const { secret, open } = generateJwks(alg === 'ES256' ? 'p256' : 'ed25519');
  return { secret: { ...secret, kid }, open: { ...open, kid } };
};

let [edwards, nist, other]: { secret: JWK; open: JWK }[] = [];
let keys: { keys: JWK[] };
let checkpoint: string;
beforeAll(async () => {
  [edwards, nist, other] = ['EdDSA', 'ES256', 'EdDSA'].map((alg, at) => keyOf(alg, `key-${at}`));
  keys = { keys: [edwards!.open, nist!.open] };
  checkpoint = await signCheckpoint({ records, key: edwards!.secret, timestamp });
});

const claims = { taskId: 'task', size: records.length, hash: last.hash, timestamp };
const signed = async (
  payload: unknown,
  {
    alg = 'EdDSA',
    typ = 'checkpoint+jwt',
    kid = 'key-0',
    key = edwards!.secret,
    ...header
  }: Record<string, unknown> & { key?: JWK } = {},
): Promise<string> =>
  new CompactSign(Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)))
    .setProtectedHeader({ alg: String(alg), typ: String(typ), kid: String(kid), ...header })
    .sign(key);

const found = async (given: readonly unknown[], token: string, trusted = keys) =>
  (await verifyLedger(given, { checkpoint: token, keys: trusted })).findings.map(({ seq, code }) => [
    seq,
    code,
  ]);

const refusal = async (given: Parameters<typeof signCheckpoint>[0]): Promise<unknown> =>
  signCheckpoint(given).then(
    () => null,
    (error: unknown) => (isCharterError(error) ? error.code : error),
  );

describe('A checkpoint', () => {
  it.each(names)('verifies the ledger that it signed, and one that continued: %s', async (alg) => {
    const key = alg === 'EdDSA' ? edwards!.secret : nist!.secret;
    for (const at of [0, 7, records.length - 1]) {
      const { taskId, seq, hash } = records[at]!;
      const token = await signCheckpoint({ head: { taskId, seq, hash }, key, timestamp });
      expect(await found(records, token)).toEqual([]);
      expect(await verifyLedger(records, { checkpoint: token, keys })).toMatchObject({ intact: true });
    }
  });

  /** Every record in CI, a sample otherwise: each takes the verification of a whole ledger. */
  const step = process.env['ALL'] === undefined ? 5 : 1;

  it('detects a truncated ledger and names the first missing record', async () => {
    for (let length = 0; length < records.length; length += step) {
      expect(await found(records.slice(0, length), checkpoint)).toEqual([[length, 'truncated']]);
    }
  });

  it('detects a ledger whose hashes were recomputed after an edit of any record', async () => {
    for (const [at, record] of records.entries()) {
      if (at % step > 0) continue;
      const anew = sealedAnew(records.with(at, { ...record, omitted: 1 }), at);
      expect(await found(anew, checkpoint)).toEqual([[records.length - 1, 'edited']]);
    }
  });

  it('detects a ledger that lost a record and was renumbered', async () => {
    const fewer = records.toSpliced(9, 1).map((record, seq) => ({ ...record, seq }));
    expect(await found(sealedAnew(fewer), checkpoint)).toEqual([[records.length - 1, 'truncated']]);
  });

  it('adds no finding when the record that it names already has one', async () => {
    expect(await found(records.with(last.seq, { ...last, outcome: 'uncertain' }), checkpoint)).toEqual([
      [last.seq, 'edited'],
    ]);
    expect(await found(records.toSpliced(4, 1), checkpoint)).toEqual([[4, 'dropped']]);
  });

  it('counts only when a given key signed it', async () => {
    const invalid = [[0, 'checkpoint_invalid']];
    const [header = '', payload = '', signature = ''] = checkpoint.split('.');
    const forged = Buffer.from(JSON.stringify({ ...claims, size: 1 })).toString('base64url');
    const none = Buffer.from('{"alg":"none","typ":"checkpoint+jwt","kid":"key-0"}').toString('base64url');
    const tokens: Record<string, string> = {
      'its payload forged': [header, forged, signature].join('.'),
      'its signature cut': [header, payload, signature.slice(0, -4)].join('.'),
      'no signature': [header, payload, ''].join('.'),
      'alg none': [none, payload, ''].join('.'),
      'alg none, signed': [none, payload, signature].join('.'),
      'another key under its name': await signed(claims, { key: other!.secret }),
      'a key that was not given': await signed(claims, { key: other!.secret, kid: 'key-2' }),
      'another algorithm than its key': await signed(claims, { key: nist!.secret, alg: 'ES256' }),
      'another type': await signed(claims, { typ: 'approval+jwt' }),
      'an unknown type': await signed(claims, { typ: 'JWT' }),
      'no record': await signed({ ...claims, size: 0 }),
      'a claim too many': await signed({ ...claims, more: 1 }),
      'a claim too few': await signed({ taskId: 'task', size: 1, hash: last.hash }),
      'no hash': await signed({ ...claims, hash: 'sha256:0' }),
      'a key twice': await signed(`{"size":1,${JSON.stringify(claims).slice(1)}`),
      'no JSON': await signed('checkpoint'),
      'no token': 'checkpoint',
      nothing: '',
    };
    for (const [name, token] of Object.entries(tokens)) {
      expect(await found(records, token), name).toEqual(invalid);
    }
    expect(await found(records, checkpoint, { keys: [] })).toEqual(invalid);
  });

  it.each([
    ['without keys', { checkpoint: 'a.b.c' }, 'expected the public keys that may sign the checkpoint'],
    ['with keys that are no JWK set', { checkpoint: 'a.b.c', keys: [] }, 'expected a JWK set'],
    ['under another name', { chekpoint: 'a.b.c' }, 'Did you mean "checkpoint"?'],
  ])('is refused %s', async (_, given, words) => {
    const options = given as VerifyOptions; // as plain JavaScript gives them
    await expect(verifyLedger(records, options)).rejects.toThrow(words);
  });

  it.each([
    ['records that are no array', 'records', {}],
    ['emissions that are no array', 'options.emissions', { emissions: {} }],
    ['records among the options', 'unknown key "records"', { records: [] }],
  ])('verifies no %s', async (_, words, given) => {
    const ledger = words === 'records' ? ('' as never) : [];
    await expect(verifyLedger(ledger, given as VerifyOptions)).rejects.toThrow(words);
  });

  it('of another task does not verify this one', async () => {
    const elsewhere = madeLedger(1, 1, 'another').records();
    const token = await signCheckpoint({ records: elsewhere, key: edwards!.secret, timestamp });
    expect((await found(records, token)).map(([, code]) => code)).toEqual(['checkpoint_invalid']);
    expect((await found([], token)).map(([, code]) => code)).toEqual(['truncated']);
  });

  it('is not signed over an empty ledger, without a time, or with an unsuitable key', async () => {
    const key = edwards!.secret;
    expect(await refusal({ records: [], key, timestamp })).toBe('document_invalid');
    expect(await refusal({ key, timestamp })).toBe('document_invalid');
    expect(await refusal({ records, key, timestamp: 'now' })).toBe('document_invalid');
    const unfit: JWK[] = [
      edwards!.open,
      {},
      { ...key, kty: 'oct' },
      { ...key, d: other!.secret.d! },
      { kty: 'oct', k: 'c2VjcmV0', kid: 'key-0' },
    ];
    for (const one of unfit)
      expect(await refusal({ records, key: one, timestamp })).toBe('definition_invalid');
  });
});
