import { describe, expect, it } from 'vitest';
import { CharterError } from '../../../src/errors.ts';
import { once } from '../../../src/orchestrator/keyed.ts';
import type { Store } from '../../../src/ports/store.ts';
import { machine } from './restarts.ts';
import { plan } from './scripted.ts';

/** A send during which something is recorded under its key; then it throws. */
const sent = async (isSame: boolean, error: Error, reads: (store: Store) => Store = (store) => store) => {
  const { start, reader } = machine();
  const { submit } = start({ model: [plan([], { confidence: 0.1 })] });
  return once(reads(reader), {
    key: 'submit one',
    isSame: () => isSame,
    send: async () => {
      await submit({}, 'one');
      throw error;
    },
    again: (taskId) => taskId,
  });
};

describe('a send that throws, while something is recorded under its key', () => {
  const failed = new CharterError('store_failed', 'it failed', { taskId: 'task', seq: 0 });
  const other = new TypeError('nothing of the store');

  it('has been sent where that is the same, and what it threw may mean that', async () => {
    expect(await sent(true, failed)).toEqual(expect.any(String));
  });

  it('used the key of something else where that is not the same', async () => {
    await expect(sent(false, failed)).rejects.toMatchObject({ code: 'key_reused' });
  });

  it.each([true, false])('throws what it threw, where that means something else (%s)', async (isSame) => {
    await expect(sent(isSame, other)).rejects.toBe(other);
  });
});
