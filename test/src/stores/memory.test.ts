import { expect, it } from 'vitest';
import { memoryStore } from '../../../src/stores/memory.ts';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { storeContract } from './contract.ts';
import { locksStore } from './contract/holds.ts';
import { hasNoAttempts } from './contract/workload.ts';
import { evidence, stepOf, takeTasks } from './steps.ts';

storeContract('in memory', memoryDatabase, [locksStore, hasNoAttempts]);

it('Each memory store has a database of its own', async () => {
  const [one, other] = [memoryStore(), memoryStore()];
  expect(await one.commit(stepOf(0))).toBe('ok');
  expect(await other.load('task')).toBeUndefined();
  await takeTasks(one);
  await takeTasks(other);
});

it('A memory store keeps a step as it was, whatever its sender does with it later', async () => {
  const store = memoryStore();
  const deadline = { of: 'call' as const, id: 'a', at: 5 };
  const intent = { kind: 'call' as const, key: 'k', tool: 'send' };
  const document = { ...evidence };
  const emissions = [{ name: 'EvidenceObject' as const, document }];
  const step = stepOf(0, { deadlines: [deadline], intents: [intent], emissions });
  await store.commit(step);
  const before = structuredClone(await store.load('task'));
  deadline.at = 9;
  intent.key = 'other';
  document.source = 'other';
  emissions.pop();
  expect(await store.load('task')).toEqual(before);
  expect(before?.emissions).toHaveLength(1);
});
