import { describe, expect, test } from 'vitest';
import { callFor, callsFor } from '../../machines/call.ts';
import { confirmed, doubted, ruledOut, succeeded } from '../../machines/outcomes.ts';
import type { Effect } from '../../machines/index.ts';
import { callOf } from 'agentcharter/testing';
import { bare, readCall, writeCall } from './contexts.ts';

const { note, read, send } = callOf;

const evidence = { id: 'evidence-w', type: 'tool_result', stale: true } as const;
const effect = (status: Effect['status']): Effect => ({
  digest: 'action-w',
  tool: 'tool-w',
  rollback: true,
  authority: 'human',
  status,
  evidence,
});

describe('a proposed call', () => {
  test('is allowed at once where it reads [UAICP 5.3]', () => {
    expect(callFor(bare(), read('r'), 0)).toMatchObject({ status: 'allowed', authority: null, at: 0 });
  });

  test.each([note('n'), send('w')])('owes a policy decision where it writes: $tier', (proposed) => {
    expect(callFor(bare(), proposed, 0)).toMatchObject({
      status: 'proposed',
      underWay: false,
      review: false,
      authority: null,
    });
  });

  test('that was done is answered from its recorded outcome, authority and evidence as they were', () => {
    expect(callFor(bare({ effects: [effect('committed')] }), send('w'), 0)).toMatchObject({
      status: 'succeeded',
      authority: 'human',
      evidence,
    });
  });

  test.each(['undoing', 'undone', 'stuck', 'closed'] as const)(
    'is not done again once it is %s',
    (status) => {
      expect(callFor(bare({ effects: [effect(status)] }), send('w'), 0)).toMatchObject({
        status: 'failed',
        code: 'EFFECT_CLOSED',
        evidence: null,
      });
    },
  );

  test('that reads is called whatever was done under its digest', () => {
    const known = bare({ effects: [{ ...effect('committed'), digest: 'action-r' }] });
    expect(callFor(known, read('r'), 0).status).toBe('allowed');
  });

  test('keeps its place among the others', () => {
    const calls = callsFor(bare(), [note('10'), note('9')], 2);
    expect(calls).toMatchObject({ 10: { at: 2 }, 9: { at: 3 } });
    expect(Object.getPrototypeOf(callsFor(bare(), [read('__proto__')]))).toBe(Object.prototype);
  });
});

describe('an outcome of a call that is gone', () => {
  test('changes nothing', () => {
    expect(succeeded(bare(), 'gone', { id: 'e', type: 'tool_result' })).toEqual({});
    expect(confirmed(bare(), 'gone', undefined)).toEqual({});
    expect(ruledOut(bare(), 'gone')).toEqual({});
    expect(doubted(bare(), 'gone', 'TOOL_TIMEOUT')).toEqual({ calls: {}, questions: {}, dependencies: {} });
  });
});

describe('a call without an outcome', () => {
  test('has failed where it reads, and may have happened where it writes', () => {
    const c = bare({ calls: { r: readCall({ status: 'started' }), w: writeCall({ status: 'started' }) } });
    expect(doubted(c, 'r', 'TOOL_TIMEOUT').calls?.['r']).toMatchObject({
      status: 'failed',
      code: 'TOOL_TIMEOUT',
    });
    expect(doubted(c, 'w', 'TOOL_TIMEOUT').calls?.['w']).toMatchObject({
      status: 'doubted',
      code: 'TOOL_TIMEOUT',
    });
  });

  test('is asked about no more once it is known', () => {
    const questions = {
      tool: { kind: 'tool', about: 'w' },
      doubt: { kind: 'doubt', about: 'w' },
      other: { kind: 'tool', about: 'v' },
      approval: { kind: 'approval', about: 'w' },
    } as const;
    const dependencies = { shared: ['w', 'v'], own: ['w'] };
    const c = bare({ calls: { w: writeCall({ status: 'started' }) }, questions, dependencies });
    const { other, approval } = questions;
    expect(doubted(c, 'w', 'TOOL_TIMEOUT')).toMatchObject({
      questions: { other, approval },
      dependencies: { shared: ['v'] },
    });
  });
});
