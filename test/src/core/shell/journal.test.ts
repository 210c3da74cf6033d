import { describe, expect, it, vi } from 'vitest';
import type { Store } from '../../../../src/index.ts';
import type { LedgerEntry, LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import { CharterError, type ErrorCode } from '../../../../src/base/errors.ts';
import {
  hashOfProjection,
  noRecords,
  omitRefusal,
  sealedStep,
  type Consequence,
} from '../../../../src/core/kernel/seal.ts';
import { ApprovalSpent, Journal } from '../../../../src/core/shell/journal.ts';
import { noHolds } from '../../../../src/core/shell/holds.ts';
import { createMeter } from '../../../../src/core/shell/meter.ts';
import { memoryStore } from '../../../../src/stores/memory.ts';
import { digest, hashOfText } from '../../../../src/base/canonical/digest.ts';
import { entryOf } from '../ledger/entry.ts';

/** An entry without its sequence number. */
type Draft = Omit<LedgerEntry, 'seq' | 'taskId' | 'omitted' | 'behind'>;

const draftOf = (kind: LedgerEntry['kind'], changes: Partial<Draft> = {}): Draft => {
  const { seq: _seq, taskId: _taskId, omitted: _omitted, behind: _behind, ...draft } = entryOf(1, { kind });
  return { ...draft, ...changes };
};
/** A journal with the head of its ledger, as a task keeps it. */
class Ledger {
  head = noRecords;
  readonly #journal: Journal;

  constructor(...given: ConstructorParameters<typeof Journal>) {
    this.#journal = new Journal(...given);
  }

  async append(entry: LedgerEntry, consequence: Consequence): Promise<LedgerRecord> {
    const { step, head } = sealedStep(this.head, entry, consequence);
    await this.#journal.write(step);
    this.head = head;
    return step.record;
  }

  omitRefusal(): boolean {
    const head = omitRefusal(this.head);
    this.head = head ?? this.head;
    return head !== null;
  }
}

/** Completes an entry as a step of a task does. */
const placed = (
  { head: { size: seq, omitted } }: Ledger,
  draft: Draft,
  behind: number,
  taskId = 'task',
): LedgerEntry => ({
  seq,
  taskId,
  ...draft,
  omitted,
  behind,
});

/** What is stored beside a record; the journal does not read it. */
const beside = {
  indexEntry: {
    taskId: 'task',
    threadId: 'thread',
    parent: null,
    size: 1,
    at: 0,
    isSettled: false,
    isOwed: false,
    asking: 0,
    awaits: 0,
    rank: '',
    chart: '',
    summary: '',
  },
  deadlines: [],
  intents: [],
};
const stored = ({ hash }: LedgerRecord) => ({ ...beside, indexEntry: { ...beside.indexEntry, head: hash } });
const nothing = { snapshot: 's', emissions: [], consumedApprovals: [], key: null, beside, isTurn: false };
const consumedApprovals = [
  { jti: 'token-1', action: 'pay' },
  { jti: 'token-2', action: 'pay' },
];

const recordsIn = async (store: Store) => (await store.load('task'))?.records ?? [];

/** A journal over a store with some replaced methods. */
const begin = (broken: Partial<Store> = {}, fence: number | null = null) => {
  const store = { ...memoryStore(), ...broken };
  const lose = vi.fn();
  const journal = new Ledger('task', null, {
    holds: { fenceOf: () => fence, lose, progressed: () => {} },
    store,
    onStoreLost: () => {},
    meter: createMeter(),
    clock: { monotonic: () => 0 },
  });
  const write = (kind: LedgerEntry['kind'], behind = 0) =>
    journal.append(placed(journal, draftOf(kind), behind), {
      ...nothing,
      beside: { ...beside, indexEntry: { ...beside.indexEntry, size: journal.head.size + 1 } },
      isTurn: false,
    });
  const refuse = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) if (!journal.omitRefusal()) await write('refusal');
  };
  return { store, journal, write, refuse, lose };
};

const errorOf = async (attempt: Promise<unknown>, code: ErrorCode): Promise<CharterError> => {
  const error: unknown = await attempt.then(
    () => new Error('it was taken'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CharterError)) throw new Error('no CharterError', { cause: error });
  expect(error.code).toBe(code);
  return error;
};

