import { expect } from 'vitest';
import { digest } from '../../src/base/canonical/digest.ts';
import type { LedgerRecord } from '../../src/base/ports/ledger.ts';
import { replay, signCheckpoint, verifyLedger, type KeySet } from '../../src/core/ledger/index.ts';
import { edKey, openOf, otherKey, token } from '../src/gates/approvals/desk.ts';
import { sealedAnew } from '../src/core/ledger/made.ts';
import { scene } from '../src/core/shell/scene.ts';
import { call, draft, plan, writeTool } from '../src/core/shell/scripted.ts';
import type { Attack, Stop } from './attack.ts';

const timestamp = '2026-11-22T00:00:00Z';
const keys: KeySet = { keys: [openOf(edKey)] };

/** A task that wrote and delivered: its ledger, a signed checkpoint of it, and another task's ledger. */
const written = async () => {
  const one = scene({
    model: ({ asks }: { asks: string }) => (asks === 'plan' ? plan([call('write', { amount: 7 })]) : draft()),
    tools: [writeTool('write')],
  });
  const taskId = await one.submit();
  await one.ended(taskId);
  const records = await one.orchestrator.ledger(taskId);
  const other = await one.orchestrator.ledger(await one.submit({ wish: 'another' }));
  expect(records.length).toBeGreaterThan(6);
  return { records, other, checkpoint: await signCheckpoint({ records, key: edKey, timestamp }) };
};

type Written = Awaited<ReturnType<typeof written>>;
type Change = (
  given: Written,
) =>
  | { readonly records: readonly unknown[]; readonly checkpoint?: string }
  | Promise<{ readonly records: readonly unknown[]; readonly checkpoint?: string }>;

/** A ledger that is changed behind our back; the first finding says how. */
const tampered = (attempt: string, expected: Stop, change: Change, source = 'RFC 9162'): Attack => ({
  number: 32,
  attempt,
  expected,
  source,
  run: async () => {
    const before = await written();
    expect(await verifyLedger(before.records, { checkpoint: before.checkpoint, keys })).toMatchObject({
      intact: true,
    });
    const { records, checkpoint } = await change(before);
    const found = await verifyLedger(records, { keys, ...(checkpoint !== undefined && { checkpoint }) });
    expect(found.intact).toBe(false);
    return found.findings[0]?.code;
  },
});

/** A ledger that was changed and sealed anew, all its hashes right: the chart does not go where it says. */
const rewritten = (
  attempt: string,
  expected: Stop,
  change: (records: readonly LedgerRecord[]) => readonly LedgerRecord[],
): Attack => ({
  number: 32,
  attempt,
  expected,
  source: 'C2SP tlog-checkpoint',
  run: async () => {
    const { records, checkpoint } = await written();
    const anew = sealedAnew(change(records));
    expect(await verifyLedger(anew)).toMatchObject({ intact: true });
    expect(await verifyLedger(anew, { checkpoint, keys })).toMatchObject({ intact: false });
    expect(replay(records).same).toBe(true);
    const { same, findings } = replay(anew);
    expect(same).toBe(false);
    return findings[0]?.code;
  },
});

const at = (records: readonly LedgerRecord[], type: string): number =>
  records.findIndex(({ fact }) => fact?.type === type);

const editedAt = (
  records: readonly LedgerRecord[],
  index: number,
  change: (record: LedgerRecord) => object,
) => records.map((record, seq) => (seq === index ? { ...record, ...change(record) } : record));

const moved = (records: readonly LedgerRecord[]): readonly LedgerRecord[] =>
  records.map((record, seq) => ({ ...record, seq }));

export const ledger: readonly Attack[] = [
  tampered('a record that names another actor', 'edited', ({ records }) => ({
    records: editedAt(records, 3, () => ({ actor: { kind: 'human', id: 'eve' } })),
  })),
  tampered('a record with an additional member', 'unreadable', ({ records }) => ({
    records: editedAt(records, 3, () => ({ note: 'fine' })),
  })),
  tampered('a document that a record brought', 'document_edited', ({ records }) => ({
    records: editedAt(records, at(records, 'call.succeeded'), ({ brought }) => ({
      brought: { ...brought, evidence: { ...brought.evidence, hash: digest('forged') } },
    })),
  })),
  tampered('a document that is gone without an erasure', 'document_missing', ({ records }) => ({
    records: editedAt(records, at(records, 'call.succeeded'), () => ({ brought: {} })),
  })),
  tampered('an omitted record', 'dropped', ({ records }) => ({ records: records.toSpliced(4, 1) })),
  tampered('the opening record omitted', 'dropped', ({ records }) => ({ records: records.slice(1) })),
  tampered('two records in the other order', 'swapped', ({ records }) => ({
    records: records.with(3, records[4]!).with(4, records[3]!),
  })),
  tampered('a record twice', 'duplicated', ({ records }) => ({
    records: records.toSpliced(4, 0, records[3]!),
  })),
  tampered('a record of another task', 'foreign', ({ records, other }) => ({
    records: records.with(3, other[3]!),
  })),
  tampered('a record that was sealed anew alone', 'unchained', ({ records }) => {
    const [anew] = sealedAnew([{ ...records[3]!, outcome: 'failure' }]);
    return { records: records.with(3, anew!) };
  }),
  tampered('a time that goes back', 'time_backwards', ({ records }) => ({
    records: sealedAnew(editedAt(records, 4, () => ({ timestamp: '1970-01-01T00:00:00Z' }))),
  })),
  tampered('an end that is cut off', 'truncated', ({ records, checkpoint }) => ({
    records: records.slice(0, -2),
    checkpoint,
  })),
  tampered('a ledger of nothing', 'truncated', ({ checkpoint }) => ({ records: [], checkpoint })),
  tampered('another ledger from the third record on, sealed anew', 'edited', ({ records, checkpoint }) => ({
    records: sealedAnew(editedAt(records, 3, () => ({ outcome: 'failure' }))),
    checkpoint,
  })),
  tampered('a checkpoint that another key signed', 'checkpoint_invalid', async ({ records }) => ({
    records,
    checkpoint: await signCheckpoint({ records, key: { ...otherKey, kid: edKey.kid }, timestamp }),
  })),
  tampered('a checkpoint of another task', 'checkpoint_invalid', async ({ records, other }) => ({
    records,
    checkpoint: await signCheckpoint({ records: other, key: edKey, timestamp }),
  })),
  tampered(
    'an approval for a checkpoint',
    'checkpoint_invalid',
    ({ records }) => ({ records, checkpoint: token() }),
    'RFC 8725',
  ),
  rewritten('a verdict of the policy that is turned into another', 'state', (records) =>
    editedAt(records, at(records, 'policy.decided'), ({ fact }) => ({ fact: { ...fact, verdict: 'deny' } })),
  ),
  rewritten('a fact that another place would not take', 'refused', (records) => {
    const started = at(records, 'call.started');
    return moved(records.with(started, records[started + 1]!).with(started + 1, records[started]!)).map(
      (record, seq) => ({
        ...record,
        from: records[seq]!.from,
        to: records[seq]!.to,
        timestamp: records[seq]!.timestamp,
      }),
    );
  }),
  rewritten('an opening record without its contract', 'unopened', (records) =>
    editedAt(records, 0, ({ brought: { request } }) => ({ brought: { request }, documents: {} })),
  ),
];
