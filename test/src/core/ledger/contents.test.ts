import { describe, expect, it } from 'vitest';
import type { UpFormatMessage } from '../../../../schema/index.ts';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { findingMeaning, verifyLedger, type FindingCode } from '../../../../src/core/ledger/index.ts';
import { sealRecord } from '../../../../src/core/kernel/seal.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import { entryOf } from './entry.ts';
import { madeLedger, scribe, sealedAnew, thread } from './made.ts';

const elsewhere = digest('elsewhere');
const few = madeLedger(2);

const codes = async (given: readonly unknown[]): Promise<readonly (readonly [number, FindingCode])[]> =>
  (await verifyLedger(given)).findings.map(({ seq, code }) => [seq, code] as const);

const refusalAt = (second: number, behind = 0) => ({
  kind: 'refusal' as const,
  changes: { timestamp: `2026-11-21T05:00:0${second}Z`, behind },
});

const times = (...given: readonly ReturnType<typeof refusalAt>[]) => {
  const { tell, records: made, contract } = scribe();
  tell(null, { brought: { contract }, changes: { timestamp: '2026-11-21T05:00:00Z' } });
  for (const one of given) tell(null, one);
  return codes(made());
};

const recovery = {
  effect: 'call',
  key: 'k',
  tool: 'pay',
  doubt: 'idempotent',
  resolution: 'repeated',
} as const;

describe('Times in a ledger', () => {
  it('may stay the same and go forward', async () => {
    expect(await times(refusalAt(1), refusalAt(1, 500), refusalAt(2))).toEqual([]);
  });

  it('may not go back, whatever clock difference the record states', async () => {
    expect(await times(refusalAt(5), refusalAt(3), refusalAt(6))).toEqual([[2, 'time_backwards']]);
    expect(await times(refusalAt(5), refusalAt(3, 2_000), refusalAt(4), refusalAt(5))).toEqual([
      [2, 'time_backwards'],
      [3, 'time_backwards'],
    ]);
  });
});

/** A record without a fact, after which a document may be brought. */
const after = { seq: 9, code: null } as const;
const bringing = (brought: LedgerRecord['brought']): Partial<LedgerRecord> => ({
  brought,
  documents: Object.fromEntries(Object.entries(brought).map(([name, document]) => [name, digest(document)])),
});

/** A message, as far as verification reads it. */
const message = { messageId: 'm', threadId: thread, agentId: 'agentcharter' } as UpFormatMessage;

/** What a record of each kind brings, and no other kind. */
const special = {
  recovery: { ...bringing({ recovery }), outcome: 'pending' },
  agent: bringing({ agentState: { messages: [] } }),
  message: { ...bringing({ message }), emitted: [digest(message)] },
  end: {
    ...bringing({ end: { chart: '1', state: few.records()[after.seq]!.from, writes: [] } }),
    to: 'cancelled',
  },
} as const;
const kinds = Object.entries(special) as readonly (readonly [keyof typeof special, Partial<LedgerRecord>])[];

const recordWith = async (changes: Partial<LedgerRecord>) => {
  const { seq } = after;
  const ledger = few.records();
  const cut = ledger.slice(0, seq + 1).with(seq, { ...ledger[seq]!, ...after, ...changes });
  return (await verifyLedger(sealedAnew(cut))).findings.map(({ code, message }) => [code, message]);
};

describe.each(kinds)('A record of kind %s', (kind, changes) => {
  const name = kind === 'agent' ? 'agentState' : kind;
  const rule = expect.stringMatching(new RegExp(`^${name}: .*and nothing else does$`)) as string;

  it('has no contradiction', async () => {
    expect(await recordWith({ kind, ...changes })).toEqual([]);
  });

  it('brings its document', async () => {
    expect(await recordWith({ kind, ...changes, ...bringing({}) })).toEqual([['inconsistent', rule]]);
  });

  it('alone brings its document', async () => {
    const { brought, documents } = changes;
    expect(await recordWith({ brought: brought!, documents: documents! })).toEqual([['inconsistent', rule]]);
  });

  it('has no fact', async () => {
    const none = expect.stringMatching(/^fact: an? .*has none$/) as string;
    const found = await recordWith({ kind, ...changes, fact: { type: 'task.cancelled' } });
    expect(found).toEqual([['inconsistent', none]]);
  });
});

