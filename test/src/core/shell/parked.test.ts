import { expect, it, onTestFinished } from 'vitest';
import {
  createOrchestrator,
  defineTaskClass,
  type InboxEntry,
  type Telemetry,
} from '../../../../src/index.ts';
import { memoryStore } from '../../../../src/stores/memory.ts';
import { memoryDatabase } from '../../../../src/stores/memory/database.ts';
import { draft, identity, plan, scriptedModel } from './scripted.ts';
import { settle, simulatedClock } from './simulated-clock.ts';

const minute = 60_000;

/** Telemetry that records nothing and counts the tasks in memory, from loading to unloading. */
const census = () => {
  let held = 0;
  const work = { at: { traceparent: '' }, run: (made: () => void) => made(), end: () => {} };
  const telemetry: Telemetry = {
    begin: () => {
      held += 1;
      return { at: work.at, step: () => {}, work: () => work, close: () => void (held -= 1) };
    },
  };
  return { telemetry, held: () => held };
};

/** Starts an orchestrator with many tasks that each wait for a person, because the model is unsure of its plan. */
const parked = async (count: number, idleTasks: number) => {
  const clock = simulatedClock();
  const inner = memoryStore();
  const { telemetry, held } = census();
  const loaded: string[] = [];
  const load = (taskId: string) => {
    loaded.push(taskId);
    return inner.load(taskId);
  };
  const { model } = scriptedModel(({ asks }) => (asks === 'plan' ? plan([], { confidence: 0.1 }) : draft()));
  const orchestrator = createOrchestrator({
    taskClasses: [defineTaskClass({ id: 'work', tools: [], deadlines: { question: minute } })],
    model,
    store: { ...inner, load },
    clock,
    telemetry,
    idleTasks,
  });
  const errors: unknown[] = [];
  orchestrator.on('error', ({ error }) => errors.push(error));
  const settled = new Set<string>();
  orchestrator.on('settled', ({ taskId }) => settled.add(taskId));
  onTestFinished(async () => {
    const closed = orchestrator.close();
    await clock.advance(5_000);
    await closed;
    expect(held()).toBe(0);
    expect(errors).toEqual([]);
  });
  const asked = new Map<string, InboxEntry>();
  orchestrator.on('question', (entry) => asked.set(entry.taskId, entry));
  await Promise.all(
    Array.from({ length: count }, () => orchestrator.submit({ taskClass: 'work', payload: {}, identity })),
  );
  for (let turns = 0; turns < count && asked.size < count; turns += 1) await settle();
  expect(asked.size).toBe(count);
  await settle();
  return { orchestrator, clock, asked, loaded, settled, held };
};

it('A task cache keeps as many tasks in memory as configured', async () => {
  const { held, loaded, clock } = await parked(50, 50);
  expect(held()).toBe(50);
  expect(loaded).toEqual([]);
  expect(clock.sleeping()).toBe(50);
});

it('A task cache unloads all other tasks and loads each once, for its answer or its deadline', async () => {
  const { orchestrator, clock, asked, loaded, settled, held } = await parked(300, 10);
  expect(held()).toBe(10);
  expect(loaded).toEqual([]);
  expect(clock.sleeping()).toBe(10 + 1); // the tasks in memory, and one alarm for all others

  const answered = [...asked.keys()].slice(0, 150);
  let most = 0;
  for (const taskId of answered) {
    const target = asked.get(taskId)?.message.messageId ?? '';
    await orchestrator.respond({ type: 'approve', target }, { by: 'dana' });
    for (let turns = 0; turns < 20 && !settled.has(taskId); turns += 1) await settle();
    most = Math.max(most, held());
  }
  await settle();
  expect(settled).toEqual(new Set(answered));
  expect(loaded).toEqual(answered);
  expect(most).toBeLessThanOrEqual(10 + 1); // an answered task is unloaded a moment later
  expect(held()).toBe(10);
  expect(clock.sleeping()).toBe(1);

  await clock.advance(minute);
  for (let turns = 0; turns < 300 && settled.size < 300; turns += 1) await settle();
  await settle();
  expect(settled).toEqual(new Set(asked.keys()));
  expect(loaded).toHaveLength(300);
  expect(new Set(loaded).size).toBe(300);
  expect(held()).toBe(10);
  expect(clock.sleeping()).toBe(0);
});

it('a task whose class this process does not know is traced nowhere', async () => {
  const { connect } = memoryDatabase();
  const { model } = scriptedModel(({ asks }) => (asks === 'plan' ? plan([], { confidence: 0.1 }) : draft()));
  const work = defineTaskClass({ id: 'work', tools: [] });
  const first = createOrchestrator({ taskClasses: [work], model, store: connect() });
  const { taskId } = await first.submit({ taskClass: 'work', payload: {}, identity });
  await first.close();
  const { telemetry, held } = census();
  const other = defineTaskClass({ id: 'other', tools: [] });
  const second = createOrchestrator({ taskClasses: [other], model, store: connect(), telemetry });
  await expect(second.task(taskId)).rejects.toMatchObject({ code: 'not_found' });
  expect(held()).toBe(0);
  await second.close();
});
