import { expect, it } from 'vitest';
import { scene } from './scene.ts';
import { call, draft, later, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const minute = 60_000;

it('leaves no intent on a settled task whose read was given up, and whose result came late', async () => {
  const answer = later();
  const one = scene({
    model: [plan([call('slow')]), draft()],
    tools: [readTool('slow', { call: () => answer.promise })],
  });
  const taskId = await one.submit();
  const intents = async () => (await one.store.load(taskId))?.intents.map(({ tool }) => tool);
  expect(await intents()).toEqual(['slow']);
  await one.orchestrator.cancel(taskId, { by: 'dana' });
  await one.ended(taskId);
  expect(await intents()).toEqual([]);
  answer.resolve({ late: true });
  await settle();
  expect((await one.orchestrator.ledger(taskId)).at(-1)).toMatchObject({ kind: 'orphan' });
  expect(await intents()).toEqual([]);
});

it('keeps the intent of a write until it is known how it ended', async () => {
  const answer = later();
  const one = scene({
    model: [plan([call('slow')]), draft()],
    tools: [writeTool('slow', { call: () => answer.promise })],
  });
  const taskId = await one.submit();
  await one.orchestrator.cancel(taskId, { by: 'dana' });
  await settle();
  expect((await one.store.load(taskId))?.intents.map(({ tool }) => tool)).toEqual(['slow']);
  answer.resolve({ written: true });
  await settle();
  await one.clock.advance(minute);
  await one.ended(taskId);
  expect((await one.store.load(taskId))?.intents).toEqual([]);
});
