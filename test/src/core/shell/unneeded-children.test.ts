import { describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/index.ts';
import type { Step } from '../../../../src/base/ports/store.ts';
import { levels, nesting, taskTool, type Level } from './levels.ts';
import { machine } from './restarts.ts';
import { draft, never, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const low = { tier: 'write_low_risk' } as const;

describe('a child that no task needs', () => {
  it('is cancelled by its parent, and its ledger names the parent and the reason', async () => {
    const scenario = levels(
      { work: { tools: ['mid'] }, mid: { tools: ['leaf'] }, leaf: {} },
      [taskTool('mid'), taskTool('leaf')],
      { leaf: (_, signal) => never(signal) },
    );
    const taskId = await scenario.submit();
    await scenario.orchestrator.cancel(taskId, { by: 'dana' });
    await scenario.ended(taskId);
    const parents = [taskId, (await scenario.of('mid'))?.taskId ?? ''];
    for (const [at, id] of ['mid', 'leaf'].entries()) {
      const records = await scenario.orchestrator.ledger((await scenario.of(id))?.taskId ?? '');
      const cancelled = records.filter(({ fact }) => fact?.type === 'task.cancelled');
      expect(cancelled.map(({ actor }) => actor)).toEqual([{ kind: 'system', id: parents[at] }]);
      expect(cancelled[0]?.brought.explanation).toContain(`Task ${parents[at]} of class`);
      expect(cancelled[0]?.brought.explanation).toContain('it was cancelled');
    }
  });

  it('withdraws its questions', async () => {
    const scenario = levels({ work: { tools: ['leaf'] }, leaf: {} }, [taskTool('leaf')], {
      leaf: ({ asks }) => (asks === 'plan' ? plan([], { confidence: 0.1 }) : draft()),
    });
    const taskId = await scenario.submit();
    expect(await scenario.orchestrator.inbox()).toHaveLength(1);
    await scenario.orchestrator.cancel(taskId, { by: 'dana' });
    await scenario.ended(taskId);
    expect(await scenario.orchestrator.inbox()).toEqual([]);
    expect(await scenario.of('leaf')).toMatchObject({ state: 'cancelled' });
  });

  it('aborts the tools that it was calling', async () => {
    let isAborted = false;
    const scenario = levels({ work: { tools: ['leaf'] }, leaf: { tools: ['look'] } }, [
      taskTool('leaf'),
      readTool('look', { call: (_, { signal }) => never(signal, () => (isAborted = true)) }),
    ]);
    const taskId = await scenario.submit();
    expect(isAborted).toBe(false);
    await scenario.orchestrator.cancel(taskId, { by: 'dana' });
    await scenario.ended(taskId);
    await settle();
    expect(isAborted).toBe(true);
  });
});

/** Never answers a rejected step: the process dies first. */
const without =
  (isRefused: (step: Step) => boolean) =>
  (inner: Store): Store => ({
    ...inner,
    commit: (step) => (isRefused(step) ? new Promise(() => {}) : inner.commit(step)),
  });

const isFact =
  (type: string, kind = 'fact') =>
  ({ record }: Step): boolean =>
    record.fact?.type === type && record.kind === kind;

/** Runs a parent until the store stops accepting these steps, crashes, and recovers with a working store. */
const crashed = async ({
  work,
  leaf,
  refused,
  hangs = false,
}: {
  work: Level;
  leaf: Level;
  refused: (step: Step) => boolean;
  hangs?: boolean;
}) => {
  const { start, clock, reader, factsOf, recordsOf } = machine();
  const undone: string[] = [];
  const rollback = {
    describe: () => ({ type: 'inverse', target: 'note', payload: {} }),
    run: async () => undone.push('note'),
  };
  const { model, taskClasses } = nesting(
    { work: { tools: ['leaf'], ...work }, leaf },
    hangs ? { leaf: (_, signal) => never(signal) } : {},
  );
  const given = {
    model,
    tools: [taskTool('leaf', hangs ? {} : low), writeTool('note', { rollback })],
    options: { taskClasses },
  };
  const first = start({ ...given, store: without(refused) });
  const taskId = await first.submit();
  await clock.advance(5_000);
  await settle();
  const before = [...undone];
  await first.crash();
  const second = start(given);
  await second.recover();
  await settle();
  const stored = await reader.taskIndex();
  const children = stored.filter(({ parent }) => parent === taskId).map((one) => one.taskId);
  return { taskId, before, undone, stored, children, factsOf, recordsOf };
};

const followup = () => ({ explanation: 'More?', payload: {}, byDefault: {} });
const deadlines = { dependency: 5_000 };
const late = {
  work: { deadlines, atLimit: 'stop', limits: { repairs: 0, pauses: 1 } },
  leaf: { tools: ['note'], followup },
} as const;

describe('a crash', () => {
  it('keeps a child of an earlier attempt, even when another child has the same call', async () => {
    const { children, stored, factsOf } = await crashed({
      work: { deadlines, limits: { repairs: 1 }, repairTo: 'execute' },
      leaf: {},
      hangs: true,
      refused: isFact('task.cancelled'),
    });
    expect(children).toHaveLength(2);
    expect(await factsOf(children[0] ?? '')).toContain('task.cancelled');
    expect(stored.map(({ isSettled }) => isSettled)).toEqual([false, true, false]);
  });

  it.each(['call.succeeded', 'rollback.started', 'rollback.succeeded'])(
    'keeps a child that delivered after its parent settled (before %s)',
    async (type) => {
      const { taskId, before, undone, stored, recordsOf } = await crashed({
        ...late,
        refused: (step) => step.indexEntry.parent === null && isFact(type, 'orphan')(step),
      });
      expect(before).toEqual(type === 'rollback.succeeded' ? ['note'] : []);
      expect(undone).toEqual(['note']);
      const orphans = (await recordsOf(taskId)).filter(({ kind }) => kind === 'orphan');
      expect(orphans.map(({ fact }) => fact?.type)).toEqual([
        'call.succeeded',
        'rollback.started',
        'rollback.succeeded',
      ]);
      expect(stored.every(({ isSettled, isOwed }) => isSettled && !isOwed)).toBe(true);
    },
  );

  it('drops a child that never began when no task needs it', async () => {
    const { children, stored, taskId, recordsOf } = await crashed({
      work: { deadlines, limits: { repairs: 0 } },
      leaf: {},
      hangs: true,
      refused: ({ indexEntry, record }) => indexEntry.parent !== null && record.seq === 0,
    });
    expect(children).toEqual([]);
    const failed = (await recordsOf(taskId)).filter(({ fact }) => fact?.type === 'call.failed');
    expect(failed.map(({ brought }) => brought.explanation)).toHaveLength(1);
    expect(stored).toMatchObject([{ isSettled: true, isOwed: false }]);
  });
});
