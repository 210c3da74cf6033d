import { createActor } from 'xstate';
import { describe, expect, it } from 'vitest';
import { chartVersion, taskMachine, type Fact } from '../../../../machines/index.ts';
import { replay, replayMeaning, verifyLedger } from '../../../../src/core/ledger/index.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import { madeLedger, scribe, sealedAnew } from './made.ts';

const made = madeLedger(22);
const records = made.records();
const few = madeLedger(2).records();
const found = (given: readonly unknown[]) => replay(given).findings.map(({ seq, code }) => [seq, code]);
/** A ledger in which one record says something else, and every hash is right. */
const forged = (at: number, changes: Partial<LedgerRecord>): readonly LedgerRecord[] =>
  sealedAnew(few.with(at, { ...few[at]!, ...changes }), at);
const under = (chart: string) => ({ brought: { ...few[0]!.brought, chart } });

describe('A replay', () => {
  it('derives the states of the ledger and the snapshots of its hashes', () => {
    expect(replay(records)).toEqual({
      verdict: 'same',
      same: true,
      chart: null,
      carriedOver: [],
      records: records.length,
      states: records.map(({ to }) => to),
      findings: [],
    });
    expect(replay(records).states.at(-1)).toBe('followup');
    expect(replay([])).toEqual({
      verdict: 'same',
      same: true,
      chart: null,
      carriedOver: [],
      records: 0,
      states: [],
      findings: [],
    });
  });

  it('needs the documents of the first record only', () => {
    const bare = few.map((record, seq) => (seq === 0 ? record : { ...record, brought: {} }));
    expect(replay(bare).same).toBe(true);
  });

  it('detects a changed fact that leads elsewhere, even with valid hashes', async () => {
    let changed = 0;
    for (const [at, { fact, kind }] of few.entries()) {
      if (fact === null || kind !== 'fact') continue;
      for (const edit of [
        { digest: 'forged' },
        { confidence: 0.1 },
        { call: 'call-0' },
        { evidence: { id: 'forged', type: 'custom' } },
      ]) {
        if (!Object.keys(edit).every((name) => name in fact)) continue;
        if (fact.type === 'calls.proposed' && 'digest' in edit) continue; // kept only while a person is asked
        changed += 1;
        const forgery = forged(at, { fact: { ...fact, ...edit } as Fact });
        const { findings } = await verifyLedger(forgery);
        expect(findings.filter(({ code }) => code !== 'contradictory' && code !== 'delivered_other')).toEqual(
          [],
        );
        expect(found(forgery), `${at} ${fact.type} ${JSON.stringify(edit)}`).toEqual([
          [at, expect.stringMatching(/^(?:refused|state|snapshot)$/)],
        ]);
      }
    }
    expect(changed).toBeGreaterThan(20);
  });

  it('detects a dropped or added fact, even with valid hashes', async () => {
    for (const at of [2, 3, 4, 5, 10]) {
      const fewer = few.toSpliced(at, 1).map((record, seq) => ({ ...record, seq }));
      const forgery = sealedAnew(fewer, at);
      expect(replay(forgery).same, `${at}`).toBe(false);
      const more = few.toSpliced(at, 0, few[at]!).map((record, seq) => ({ ...record, seq }));
      expect(replay(sealedAnew(more, at)).same, `${at}`).toBe(false);
    }
  });

  it.each<[string, number, Partial<LedgerRecord>, string]>([
    ['a fact that the chart does not take', 4, { fact: { type: 'request.accepted' } }, 'refused'],
    ['an orphan told as a fact', 8, { kind: 'fact' }, 'refused'],
    ['a fact told as an orphan', 2, { kind: 'orphan' }, 'state'],
    ['another state before', 3, { from: 'waiting' }, 'state'],
    ['another state after', 3, { to: 'waiting' }, 'state'],
    ['a refusal elsewhere', 9, { from: 'waiting', to: 'waiting' }, 'state'],
    ['another snapshot', 3, { snapshot: few[2]!.snapshot }, 'snapshot'],
    ['no snapshot', 0, { snapshot: null }, 'snapshot'],
    ['another request', 3, { request_id: '00000000-0000-4000-8000-0000000000ff' }, 'request'],
  ])('detects %s and stops there', (_, at, changes, code) => {
    const result = replay(forged(at, changes));
    expect(result).toMatchObject({ same: false, records: at, findings: [{ seq: at, code }] });
    expect(result.states).toEqual(few.slice(0, at).map(({ to }) => to));
    expect(Object.keys(replayMeaning)).toContain(code);
  });

  it('detects a changed contract that leads elsewhere', () => {
    const contract = { ...made.contract, threshold: 0.95 };
    expect(found(forged(0, { brought: { ...few[0]!.brought, contract } }))).toEqual([[0, 'snapshot']]);
  });

  it('does not derive the states of another chart’s ledger, and reports no forgery', () => {
    expect(replay(sealedAnew(forged(0, under(chartVersion)))).verdict).toBe('same');
    expect(replay(sealedAnew(forged(0, under('0'))))).toEqual({
      verdict: 'not_derived',
      same: false,
      chart: '0',
      carriedOver: [],
      records: 0,
      states: [],
      findings: [],
    });
  });

  it('needs the opening record and its contract', () => {
    const unopened = [[0, 'unopened']];
    expect(found(few.slice(1))).toEqual(unopened);
    expect(found(few.slice(8))).toEqual(unopened);
    expect(found(few.with(0, { ...few[0]!, brought: {} }))).toEqual(unopened);
    expect(found(few.with(0, { ...few[0]!, fact: { type: 'request.accepted' } }))).toEqual(unopened);
    expect(found(few.with(0, { ...few[0]!, kind: 'orphan' }))).toEqual(unopened);
  });

  it('stops at an unreadable record', () => {
    for (const nothing of [null, {}, 'text', { ...few[3]!, brought: { contract: {} } }]) {
      expect(found(few.with(3, nothing as LedgerRecord))).toEqual([[3, 'unreadable']]);
    }
  });

  it('rejects any fact after the end', () => {
    const { tell, records: told, contract } = scribe();
    tell(null, { brought: { contract } });
    const end = tell({ type: 'task.cancelled' });
    expect(replay(told())).toMatchObject({ same: true, states: ['submitted.intake', 'cancelled'] });
    const again = { ...end, seq: 2, from: end.to };
    expect(replay(sealedAnew([...told(), again], 2)).findings).toEqual([
      { seq: 2, code: 'refused', message: 'the chart does not accept task.cancelled in cancelled' },
    ]);
  });

  it('derives the same snapshot text when the task is reloaded in between', () => {
    let actor = createActor(taskMachine, {
      input: { taskClass: made.contract, request: records[0]!.request_id },
    }).start();
    for (const [at, { kind, fact }] of records.entries()) {
      if (kind === 'fact' && fact !== null) actor.send(fact);
      const text = JSON.stringify(actor.getPersistedSnapshot());
      if (kind === 'fact') expect(text).toBe(made.steps[at]?.snapshot);
      actor = createActor(taskMachine, {
        snapshot: JSON.parse(text) as ReturnType<typeof actor.getPersistedSnapshot>,
        input: { taskClass: made.contract, request: records[0]!.request_id },
      }).start();
    }
  });
});

it('finds where a guard of a changed chart decided', () => {
  const changed = taskMachine.provide({ guards: { mayDeliver: () => false } });
  const { tell, records: told, contract } = scribe('task', changed);
  tell(null, { brought: { contract, chart: chartVersion } });
  tell({ type: 'request.accepted' });
  tell({ type: 'plan.proposed', digest: 'p', confidence: 0.9, canProceed: true, calls: [] });
  tell({ type: 'draft.proposed', digest: 'd', confidence: 0.9, canProceed: true });
  expect(found(told())).toEqual([[3, 'state']]);
});
