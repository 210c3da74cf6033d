import { expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../../../../../src/index.ts';
import { memoryStore } from '../../../../../src/stores/memory.ts';
import { fixedIds } from '../../../../fixtures/chart-1/charter.ts';
import { copyInto, fixtures, stranded } from '../../../../fixtures/chart-1/fixtures.ts';
import { strandedCharter } from '../../../../fixtures/chart-1/stranded/charter.ts';
import { served } from '../served.ts';

const opened = async (from: 'tasks.sqlite' | 'stranded/tasks.sqlite') => {
  const store = memoryStore();
  await copyInto(store, from);
  const orchestrator = createOrchestrator({ ...strandedCharter, store, ids: fixedIds(3) });
  onTestFinished(() => orchestrator.close());
  await orchestrator.recover();
  return served(orchestrator);
};

it('shows what is missing before a task may deliver that was carried over', async () => {
  const { get } = await opened('tasks.sqlite');
  const { taskId } = fixtures.waiting;
  expect(await get(`api/tasks/${taskId}`)).toMatchObject({
    reasons: expect.arrayContaining([expect.objectContaining({ code: 'OUTPUT_MISSING' })]) as unknown[],
  });
  expect(await get(`api/tasks/${taskId}/verdict`)).toMatchObject({ intact: true, replay: 'same' });
});

it('shows a task that was not carried over, and its ledger', async () => {
  const { get } = await opened('stranded/tasks.sqlite');
  const { taskId } = stranded.paid;
  expect(await get(`api/tasks/${taskId}`)).toMatchObject({ reasons: null });
  expect(await get(`api/tasks/${taskId}/verdict`)).toMatchObject({ intact: true, replay: 'not_derived' });
  expect(await get(`api/tasks/${taskId}/ledger`)).toMatchObject({ total: stranded.paid.records });
});