it.each<[string, Partial<LedgerRecord>, string]>([
  [
    'a fact that begins a recovery without its data',
    {
      kind: 'fact',
      fact: {
        type: 'recovery.started',
        request: few.records()[0]!.request_id,
        effect: 'call',
        digest: 'one',
      },
    },
    'recovery: a recovery brings one, and nothing else does',
  ],
  [
    'an end that leads elsewhere',
    { kind: 'end', ...special.end, to: 'failed' },
    'to: an end leads to cancelled',
  ],
  [
    'a carry-over beside another kind',
    bringing({
      upgrade: {
        from: { chart: '1', state: 'waiting', snapshot: elsewhere },
        to: { chart: '2', state: 'waiting', snapshot: elsewhere },
      },
    }),
    'upgrade: an upgrade brings one, and nothing else does',
  ],
])('finds %s', async (_, changes, message) => {
  expect(await recordWith(changes)).toEqual([['inconsistent', message]]);
});

describe('A correctly sealed record with a contradiction', () => {
  const opening = { seq: 0 };
  const agentState = { messages: [] };
  it.each<[string, Partial<LedgerRecord> & { seq: number }]>([
    ['opens a task as a refusal', { ...opening, kind: 'refusal', snapshot: null }],
    ['opens a task with a fact', { ...opening, fact: { type: 'request.accepted' } }],
    ['opens a task and changes state', { ...opening, to: 'waiting' }],
    ['has kind fact and no fact', { seq: 1, fact: null }],
    ['opens a task without a snapshot', { ...opening, snapshot: null }],
    ['is a fact with a refusal code', { seq: 1, code: 'CANCELLED' }],
    ['is a fact that erases', { seq: 1, erased: elsewhere }],
    ['begins in another state', { seq: 1, from: 'waiting' }],
    ['is an orphan that changes state', { seq: 8, to: 'waiting' }],
    ['is an orphan without a fact', { seq: 8, fact: null }],
    ['is an orphan with a snapshot', { seq: 8, snapshot: elsewhere }],
    ['is an erasure without a digest', { seq: 9, kind: 'erasure', code: null }],
    ['is an erasure with a fact', { seq: 9, kind: 'erasure', code: null, erased: elsewhere, fact: { type: 'task.cancelled' } }], // prettier-ignore
    ['is a recovery without recovery data', { seq: 9, kind: 'recovery', code: null }],
    ['is a recovery with a fact', { seq: 9, kind: 'recovery', code: null, brought: { recovery }, documents: { recovery: digest(recovery) }, fact: { type: 'task.cancelled' } }], // prettier-ignore
    [
      'has recovery data without kind recovery',
      { seq: 9, brought: { recovery }, documents: { recovery: digest(recovery) } },
    ],
    ['is of kind agent without an agent state', { seq: 9, kind: 'agent', code: null }],
    ['has a fact beside an agent state', { seq: 9, kind: 'agent', code: null, brought: { agentState }, documents: { agentState: digest(agentState) }, fact: { type: 'task.cancelled' } }], // prettier-ignore
    [
      'has an agent state without kind agent',
      { seq: 9, brought: { agentState }, documents: { agentState: digest(agentState) } },
    ],
  ])('is reported when it %s', async (_, changes) => {
    const ledger = few.records();
    const { seq } = changes;
    const cut = sealedAnew(ledger.slice(0, seq + 1).with(seq, { ...ledger[seq]!, ...changes }));
    expect(await codes(ledger.slice(0, seq + 1))).toEqual([]);
    expect(await codes(cut)).toEqual([[seq, 'inconsistent']]);
  });
});

it('Every finding has a meaning that ends in a full stop', () => {
  for (const meaning of Object.values(findingMeaning)) expect(meaning).toMatch(/^[A-Z].*\.$/);
});

it('A sealed entry verifies as a record', async () => {
  const record = sealRecord(entryOf(0, { to: 'submitted.intake' }), {
    previous: null,
    snapshot: '{}',
    emissions: [],
  });
  expect(await codes([record])).toEqual([]);
});
