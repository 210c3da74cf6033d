import { expect, it, vi } from 'vitest';
import { applyMapping, deriveContext, mediate } from '../../../../../src/optional/semantics/index.ts';

vi.mock('node:module', async (original) => ({
  ...(await original<object>()),
  createRequire: () => (name: string) => {
    throw new Error(`Cannot find module '${name}'`);
  },
}));

const schema = { type: 'object', properties: { total: { type: 'number', description: 'total to pay' } } };

it('imports semantics and derives contexts without its index of words', () => {
  expect(deriveContext(schema)).toMatchObject({ fields: { total: 'total to pay' } });
  expect(applyMapping).toBeTypeOf('function');
});

it('names the package and the command to install it when contexts are compared', () => {
  const context = deriveContext(schema);
  expect(() => mediate(context, context)).toThrowError(
    expect.objectContaining({
      code: 'definition_invalid',
      message: 'mediation: needs its index of words: npm install minisearch',
      details: {
        definition: 'mediation',
        issues: [{ path: '', message: 'needs its index of words: npm install minisearch' }],
      },
      cause: expect.objectContaining({ message: "Cannot find module 'minisearch'" }) as unknown,
    }) as Error,
  );
});
