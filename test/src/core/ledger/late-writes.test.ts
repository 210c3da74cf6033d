import { describe, expect, it } from 'vitest';
import type { Fact, FactType } from '../../../../machines/index.ts';
import { meaningOf } from '../../../../src/core/kernel/projection/facts.ts';
import { emptyProjection, type Projection } from '../../../../src/core/kernel/projection/projection.ts';
import type { CallDocument, LedgerEntry } from '../../../../src/base/ports/ledger.ts';
import { bare } from '../../../machines/contexts.ts';

const context = bare();
const { request } = context;
const document = (id: string, rollback: CallDocument['rollback']): CallDocument => ({
  id,
  tool: 'write',
  version: '1',
  arguments: {},
  rollback,
  doubt: 'unsafe',
  digest: `action-${id}`,
});
const inverse = { type: 'inverse', target: 'write', payload: {} } as const;
const begun: Projection = {
  ...emptyProjection(
    {
      taskClass: 'class',
      threadId: 'thread',
      payload: {},
      explanation: '',
      identity: { agent_id: 'a', owner_id: 'o', control_class: 'human-directed' },
    },
    'trace',
  ),
  calls: { w: document('w', inverse), r: document('r', null) },
};

/** Returns the projection after orphans, each with what its record brings. */
const after = (...facts: readonly (readonly [Fact, LedgerEntry['brought']?])[]): Projection =>
  facts.reduce<Projection>(
    (projection, [fact, brought = {}]) => ({
      ...projection,
      ...meaningOf<FactType>(fact.type).changesLate?.(projection, fact, context, {
        request_id: request,
        fact,
        brought,
      } as LedgerEntry),
    }),
    begun,
  );

const landed = (call: string): Fact => ({
  type: 'call.succeeded',
  request,
  attempt: 0,
  call,
  evidence: { id: `evidence-${call}`, type: 'tool_result' },
});
const rollback = (of: 'started' | 'succeeded' | 'failed'): Fact => ({
  type: `rollback.${of}`,
  request,
  digest: 'action-w',
});
const recovery: Fact = { type: 'recovery.started', request, effect: 'rollback', digest: 'action-w' };

describe('a late write', () => {
  it('is owed its rollback, also where an earlier attempt made it', () => {
    expect(context.calls).toEqual({});
    expect(after([landed('w')]).lateWrites).toMatchObject([
      { digest: 'action-w', status: 'owed', call: { id: 'w' }, recoveries: 0 },
    ]);
  });

  it('is no read, and no call of another request', () => {
    expect(after([landed('r')]).lateWrites).toEqual([]);
    expect(after([{ ...landed('w'), request: 'another' } as Fact]).lateWrites).toEqual([]);
  });

  it('begins its rollback once, and ends it', () => {
    const undoing = after([landed('w')], [rollback('started')]);
    expect(undoing.lateWrites).toMatchObject([{ status: 'undoing' }]);
    for (const of of ['succeeded', 'failed'] as const) {
      const ended = after([landed('w')], [rollback('started')], [rollback(of)], [rollback('started')]);
      expect(ended.lateWrites).toEqual([]);
      expect(ended.rolledBack['action-w'] === null).toBe(of === 'succeeded');
    }
  });

  it('counts the recoveries of its rollback up to the limit', () => {
    const facts = [landed('w'), rollback('started'), recovery, recovery, recovery, recovery] as const;
    expect(after(...facts.map((fact) => [fact] as const)).lateWrites).toMatchObject([{ recoveries: 3 }]);
    expect(after([landed('w')], [recovery]).lateWrites).toMatchObject([{ status: 'owed', recoveries: 0 }]);
  });

  it('may begin with its rollback, which a task around a settled one asks for', () => {
    const brought = { calls: [document('w', inverse)] };
    expect(after([rollback('started'), brought]).lateWrites).toMatchObject([
      { status: 'undoing', call: { id: 'w' } },
    ]);
  });
});
