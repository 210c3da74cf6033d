import { expect, it, onTestFinished } from 'vitest';
import { chartVersion } from '../../../machines/index.ts';
import { createOrchestrator, type Store } from '../../../src/index.ts';
import { sqliteStore } from '../../../src/stores/sqlite.ts';
import { charter, fixedIds, identity } from '../../fixtures/chart-1/charter.ts';
import { fixtureNames, fixtures, storeCopy } from '../../fixtures/chart-1/fixtures.ts';
import { settle, simulatedClock } from './simulated-clock.ts';

const unknown = { code: 'chart_unknown', details: { version: '1', known: [chartVersion] } };

const everything = (store: Store) =>
  Promise.all(fixtureNames.map((name) => store.load(fixtures[name].taskId)));

/** An orchestrator of this version over the store that chart 1 wrote. */
const opened = () => {
  const file = storeCopy();
  const reader = sqliteStore(file);
  const clock = simulatedClock(Date.parse('2026-11-22T01:00:00Z'));
  const orchestrator = createOrchestrator({ ...charter, store: sqliteStore(file), clock, ids: fixedIds(3) });
  const errors: unknown[] = [];
  orchestrator.on('error', ({ error }) => errors.push(error));
  onTestFinished(async () => {
    await orchestrator.close();
    await reader.close();
  });
  return { orchestrator, reader, clock, errors };
};

it.each(fixtureNames)('answers chart_unknown for the task "%s", and changes nothing of it', async (name) => {
  const { orchestrator, reader } = opened();
  const before = await everything(reader);
  const { taskId } = fixtures[name];
  await expect(orchestrator.cancel(taskId, { by: 'dana' })).rejects.toMatchObject(unknown);
  const [asked] = await orchestrator.inbox(taskId);
  if (asked !== undefined) {
    const answer = { type: 'approve', target: asked.message.messageId };
    await expect(orchestrator.respond(answer, { by: 'dana' })).rejects.toMatchObject(unknown);
  }
  expect(await everything(reader)).toEqual(before);
});

it('lists what it cannot take up as refused, once each, and goes on with its own tasks', async () => {
  const { orchestrator, reader } = opened();
  const before = await everything(reader);
  const { taskId } = await orchestrator.submit({ taskClass: 'delivered', payload: {}, identity });
  expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  const { taken, refused } = await orchestrator.recover();
  expect(taken).toBe(0);
  expect(refused.map((one) => one.taskId).toSorted()).toEqual(
    (['waiting', 'parent', 'doubt'] as const).map((name) => fixtures[name].taskId).toSorted(),
  );
  for (const { error } of refused) expect(error).toMatchObject(unknown);
  expect(await everything(reader)).toEqual(before);
});

it('goes on with its own tasks when deadlines of the others pass', async () => {
  const { orchestrator, reader, clock, errors } = opened();
  const before = await everything(reader);
  await orchestrator.recover();
  const { taskId } = await orchestrator.submit({ taskClass: 'question', payload: {}, identity });
  await settle();
  await clock.advance(30 * 86_400_000);
  expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'uncertain' });
  expect(errors.length).toBeGreaterThan(0);
  for (const error of errors) expect(error).toMatchObject(unknown);
  expect(await everything(reader)).toEqual(before);
});
