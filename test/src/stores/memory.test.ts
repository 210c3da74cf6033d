import { expect, it } from 'vitest';
import { memoryStore } from '../../../src/stores/memory.ts';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { storeContract } from './contract.ts';
import { stepOf } from './steps.ts';

storeContract('in memory', memoryDatabase);

it('Each memory store has a database of its own', async () => {
  const [one, other] = [memoryStore(), memoryStore()];
  expect(await one.commit(stepOf(0))).toBe('ok');
  expect(await other.load('task')).toBeUndefined();
  await one.own();
  await other.own();
});
