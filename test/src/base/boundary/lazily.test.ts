import { expect, it } from 'vitest';
import { loadedOnce } from '../../../../src/base/boundary/lazily.ts';

it('A module is loaded once, and again only if it could not be loaded', async () => {
  let loads = 0;
  const load = loadedOnce(async () => {
    loads += 1;
    if (loads === 1) throw new Error('too many open files');
    return { loads };
  });
  await expect(load()).rejects.toThrow('too many open files');
  expect(await Promise.all([load(), load()])).toEqual([{ loads: 2 }, { loads: 2 }]);
  expect(await load()).toEqual({ loads: 2 });
});
