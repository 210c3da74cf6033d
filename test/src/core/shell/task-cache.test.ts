import { expect, it, onTestFinished } from 'vitest';
import { createOrchestrator, defineTaskClass } from '../../../../src/index.ts';
import { draft, identity, plan, scriptedModel } from './scripted.ts';
import { settle, simulatedClock } from './simulated-clock.ts';

const hour = 3_600_000;

/** An orchestrator that unloads every waiting task: one alarm keeps all their deadlines. */
const parked = (questions: Readonly<Record<string, number>>) => {
  const clock = simulatedClock();
  const { model } = scriptedModel(({ asks }) => (asks === 'plan' ? plan([], { confidence: 0.1 }) : draft()));
  const taskClasses = Object.entries(questions).map(([id, question]) =>
    defineTaskClass({ id, tools: [], deadlines: { question } }),
  );
  const orchestrator = createOrchestrator({ taskClasses, model, clock, idleTasks: 0 });
  const settled: string[] = [];
  orchestrator.on('settled', ({ taskId }) => settled.push(taskId));
  onTestFinished(async () => {
    const closed = orchestrator.close();
    await clock.advance(5_000);
    await closed;
  });
  const park = async (taskClass: string): Promise<string> => {
    const { taskId } = await orchestrator.submit({ taskClass, payload: {}, identity });
    await settle();
    expect(await orchestrator.inbox(taskId)).toHaveLength(1);
    return taskId;
  };
  return { clock, settled, park };
};

it('a task cache wakes each unloaded task at its own deadline when the later deadline was armed first', async () => {
  const { clock, settled, park } = parked({ slow: 48 * hour, quick: hour });
  const slow = await park('slow');
  const quick = await park('quick');
  expect(clock.sleeping()).toBe(1);
  await clock.advance(hour - 1);
  expect(settled).toEqual([]);
  await clock.advance(1);
  expect(settled).toEqual([quick]);
  await clock.advance(47 * hour);
  expect(settled).toEqual([quick, slow]);
});

it('a task cache wakes each unloaded task at its own deadline when the earlier deadline was armed first', async () => {
  const { clock, settled, park } = parked({ slow: 48 * hour, quick: hour });
  const quick = await park('quick');
  const slow = await park('slow');
  expect(clock.sleeping()).toBe(1);
  await clock.advance(hour);
  expect(settled).toEqual([quick]);
  await clock.advance(47 * hour);
  expect(settled).toEqual([quick, slow]);
});
