import { expect, it } from 'vitest';
import { memoryStore } from '../../../src/stores/memory.ts';
import { sealRecord } from '../../../src/ledger/seal.ts';
import { entryOf } from '../ledger/entry.ts';
import { storeContract } from './contract.ts';

storeContract('in memory', memoryStore);

it('writes nothing of a step that it cannot write whole', async () => {
  const store = memoryStore();
  const record = sealRecord(entryOf(0), { previous: null, snapshot: null, emissions: [] });
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const evidence = {
    evidence_id: 'e',
    evidence_type: 'custom' as const,
    source: 's',
    hash: 'h',
    collected_at: '2026-11-21T05:00:00Z',
    payload: cycle,
  };
  const step = { taskId: 'task', snapshot: 's', record, spends: [{ jti: 'token', action: 'a' }] };
  const emissions = [{ name: 'EvidenceObject' as const, document: evidence }];
  await expect(store.commit({ ...step, emissions })).rejects.toThrow(TypeError);
  expect(await store.tasks()).toEqual([]);
  const spends = [{ jti: 'token', action: 'b' }];
  expect(await store.commit({ ...step, emissions: [], spends })).toBe('ok');
});
