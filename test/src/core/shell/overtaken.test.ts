import { describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/index.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import { machine } from './restarts.ts';
import { call, draft, later, never, plan, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const minute = 60_000;
const unsure = plan([], { confidence: 0.1 });

/** A store that runs something else before the first matching record is written. */
const overtaken = (isMeant: (record: LedgerRecord) => boolean, first: () => Promise<unknown>) => {
  let isFirst = true;
  return (inner: Store): Store => ({
    ...inner,
    commit: async (step) => {
      if (isFirst && isMeant(step.record)) {
        isFirst = false;
        await first();
      }
      return inner.commit(step);
    },
  });
};
const guest = { options: { role: 'guest' } } as const;

/** A write whose lookup after a crash does not find it. */
const looksUp = (make: (signal: AbortSignal) => Promise<unknown>) => ({
  model: [plan([call('write')]), draft()],
  tools: [
    writeTool('write', {
      doubt: 'reconcilable',
      lookup: async () => ({ found: 'absent' }),
      call: (_, { signal }) => make(signal),
    }),
  ],
});

describe('a record without a state change, overtaken by a record of another process', () => {
  it('is written after it: a refusal', async () => {
    const { start, recordsOf } = machine();
    const owner = start({
      model: [unsure, draft()],
      options: { mayRespond: (by) => by === 'dana' },
      store: overtaken(
        ({ kind }) => kind === 'refusal',
        () => start(guest).answer('approve'),
      ),
    });
    const taskId = await owner.submit();
    await expect(owner.answer('approve', undefined, { by: 'mallory' })).rejects.toMatchObject({
      code: 'identity_refused',
    });
    expect(await owner.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect((await recordsOf(taskId)).filter(({ kind }) => kind === 'refusal')).toHaveLength(1);
  });

  it('is written after it: the recovery of an effect in doubt', async () => {
    const { start, recordsOf, clock } = machine();
    const first = start(looksUp(never));
    const taskId = await first.submit();
    await first.crash();
    const second = start({
      ...looksUp(async () => ({ written: true })),
      store: overtaken(
        ({ fact }) => fact?.type === 'recovery.started',
        () => start(guest).orchestrator.cancel(taskId, { by: 'dana' }),
      ),
    });
    await second.recover();
    await clock.advance(2 * minute);
    expect(await second.orchestrator.settled(taskId)).toMatchObject({ state: 'cancelled' });
    expect(second.errors).toEqual([]);
    const recoveries = (await recordsOf(taskId)).filter(({ fact }) => fact?.type === 'recovery.started');
    expect(recoveries.map(({ kind, brought: { recovery } }) => [kind, recovery?.resolution])).toEqual([
      ['refusal', 'repeated'], // the cancel came first
      ['fact', 'closed'],
    ]);
  });

  it('is written after it: the rollback of a late write', async () => {
    const { start, recordsOf, clock } = machine();
    const landing = later();
    const owner = start({
      model: [plan([call('write')]), unsure, draft()],
      tools: [writeTool('write', { deadline: minute, call: () => landing.promise })],
      store: overtaken(
        ({ fact }) => fact?.type === 'rollback.started',
        () => start(guest).answer('approve'),
      ),
    });
    const taskId = await owner.submit();
    await clock.advance(minute);
    await owner.answer('reject');
    landing.resolve({ written: true });
    expect(await owner.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    await settle();
    const orphans = (await recordsOf(taskId)).filter(({ kind }) => kind === 'orphan');
    expect(orphans.map(({ fact }) => fact?.type)).toEqual([
      'call.succeeded',
      'rollback.started',
      'rollback.succeeded',
    ]);
    expect(owner.errors).toEqual([]);
  });
});
