import { expect, it, vi } from 'vitest';
import { postgresStore } from '../../../../src/stores/postgres.ts';

vi.mock('node:module', () => ({
  createRequire: () => (name: string) => {
    throw new Error(`Cannot find module '${name}'`);
  },
}));

it('A store without its driver names the package to install, at the first use', async () => {
  const store = postgresStore({ connectionString: 'postgres://nobody:secret@127.0.0.1:1/none' });
  const error = await store.taskIndex().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'store_unusable',
    message: 'postgres://127.0.0.1:1/none schema agentcharter: its driver is missing; npm install pg',
    cause: expect.objectContaining({ message: "Cannot find module 'pg'" }),
  });
  await store.close();
});
