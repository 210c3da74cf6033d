import { describe, expect, it } from 'vitest';
import { CharterError } from '../../../../src/base/errors.ts';
import { once } from '../../../../src/core/shell/keyed.ts';
import type { Store } from '../../../../src/base/ports/store.ts';
import { machine } from './restarts.ts';
import { plan } from './scripted.ts';

/** A request that throws after a record is stored under its key. */
const sent = async (isSame: boolean, error: Error, reads: (store: Store) => Store = (store) => store) => {
  const { start, reader } = machine();
  const { submit } = start({ model: [plan([], { confidence: 0.1 })] });
  return once(reads(reader), {
    key: 'submit one',
    name: 'one',
    isSame: () => isSame,
    send: async () => {
      await submit({}, 'one');
      throw error;
    },
    onRepeat: (taskId) => taskId,
  });
};

describe('a keyed request that throws although the store holds a record under its key', () => {
  const failed = new CharterError('store_failed', 'it failed', { taskId: 'task', seq: 0 });
  const other = new TypeError('nothing of the store');

  it('succeeds when the record is the same and the write may have happened', async () => {
    expect(await sent(true, failed)).toEqual(expect.any(String));
  });

  it('rejects the key as reused when the record differs', async () => {
    await expect(sent(false, failed)).rejects.toMatchObject({ code: 'key_reused', details: { key: 'one' } });
  });

  it.each([true, false])('throws an unrelated error unchanged (%s)', async (isSame) => {
    await expect(sent(isSame, other)).rejects.toBe(other);
  });
});
