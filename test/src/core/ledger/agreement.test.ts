import { describe, expect, it } from 'vitest';
import { verifyLedger, type Contradiction, type VerifyOptions } from '../../../../src/core/ledger/index.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import { edKey, otherKey, trustedKey } from '../../gates/approvals/desk.ts';
import { sealedAnew } from './made.ts';
import { approvalKeys as keys, signedWrite } from './signed-write.ts';

type Ledger = readonly LedgerRecord[];

let made: ReturnType<typeof signedWrite> | undefined;

/** The ledger of one run for every test; the first one makes it. */
const ledger = () => (made ??= signedWrite());

const seqOf = (records: Ledger, type: string): number => records.findIndex(({ fact }) => fact?.type === type);

const set = (value: unknown, [key = '', ...rest]: readonly string[], to: unknown): unknown => {
  const copy = structuredClone(value) as Record<string, unknown>;
  if (to === undefined && rest.length === 0) delete copy[key];
  else copy[key] = rest.length === 0 ? to : set(copy[key], rest, to);
  return copy;
};

/** The ledger with one member changed, sealed anew as one does who can write the store. */
const forged = (records: Ledger, seq: number, path: string, to: unknown): Ledger =>
  sealedAnew(records.with(seq, set(records[seq], path.split('/'), to) as LedgerRecord));

const findingsOf = async (ledger: Ledger, options: VerifyOptions = {}) =>
  (await verifyLedger(ledger, options)).findings;

/** The ledger with documents of one of its records erased. */
const withErased = (
  records: Ledger,
  seq: number,
  ...names: readonly (keyof LedgerRecord['documents'])[]
): Ledger => {
  const { brought, documents } = records[seq]!;
  const left = Object.entries(brought).filter(([name]) => !names.some((one) => one === name));
  const last = records.at(-1)!;
  const erasures = names.map((name, at) => ({
    ...last,
    seq: last.seq + 1 + at,
    kind: 'erasure' as const,
    outcome: 'success' as const,
    fact: null,
    erased: documents[name]!,
    from: last.to,
    emitted: [],
    snapshot: null,
    brought: {},
    documents: {},
  }));
  return sealedAnew([
    ...records.with(seq, { ...records[seq]!, brought: Object.fromEntries(left) }),
    ...erasures,
  ]);
};

const contradictions = async (ledger: Ledger): Promise<readonly Contradiction[]> =>
  (await findingsOf(ledger)).flatMap(({ contradiction }) => contradiction ?? []);

it('finds no contradiction in a ledger that was not changed, and counts its signed approval', async () => {
  const { records, emissions } = await ledger();
  expect(await verifyLedger(records, { emissions, approvals: keys })).toMatchObject({
    intact: true,
    approvals: { recorded: 1, signed: 1 },
    findings: [],
  });
});

describe('a ledger that was changed and sealed anew', () => {
  it.each<[string, string, string, unknown, Partial<Contradiction>]>([
    ['who approved, in the fact', 'approval.granted', 'fact/approver', 'mallory', { document: 'record', member: '/actor/id', found: 'kim', expected: 'mallory' }], // prettier-ignore
    ['the arguments of a call', 'plan.proposed', 'brought/calls/1/arguments/amount', 9_000, { document: 'calls', member: '/1/digest' }], // prettier-ignore
    ['an answer', 'human.responded', 'brought/feedback/type', 'reject', { document: 'feedback', member: '/type', found: 'reject', expected: 'approve' }], // prettier-ignore
    ['an answer, in the fact', 'human.responded', 'fact/feedback', 'reject', { document: 'feedback', found: 'approve', expected: 'reject' }], // prettier-ignore
    ['the payload of evidence', 'call.succeeded', 'brought/evidence/payload', { forged: true }, { document: 'evidence', member: '/hash' }], // prettier-ignore
    ['the verdict of a report', 'verifier.reported', 'brought/report/status', 'fail', { document: 'report', member: '/status', found: 'fail', expected: 'pass' }], // prettier-ignore
    ['the outcome', 'call.succeeded', 'outcome', 'failure', { document: 'record', member: '/outcome', found: 'failure', expected: 'success' }], // prettier-ignore
  ])('contradicts itself in %s', async (_, type, path, to, contradiction) => {
    const { records } = await ledger();
    const seq = seqOf(records, type);
    const findings = await findingsOf(forged(records, seq, path, to));
    expect(findings).toContainEqual(
      expect.objectContaining({
        seq,
        code: 'contradictory',
        contradiction: expect.objectContaining(contradiction) as unknown,
      }),
    );
  });

  it('quotes no payload', async () => {
    const { records } = await ledger();
    const at = seqOf(records, 'plan.proposed');
    const found = await contradictions(forged(records, at, 'brought/calls/0/arguments/of', 'secret'));
    expect(JSON.stringify(found)).not.toContain('secret');
  });

  it('does not contradict itself where documents were erased', async () => {
    const { records } = await ledger();
    const erased = withErased(records, seqOf(records, 'plan.proposed'), 'calls', 'output');
    expect(await findingsOf(erased)).toEqual([]);
  });
});

