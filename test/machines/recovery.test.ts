import { describe, expect, test } from 'vitest';
import { appliesTo } from '../../machines/facts/index.ts';
import { lateStatusAfter } from '../../machines/late-write.ts';
import { lateWriteMachine } from '../../machines/lives.ts';
import { isRecoverable } from '../../machines/facts/recovery.ts';
import { chartVersion } from '../../machines/version.ts';
import { requests } from '../../src/testing/charter/world.ts';
import { bare, before, writeCall } from './contexts.ts';

const [request, another] = requests;

describe('an effect that is looked up, or made again', () => {
  const [effect] = before('deliver').effects;
  if (effect === undefined) throw new Error('expected an effect');
  const effects = [
    { ...effect, digest: 'action-u', status: 'undoing' as const },
    { ...effect, digest: 'action-v', status: 'committed' as const },
  ];

  test('is a rollback that has begun, of that action', () => {
    const c = bare({ effects });
    expect(isRecoverable(c, 'rollback', 'action-u')).toBe(true);
    expect(isRecoverable(c, 'rollback', 'action-v')).toBe(false);
    expect(isRecoverable(c, 'rollback', 'action-w')).toBe(false);
  });

  test('is one of the request in progress', () => {
    const c = bare({ calls: { w: writeCall({ status: 'started' }) } });
    const fact = { type: 'recovery.started', effect: 'call', digest: 'action-w' } as const;
    expect(appliesTo(c, { ...fact, request })).toBe(true);
    expect(appliesTo(c, { ...fact, request: another })).toBe(false);
  });
});

test('a run that fails relies on no stored document any more', () => {
  const fact = { type: 'output.changed', request, digest: 'draft' } as const;
  expect(appliesTo(bare(), fact)).toBe(true);
  expect(appliesTo(bare({ reasons: [{ code: 'CANCELLED', about: 'task' }] }), fact)).toBe(false);
});

describe('a late write', () => {
  test('is rolled back once: not where its run knows of it', () => {
    expect(lateStatusAfter('new', 'call.succeeded', { isKnown: false, mayRecover: true })).toBe('owed');
    expect(lateStatusAfter('new', 'call.succeeded', { isKnown: true, mayRecover: true })).toBeUndefined();
  });

  test('is recovered while the limit of its task class lasts', () => {
    expect(lateStatusAfter('undoing', 'recovery.started', { isKnown: true, mayRecover: true })).toBe(
      'undoing',
    );
    expect(
      lateStatusAfter('undoing', 'recovery.started', { isKnown: true, mayRecover: false }),
    ).toBeUndefined();
  });

  test('has a chart with its name and the version of the charts', () => {
    expect(lateWriteMachine).toMatchObject({ id: 'lateWrite', version: chartVersion });
  });
});
