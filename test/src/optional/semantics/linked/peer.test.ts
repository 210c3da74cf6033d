import { expect, it, vi } from 'vitest';
import { fromJsonLd, toJsonLd } from '../../../../../src/optional/semantics/index.ts';
import { messageOf } from './messages.ts';

vi.mock('node:module', async (original) => ({
  ...(await original<object>()),
  createRequire: () => ({
    resolve: (name: string) => {
      throw new Error(`Cannot find module '${name}'`);
    },
  }),
}));

it('names the package and the command to install it when JSON-LD is read without its reader', async () => {
  await expect(fromJsonLd(toJsonLd(messageOf({})))).rejects.toThrow(
    expect.objectContaining({
      code: 'definition_invalid',
      message: 'JSON-LD: needs its reader: npm install jsonld',
      details: {
        definition: 'JSON-LD',
        issues: [{ path: '', message: 'needs its reader: npm install jsonld' }],
      },
      cause: expect.objectContaining({ message: "Cannot find module 'jsonld'" }) as unknown,
    }),
  );
});
