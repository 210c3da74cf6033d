import { expect, it, onTestFinished } from 'vitest';
import { chartVersion } from '../../../../machines/index.ts';
import { beginAnew } from '../../../../docs/examples/upgrade.ts';
import { createOrchestrator, type OrchestratorOptions, type Store } from '../../../../src/index.ts';
import { hashOfProjection } from '../../../../src/core/kernel/seal.ts';
import { readStoredSummary } from '../../../../src/core/shell/stored-summary.ts';
import type { StoredTask } from '../../../../src/base/ports/store.ts';
import { memoryStore } from '../../../../src/stores/memory.ts';
import { charter, fixedIds } from '../../../fixtures/chart-1/charter.ts';
import { copyInto, fixtures, stranded } from '../../../fixtures/chart-1/fixtures.ts';
import { strandedCharter } from '../../../fixtures/chart-1/stranded/charter.ts';
import { sealedAnew } from '../ledger/made.ts';
import { settle, simulatedClock } from './simulated-clock.ts';

let lives = 2; // of the fixtures

/** An orchestrator over a store that stays open when it closes, for the next one. */
const over = (store: Store, options: OrchestratorOptions = strandedCharter) => {
  const clock = simulatedClock(Date.parse('2026-11-22T01:00:00Z'));
  const kept = { ...store, close: () => Promise.resolve() };
  const ids = fixedIds((lives += 1));
  const orchestrator = createOrchestrator({ ...options, store: kept, clock, ids });
  onTestFinished(() => orchestrator.close());
  return orchestrator;
};

/** A store whose process dies before it writes a record of this task. */
const dyingBefore = (store: Store, taskId: string): Store => ({
  ...store,
  commit: (step) =>
    step.taskId === taskId ? Promise.reject(new Error('the process dies')) : store.commit(step),
});

/** The parent of the fixtures with an output that no schema of today reads: it does not carry over. */
const strandedParent = (task: StoredTask): StoredTask => {
  if (task.indexEntry.taskId !== fixtures.parent.taskId) return task;
  const beside = hashOfProjection(task);
  const last = task.records.length - 1;
  const records = sealedAnew(
    task.records.map((record, at) => {
      const output = record.brought.output && { ...record.brought.output, explanation: 7 as never };
      return {
        ...record,
        ...(at === last && { beside }),
        brought: { ...record.brought, ...(output && { output }) },
      };
    }),
  );
  return { ...task, records, indexEntry: { ...task.indexEntry, head: records.at(-1)!.hash } };
};

const { parent, child } = fixtures;
const { paid, noter, manager } = stranded;

it('cancels what is nested in an ended task after a crash between the two', async () => {
  const store = memoryStore();
  await copyInto(store, 'tasks.sqlite', strandedParent);
  const dying = over(dyingBefore(store, child.taskId), charter);
  await expect(dying.cancel(parent.taskId, { by: 'dana' })).rejects.toMatchObject({ code: 'store_failed' });
  expect((await store.load(parent.taskId))?.records.at(-1)).toMatchObject({ kind: 'end' });
  await dying.close();
  const next = over(store, charter);
  const { refused } = await next.recover();
  expect(refused).toEqual([]);
  expect(await next.settled(child.taskId)).toMatchObject({ state: 'cancelled' });
  expect((await next.recover()).refused).toEqual([]);
  expect((await next.ledger(parent.taskId)).filter(({ kind }) => kind === 'end')).toHaveLength(1);
});

/** The same parent, which says beside its ledger that it is of this chart and asks a person: nothing looks at it first. */
const hiddenParent = (task: StoredTask): StoredTask => {
  const summary = JSON.stringify({ ...readStoredSummary(task.indexEntry), chart: chartVersion });
  const isParent = task.indexEntry.taskId === fixtures.parent.taskId;
  return strandedParent(
    isParent ? { ...task, indexEntry: { ...task.indexEntry, summary, asking: 1, isOwed: false } } : task,
  );
};

it.each([
  ['says so', strandedParent],
  ['hides it', hiddenParent],
])('keeps what is nested in a task that was neither carried over nor ended, and %s', async (_, change) => {
  const store = memoryStore();
  await copyInto(store, 'tasks.sqlite', change);
  const orchestrator = over(store, charter);
  const { carriedOver, refused } = await orchestrator.recover();
  expect(refused).toMatchObject([{ taskId: parent.taskId, error: { code: 'chart_unknown' } }]);
  expect(carriedOver).toContain(child.taskId);
  expect(await orchestrator.inbox(child.taskId)).toHaveLength(1);
});

it('tells the task that called an ended one after a crash between the two', async () => {
  const store = memoryStore();
  await copyInto(store, 'stranded/tasks.sqlite');
  const first = over(store);
  await first.recover();
  await first.close();
  const dying = over(dyingBefore(store, manager.taskId));
  await dying.cancel(noter.taskId, { by: 'dana' });
  await settle();
  await dying.close();
  const typesOf = async () => (await store.load(manager.taskId))?.records.map(({ fact }) => fact?.type) ?? [];
  expect(await typesOf()).not.toContain('call.doubted');
  const next = over(store);
  for (let times = 0; times < 2; times += 1) {
    await next.recover();
    await settle();
  }
  expect((await typesOf()).filter((type) => type === 'call.doubted')).toHaveLength(1);
});

it('ends a task once for two processes that send the same key', async () => {
  const store = memoryStore();
  await copyInto(store, 'stranded/tasks.sqlite');
  const send = () => over(store).cancel(paid.taskId, { by: 'dana', key: 'end' });
  await Promise.all([send(), send()]);
  expect((await store.load(paid.taskId))?.records).toHaveLength(paid.records + 1);
});

it('begins a task anew once, also after a crash between its end and its beginning', async () => {
  const store = memoryStore();
  await copyInto(store, 'stranded/tasks.sqlite');
  const dying: Store = {
    ...store,
    commit: (step) =>
      step.record.seq === 0 ? Promise.reject(new Error('the process dies')) : store.commit(step),
  };
  const first = over(dying);
  await expect(beginAnew(first, paid.taskId, 'dana')).rejects.toMatchObject({ code: 'store_failed' });
  await first.close();
  const next = over(store);
  const begun = await beginAnew(next, paid.taskId, 'dana');
  expect(await beginAnew(next, paid.taskId, 'dana')).toEqual(begun);
  expect((await store.load(paid.taskId))?.records).toHaveLength(paid.records + 1);
  expect(await store.taskIndex({ threadId: begun.threadId })).toHaveLength(2);
});