describe('the signature of an approval', () => {
  it.each<[string, string, unknown, Partial<Contradiction>]>([
    ['approver', '/approver', 'mallory', { found: 'mallory', expected: 'kim' }],
    ['name', '/jti', 'approval-2', { expected: 'approval-1' }],
    ['end, which is no later', '/expiresAt', '2099-01-01T00:00:00.000Z', {}],
    ['policy', '/claims/policy_version', 'p-9', { found: 'p-9' }],
  ])('is over its %s', async (_, member, to, contradiction) => {
    const { records } = await ledger();
    const seq = seqOf(records, 'approval.granted');
    const changed = forged(records, seq, `brought/approval${member}`, to);
    expect(await findingsOf(changed, { approvals: keys })).toContainEqual(
      expect.objectContaining({
        seq,
        code: 'contradictory',
        contradiction: expect.objectContaining({ document: 'approval', member, ...contradiction }) as unknown,
      }),
    );
  });

  it('says nothing of a host that lets an approval end earlier, or gives it a name of its own', async () => {
    const { records } = await ledger();
    const seq = seqOf(records, 'approval.granted');
    const earlier = forged(records, seq, 'brought/approval/expiresAt', '2020-01-01T00:00:00.000Z');
    expect(await findingsOf(earlier, { approvals: keys })).toEqual([]);
    expect(await findingsOf(forged(records, seq, 'brought/approval/jti', 'of-the-host'))).toEqual([]);
  });

  it('is not counted once the approval was erased', async () => {
    const { records } = await ledger();
    const erased = withErased(records, seqOf(records, 'approval.granted'), 'approval');
    expect(await verifyLedger(erased, { approvals: keys })).toMatchObject({
      intact: true,
      approvals: { recorded: 1, signed: 0 },
    });
  });

  it('of a key that was not given is not called forged', async () => {
    const { records } = await ledger();
    const findings = await findingsOf(records, { approvals: { keys: [trustedKey(otherKey)] } });
    expect(findings).toMatchObject([
      { seq: seqOf(records, 'approval.granted'), code: 'approval_key_unknown' },
    ]);
  });

  it('is invalid of another key under the same kid', async () => {
    const { records } = await ledger();
    const approvals = { keys: [{ ...trustedKey(otherKey), kid: edKey.kid }] };
    expect(await findingsOf(records, { approvals })).toMatchObject([
      { seq: seqOf(records, 'approval.granted'), code: 'approval_invalid' },
    ]);
    expect(await verifyLedger(records, { approvals })).toMatchObject({
      intact: false,
      approvals: { recorded: 1, signed: 0 },
    });
  });

  it('is invalid of a key that may not sign for the approver', async () => {
    const { records } = await ledger();
    const approvals = { keys: [trustedKey(edKey, ['lee'])] };
    expect(await findingsOf(records, { approvals })).toMatchObject([
      { seq: seqOf(records, 'approval.granted'), code: 'approval_invalid' },
    ]);
  });

  it('needs keys that may sign approvals', async () => {
    const { records } = await ledger();
    const { subjects: _subjects, ...key } = trustedKey(edKey);
    await expect(verifyLedger(records, { approvals: { keys: [key as never] } })).rejects.toMatchObject({
      code: 'definition_invalid',
    });
  });
});

/** The members of documents that nothing else in the ledger says. */
const saidOnce: readonly RegExp[] = [
  /^(?:contract|chart|request|reasons|explanation|payload|shown|stream|rejected|met|person)\b/,
  /^calls\/\d\/(?:doubt|summary|labels|origins)/,
  /^evidence\/(?:collected_at|actor|agentcharter:labels)/,
  /^feedback\/(?:content|reason)/,
  /^report\/(?:report_id|generated_at|checks)/,
  /^approval\/expiresAt$/, // a host may let it end earlier
];

const leavesOf = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...path, key]))
    : [path];

const valueIn = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((one, key) => (one as Record<string, unknown>)[key], value);

const another = (value: unknown): unknown => {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  return typeof value === 'string' ? `${value}x` : 'x';
};

it('finds every member of every document that is changed, but those that nothing else says', async () => {
  const { records, emissions } = await ledger();
  const missed: string[] = [];
  for (const record of records)
    for (const path of leavesOf(record.brought)) {
      const name = path.join('/');
      if (saidOnce.some((one) => one.test(name))) continue;
      const changed = set(
        record.brought,
        path,
        another(valueIn(record.brought, path)),
      ) as LedgerRecord['brought'];
      const anew = sealedAnew(records.with(record.seq, { ...record, brought: changed }));
      const { intact } = await verifyLedger(anew, { emissions, approvals: keys });
      if (intact) missed.push(`${record.fact?.type}: ${name}`);
    }
  expect(missed).toEqual([]);
});
