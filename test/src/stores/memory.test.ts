import { describe, expect, it } from 'vitest';
import type { LedgerRecord, Step, Store } from '../../../src/index.ts';
import { memoryStore } from '../../../src/stores/memory.ts';

const stepOf = (seq: number, more: Partial<Step> = {}): Step => {
  const record: LedgerRecord = {
    seq,
    taskId: 'task',
    kind: 'fact',
    request_id: '00000000-0000-4000-8000-000000000001',
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    timestamp: '2026-11-21T05:00:00Z',
    actor: { kind: 'system', id: 'agentcharter' },
    outcome: 'pending',
    from: 'submitted.intake',
    to: 'submitted.plan.proposing',
    fact: { type: 'request.accepted' },
    brought: { payload: { deep: { n: seq } } },
  };
  return { taskId: 'task', record, snapshot: `snapshot ${seq}`, emissions: [], ...more };
};

describe.each<[string, () => Store]>([['in memory', memoryStore]])('a store %s', (_, open) => {
  it('keeps the steps of a task in their order, and its last snapshot', async () => {
    const store = open();
    for (const seq of [0, 1, 2]) expect(await store.commit(stepOf(seq))).toBe('ok');
    expect((await store.records('task')).map(({ seq }) => seq)).toEqual([0, 1, 2]);
    expect(await store.snapshot('task')).toBe('snapshot 2');
    expect(await store.tasks()).toEqual(['task']);
  });

  it.each([0, 1, 3, -1, 1.5])(
    'answers conflict where the number is not the next one, and writes nothing: %d',
    async (seq) => {
      const store = open();
      await store.commit(stepOf(0));
      await store.commit(stepOf(1));
      expect(await store.commit(stepOf(seq))).toBe('conflict');
      expect(await store.records('task')).toHaveLength(2);
      expect(await store.snapshot('task')).toBe('snapshot 1');
      expect(await store.emissions('task')).toEqual([]);
    },
  );

  it('lets one of two win that come at the same moment', async () => {
    const store = open();
    const answers = await Promise.all([store.commit(stepOf(0)), store.commit(stepOf(0))]);
    expect(answers.toSorted()).toEqual(['conflict', 'ok']);
  });

  it('keeps the snapshot where a record changed nothing', async () => {
    const store = open();
    await store.commit(stepOf(0));
    await store.commit(stepOf(1, { snapshot: null }));
    expect(await store.snapshot('task')).toBe('snapshot 0');
  });

  it('keeps tasks apart, whatever they are called', async () => {
    const store = open();
    const names = ['__proto__', 'constructor', 'a', ''];
    for (const taskId of names) expect(await store.commit(stepOf(0, { taskId }))).toBe('ok');
    expect((await store.tasks()).toSorted()).toEqual(names.toSorted());
  });

  it('knows nothing of a task that is not there', async () => {
    const store = open();
    expect(await store.records('nope')).toEqual([]);
    expect(await store.emissions('nope')).toEqual([]);
    expect(await store.snapshot('nope')).toBeUndefined();
    expect(await store.tasks()).toEqual([]);
  });

  it('keeps what was written: neither its writer nor its readers can change it afterwards', async () => {
    const store = open();
    const step = stepOf(0);
    await store.commit(step);
    const payload = step.record.brought.payload as { deep: { n: number } };
    payload.deep.n = 7;
    const [read] = await store.records('task');
    Object.assign(read!.brought, { payload: null });
    expect((await store.records('task'))[0]?.brought.payload).toEqual({ deep: { n: 0 } });
  });
});
