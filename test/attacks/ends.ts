import { expect } from 'vitest';
import type { Emission } from '../../src/index.ts';
import type { LedgerRecord } from '../../src/base/ports/ledger.ts';
import { replay, signCheckpoint, verifyLedger, type KeySet } from '../../src/core/ledger/index.ts';
import { fixtures, ledgerLines, storeCopy } from '../fixtures/chart-1/fixtures.ts';
import { sqliteStore } from '../../src/stores/sqlite.ts';
import { edKey, openOf, otherKey } from '../src/gates/approvals/desk.ts';
import { exchanged, withoutMessage } from '../src/core/ledger/exchanged.ts';
import { sealedAnew } from '../src/core/ledger/made.ts';
import { scene } from '../src/core/shell/scene.ts';
import type { Attack, Stop } from './attack.ts';

const timestamp = '2026-11-22T00:00:00Z';
const keys: KeySet = { keys: [openOf(edKey)] };

interface Ledger {
  readonly records: readonly LedgerRecord[];
  readonly emissions: readonly Emission[];
}

const delivered = async (): Promise<Ledger> => {
  const one = scene();
  const taskId = await one.submit();
  expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
  return {
    records: await one.orchestrator.ledger(taskId),
    emissions: await one.orchestrator.documents(taskId),
  };
};

/** A ledger whose end is cut off: without a checkpoint it is never more than intact as far as it goes. */
const cut = (attempt: string, expected: Stop, leave: number, resealed = false): Attack => ({
  number: 47,
  attempt,
  expected,
  source: 'RFC 9162',
  run: async () => {
    const { records } = await delivered();
    const checkpoint = await signCheckpoint({ records, key: edKey, timestamp });
    expect(await verifyLedger(records, { checkpoint, keys })).toMatchObject({ verdict: 'anchored' });
    const short = records.slice(0, leave);
    const left = resealed ? sealedAnew(short) : short;
    expect((await verifyLedger(left)).verdict).toBe('unsettled');
    const found = await verifyLedger(left, { checkpoint, keys });
    expect(found).toMatchObject({ intact: false, verdict: 'broken' });
    return found.findings[0]?.code;
  },
});

/** A checkpoint that covers less, or that somebody else signed, anchors nothing. */
const unanchored: readonly Attack[] = [
  {
    number: 47,
    attempt: 'a cut-off end under a checkpoint that the forger signed',
    expected: 'checkpoint_invalid',
    source: 'C2SP tlog-checkpoint',
    run: async () => {
      const records = (await delivered()).records.slice(0, -1);
      const checkpoint = await signCheckpoint({ records, key: otherKey, timestamp });
      const found = await verifyLedger(records, { checkpoint, keys });
      expect(found).toMatchObject({ verdict: 'broken', checkpoint: null });
      return found.findings[0]?.code;
    },
  },
];

type Lines = readonly Readonly<Record<string, unknown>>[];
type Change = (lines: Lines) => readonly unknown[];

/** A ledger of another chart cannot be replayed here; what is done to it is found all the same. */
const foreign = (attempt: string, expected: Stop, change: Change): Attack => ({
  number: 47,
  attempt,
  expected,
  run: async () => {
    const lines = ledgerLines('written') as Lines;
    expect(await verifyLedger(lines)).toMatchObject({ intact: true, chart: '1' });
    const changed = change(lines);
    expect(replay(changed)).toMatchObject({ verdict: 'different', findings: [expect.anything()] });
    const { verdict, findings } = await verifyLedger(changed);
    expect(verdict).toBe('broken');
    return findings[0]?.code;
  },
});

const edit = (lines: Lines, at: number, changes: object): Lines =>
  lines.with(at, { ...lines[at], ...changes });

/** A ledger that delivers something else than its verifiers saw, every hash right. */
const another = (attempt: string, forge: (ledger: Ledger) => Ledger): Attack => ({
  number: 47,
  attempt,
  expected: 'delivered_other',
  source: 'UAICP 5.2',
  run: async () => {
    const ledger = await delivered();
    const { records, emissions } = forge(ledger);
    expect(replay(ledger.records, ledger)).toMatchObject({ verdict: 'same' });
    expect(replay(records, { emissions })).toMatchObject({ verdict: 'different' });
    const { verdict, findings } = await verifyLedger(records, { emissions });
    expect(verdict).toBe('broken');
    return findings.at(-1)?.code;
  },
});

/** Ledgers that end too early, that another chart wrote, or that deliver something else. */
export const ends: readonly Attack[] = [
  cut('the record that delivers is cut off', 'truncated', -1),
  cut('all but the opening is cut off', 'truncated', 1),
  cut('the end is cut off, and what is left is sealed anew', 'truncated', -1, true),
  ...unanchored,
  foreign('an approver is exchanged in a ledger of another chart', 'edited', (lines) =>
    edit(
      lines,
      lines.findIndex(({ actor }) => (actor as { id: string }).id === 'dana'),
      {
        actor: { kind: 'human', id: 'kim' },
      },
    ),
  ),
  foreign('a contract is loosened in a ledger of another chart', 'document_edited', (lines) => {
    const payload = lines[0]?.['brought'] as object;
    return edit(lines, 0, { brought: { ...payload, contract: {} } });
  }),
  foreign('an approval is taken out of a ledger of another chart', 'dropped', (lines) =>
    lines.filter(({ actor }) => (actor as { id: string }).id !== 'dana'),
  ),
  foreign('a ledger of this chart is forged as another chart’s', 'document_edited', (lines) => {
    const payload = lines[0]?.['brought'] as object;
    return edit(lines, 0, { brought: { ...payload, chart: '0' } });
  }),
  {
    number: 47,
    attempt: 'an emitted document is exchanged in a ledger of another chart',
    expected: 'emission_edited',
    run: async () => {
      const store = sqliteStore(storeCopy());
      const stored = await store.load(fixtures.written.taskId);
      await store.close();
      const { records = [], emissions = [] } = stored ?? {};
      const last = emissions.at(-1)!;
      const other = { ...last, document: { ...last.document, payload: { paid: 'twice' } } } as Emission;
      const { verdict, findings } = await verifyLedger(records, {
        emissions: emissions.with(emissions.length - 1, other),
      });
      expect(verdict).toBe('broken');
      return findings[0]?.code;
    },
  },
  {
    number: 47,
    attempt:
      'a forged ledger is sealed anew under the name of another chart, so that its states are not derived',
    expected: 'truncated',
    run: async () => {
      const { records } = await delivered();
      const checkpoint = await signCheckpoint({ records, key: edKey, timestamp });
      const [opening, ...rest] = records;
      const renamed = { ...opening!, brought: { ...opening!.brought, chart: '99' } };
      const forged = sealedAnew([renamed, ...rest.slice(0, -1)]);
      expect(replay(forged)).toMatchObject({ verdict: 'not_derived', same: false });
      expect(await verifyLedger(forged)).toMatchObject({
        verdict: 'unsettled',
        chart: '99',
        canReplay: false,
      });
      return (await verifyLedger(forged, { checkpoint, keys })).findings[0]?.code;
    },
  },
  another('the delivered payload is exchanged, and every hash made to fit', (ledger) =>
    exchanged(ledger, 'message'),
  ),
  another('the draft and the delivered payload are exchanged, and every hash made to fit', (ledger) =>
    exchanged(ledger, 'message and draft'),
  ),
  another('the message that delivers is taken out, and every hash made to fit', withoutMessage),
];