describe('a journal [UAICP 5.4]', () => {
  it('stores a record with all its effects in one step', async () => {
    const commit = vi.fn<Store['commit']>(async () => 'ok');
    const { journal } = begin({ commit });
    const document = {
      evidence_id: 'e-1',
      evidence_type: 'tool_result' as const,
      source: 'read',
      hash: 'x',
      collected_at: '2026-11-21T05:00:00Z',
    };
    const emissions = [{ name: 'EvidenceObject' as const, document }];
    const record = await journal.append(placed(journal, draftOf('fact'), 0), {
      snapshot: '{"value":"done"}',
      emissions,
      consumedApprovals,
      isTurn: true,
      key: 'sent once',
      beside,
    });
    expect(commit.mock.calls).toEqual([
      [
        {
          taskId: 'task',
          fence: null,
          needs: null,
          key: 'sent once',
          record,
          snapshot: '{"value":"done"}',
          emissions,
          consumedApprovals,
          regulated: null,
          ...stored(record),
        },
      ],
    ]);
    expect(record).toMatchObject({
      snapshot: hashOfText('{"value":"done"}'),
      beside: hashOfProjection(beside),
      emitted: [digest(document)],
    });
    expect(Object.isFrozen(record)).toBe(true);
  });

  it('erases exactly the document whose digest the record names', async () => {
    const erase = vi.fn<Store['erase']>(async () => 'ok');
    const { journal, write } = begin({ commit: async () => 'ok', erase });
    const first = await write('fact');
    const entry = placed(journal, draftOf('erasure', { erased: first.hash, outcome: 'success' }), 0);
    const record = await journal.append(entry, nothing);
    expect(record).toMatchObject({ seq: 1, kind: 'erasure', erased: first.hash, previous: first.hash });
    expect(erase.mock.calls).toEqual([
      [
        {
          taskId: 'task',
          fence: null,
          needs: null,
          key: null,
          record,
          snapshot: 's',
          emissions: [],
          consumedApprovals: [],
          regulated: null,
          ...stored(record),
        },
        first.hash,
      ],
    ]);
    expect((await write('fact')).seq).toBe(2);
  });
});

describe('repeated refusals', () => {
  it('are recorded up to a hundred times; the next record counts the rest', async () => {
    const { journal, refuse, write, store } = begin();
    await refuse(100);
    expect(await recordsIn(store)).toHaveLength(100);
    expect(placed(journal, draftOf('refusal'), 0).omitted).toBe(0);
    await refuse(7);
    expect(await recordsIn(store)).toHaveLength(100);
    expect(await write('fact')).toMatchObject({ seq: 100, omitted: 7 });
    expect(await write('fact')).toMatchObject({ seq: 101, omitted: 0 });
  });

  it.each(['fact', 'orphan', 'erasure'] as const)(
    'are counted from zero after a record of kind %s',
    async (kind) => {
      const { refuse, write, store } = begin();
      await refuse(101);
      expect(await write(kind)).toMatchObject({ omitted: 1 });
      await refuse(99);
      expect(await recordsIn(store)).toHaveLength(200);
      await refuse(3);
      expect(await recordsIn(store)).toHaveLength(201);
      expect((await recordsIn(store)).slice(101).every(({ omitted }) => omitted === 0)).toBe(true);
      expect(await write(kind)).toMatchObject({ omitted: 2 });
    },
  );

  it('add each omitted refusal to the count of the next record', async () => {
    const { journal, refuse } = begin();
    await refuse(100);
    expect(placed(journal, draftOf('fact'), 0).omitted).toBe(0);
    expect([journal.omitRefusal(), journal.omitRefusal()]).toEqual([true, true]);
    expect(placed(journal, draftOf('fact'), 0).omitted).toBe(2);
  });

  it('are not counted when the store rejects them', async () => {
    let answer: 'ok' | 'conflict' = 'conflict';
    const { journal, write } = begin({ commit: async () => answer });
    for (let n = 0; n < 150; n += 1) await errorOf(write('refusal'), 'store_conflict');
    expect(journal.omitRefusal()).toBe(false);
    answer = 'ok';
    for (let n = 0; n < 100; n += 1) await write('refusal');
    expect(journal.omitRefusal()).toBe(true);
  });

  it('keep their count when the store rejects the record that carries it', async () => {
    let answer: 'ok' | 'conflict' = 'ok';
    const { refuse, write } = begin({ commit: async () => answer });
    await refuse(105);
    answer = 'conflict';
    await errorOf(write('fact'), 'store_conflict');
    await refuse(1);
    answer = 'ok';
    expect(await write('fact')).toMatchObject({ seq: 100, omitted: 6 });
  });
});

