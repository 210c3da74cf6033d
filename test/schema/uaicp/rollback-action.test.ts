import { expect, test } from 'vitest';
import { RollbackAction } from '../../../schema/index.ts';

test('A rollback action requires a type, a target, and a payload that is an object or a text', () => {
  expect(Object.keys(RollbackAction.shape)).toEqual(['type', 'target', 'payload']);
  for (const payload of [{ to: ['ada'] }, 'restore'])
    expect(RollbackAction.safeParse({ type: 'withdraw', target: 'invitation:1', payload }).success).toBe(
      true,
    );
  for (const payload of [[], 1, true, null])
    expect(RollbackAction.safeParse({ payload }).success).toBe(false);
});

test('A rollback action keeps unknown fields', () => {
  expect(RollbackAction.parse({ 'acme:window': 'PT1H' })).toEqual({ 'acme:window': 'PT1H' });
});
