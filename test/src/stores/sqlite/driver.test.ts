import { expect, it, vi } from 'vitest';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { newFile } from '../folder.ts';

vi.mock('node:module', () => ({
  createRequire: () => (name: string) => {
    throw new Error(`Cannot find module '${name}'`);
  },
}));

it('A store without its driver names the package to install, at the first use', async () => {
  const file = newFile();
  const store = sqliteStore(file);
  await expect(store.taskIndex()).rejects.toMatchObject({
    code: 'store_unusable',
    message: `${file}: its driver is missing; npm install libsql`,
    details: { store: file, reason: 'its driver is missing' },
    cause: expect.objectContaining({ message: "Cannot find module 'libsql'" }),
  });
  await store.close();
});