describe('a record that the store rejects', () => {
  it.each<[string, Store['commit'], ErrorCode]>([
    ['used, without an approval', async () => 'spent', 'store_conflict'],
    ['sent before', async () => 'duplicate', 'key_reused'],
    ['conflicting', async () => 'conflict', 'store_conflict'],
    ['broken', () => Promise.reject(new Error('away')), 'store_failed'],
    ['returning an unknown answer', (async () => undefined) as unknown as Store['commit'], 'store_conflict'],
  ])('is not written, and its place stays free: %s', async (_, answer, code) => {
    const kept = memoryStore();
    let commit: Store['commit'] = kept.commit;
    const { journal, write } = begin({ ...kept, commit: (step) => commit(step) });
    const first = await write('fact');
    commit = answer;
    await errorOf(write('fact'), code);
    await errorOf(write('fact'), code);
    expect(await recordsIn(kept)).toEqual([first]);
    expect(placed(journal, draftOf('fact'), 0).seq).toBe(1);
    commit = kept.commit;
    expect(await write('fact')).toMatchObject({ seq: 1, previous: first.hash });
  });

  it.each<[string, Store['erase'], ErrorCode]>([
    ['conflicting', async () => 'conflict', 'store_conflict'],
    ['broken', () => Promise.reject(new Error('away')), 'store_failed'],
  ])('erases nothing, and its place stays free: %s', async (_, erase, code) => {
    const { journal, write } = begin({ erase });
    const first = await write('fact');
    const entry = placed(journal, draftOf('erasure', { erased: first.hash }), 0);
    await errorOf(journal.append(entry, nothing), code);
    expect(await write('fact')).toMatchObject({ seq: 1, previous: first.hash });
  });

  it('is not sent to the store when it cannot be sealed', async () => {
    const commit = vi.fn<Store['commit']>(async () => 'ok');
    const { journal, write } = begin({ commit });
    const entry = placed(journal, draftOf('fact', { brought: { met: () => null } }), 0);
    await errorOf(journal.append(entry, nothing), 'input_unreadable');
    expect(commit).not.toHaveBeenCalled();
    expect((await write('fact')).seq).toBe(0);
  });

  it('is not written when its approval was used before', async () => {
    const { journal } = begin({ commit: async () => 'spent' });
    const attempt = journal.append(placed(journal, draftOf('fact'), 0), { ...nothing, consumedApprovals });
    await expect(attempt).rejects.toThrow(new ApprovalSpent('an approval of task task was used before'));
    expect(placed(journal, draftOf('fact'), 0).seq).toBe(0);
  });

  it('is not written when another process took its task over', async () => {
    const { write, lose } = begin({ commit: async () => 'fenced' }, 7);
    const { details } = await errorOf(write('fact'), 'task_fenced');
    expect(details).toEqual({ taskId: 'task', fence: 7 });
    expect(lose).toHaveBeenCalledExactlyOnceWith('task', 7);
  });

  it('reports the expected and the actual sequence number', async () => {
    const { store, journal, write } = begin();
    const other = new Ledger('task', null, {
      holds: noHolds,
      store,
      onStoreLost: () => {},
      meter: createMeter(),
      clock: { monotonic: () => 0 },
    });
    const taken: LedgerRecord[] = [];
    for (let n = 0; n < 3; n += 1) taken.push(await write('fact'));
    const { details, message } = await errorOf(
      other.append(placed(other, draftOf('fact'), 0), nothing),
      'store_conflict',
    );
    expect(details).toEqual({ taskId: 'task', expected: 0, actual: 3 });
    expect(message).toBe(
      'task task moved on: its store has another record 0; read the task again, then repeat',
    );
    expect(await recordsIn(store)).toEqual(taken);
    expect(placed(journal, draftOf('fact'), 0).seq).toBe(3);
  });

  it('keeps the original error as its cause, in a one-line message', async () => {
    const cause = new RangeError('disk\nfull');
    const { write } = begin({ commit: () => Promise.reject(cause) });
    const error = await errorOf(write('fact'), 'store_failed');
    expect(error.details).toEqual({ taskId: 'task', seq: 0 });
    expect(error.message).toBe(
      'record 0 of task task was not stored, unless the answer of the store was lost: RangeError: disk full; repair the store, then repeat (what has a `key` happens once)',
    );
    expect(error.cause).toBe(cause);
  });

  it('is reported when the store throws synchronously', async () => {
    const commit = vi.fn<Store['commit']>().mockImplementation(() => {
      throw new Error('closed');
    });
    await errorOf(begin({ commit }).write('fact'), 'store_failed');
  });

  it('throws a CharterError even when the store cannot report the actual sequence number', async () => {
    const taskIndex = vi.fn<Store['taskIndex']>().mockRejectedValue(new Error('away'));
    const { write } = begin({ commit: async () => 'conflict', taskIndex });
    await expect(write('fact')).rejects.toBeInstanceOf(CharterError);
  });
});
