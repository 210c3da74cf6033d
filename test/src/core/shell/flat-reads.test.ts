import { expect, it, onTestFinished } from 'vitest';
import { createOrchestrator, defineTaskClass } from '../../../../src/index.ts';
import type { Store } from '../../../../src/base/ports/store.ts';
import { memoryDatabase } from '../../../../src/stores/memory/database.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { newFile } from '../../stores/folder.ts';
import { served } from '../../apps/console/served.ts';
import { park } from './parked-store.ts';
import { draft, identity, plan, scriptedModel } from './scripted.ts';
import { settle, simulatedClock } from './simulated-clock.ts';

const day = 86_400_000;

/** Counts what a store gives to its orchestrator: index entries, whole tasks and due tasks. */
const counting = (inner: Store) => {
  let read = 0;
  const store: Store = {
    ...inner,
    taskIndex: async (query) => {
      const entries = await inner.taskIndex(query);
      read += entries.length;
      return entries;
    },
    load: async (taskId) => {
      read += 1;
      return inner.load(taskId);
    },
    due: async (until) => {
      const due = await inner.due(until);
      read += due.taskIds.length;
      return due;
    },
  };
  return {
    store,
    /** Returns what some work reads. */
    during: async (work: () => unknown): Promise<number> => {
      const before = read;
      await work();
      await settle();
      return read - before;
    },
  };
};

/** Databases, and how many parked tasks of each of three kinds they have: few, and many. */
const databases = [
  ['memory', () => memoryDatabase().connect, 60, 670],
  [
    'SQLite',
    () => {
      const file = newFile();
      return () => sqliteStore(file);
    },
    60,
    120,
  ],
] as const;

/** Writes as many tasks of each kind that waits: for a person, for another agent, for no one any more. */
const parkMany = async (store: Store, count: number): Promise<void> => {
  for (let at = 0; at < count; at += 1) {
    await park(store, `asks ${at}`, { questions: [{ priority: at % 5 }] });
    await park(store, `awaits ${at}`, { awaits: 1 });
    await park(store, `settled ${at}`, { isSettled: true });
  }
};

/** Returns what each operation reads while this many tasks of each kind are parked. */
const readsOf = async (connect: () => Store, count: number) => {
  const clock = simulatedClock();
  const parking = connect();
  await parkMany(parking, count);
  await parking.close();
  const start = () => {
    const { store, during } = counting(connect());
    const orchestrator = createOrchestrator({
      taskClasses: [defineTaskClass({ id: 'work', tools: [], deadlines: { question: day } })],
      model: scriptedModel(({ asks }) => (asks === 'plan' ? plan([], { confidence: 0.1 }) : draft())).model,
      store,
      clock,
    });
    const close = async (): Promise<void> => {
      const closed = orchestrator.close();
      await clock.advance(5_000);
      await closed;
    };
    onTestFinished(close);
    return { orchestrator, during, close };
  };
  const first = start();
  const { orchestrator, during } = first;
  const asked: string[] = [];
  const taskIds: string[] = [];
  orchestrator.on('question', ({ message, taskId }) => {
    asked.push(message.messageId);
    taskIds.push(taskId);
  });
  const submit = () => orchestrator.submit({ taskClass: 'work', payload: {}, identity });
  const approve = (target: string | undefined) =>
    orchestrator.respond({ type: 'approve', target: target ?? '' }, { by: 'dana' });
  const reads: Record<string, number> = {
    submit: await during(submit),
    'second submit': await during(submit),
    answer: await during(() => approve(asked[0])),
    'answer to nothing': await during(() =>
      expect(approve(crypto.randomUUID())).rejects.toThrow('no question'),
    ),
  };
  const { next: after } = await orchestrator.inbox({ limit: 3 });
  reads['page of the inbox'] = await during(() => orchestrator.inbox({ limit: 3 }));
  reads['next page of the inbox'] = await during(() => orchestrator.inbox({ limit: 3, after }));
  reads['most urgent questions'] = await during(() => orchestrator.inbox({ limit: 3, order: 'urgent' }));
  reads['inbox of one task'] = await during(() => orchestrator.inbox('asks 3'));
  reads['page of tasks'] = await during(() => orchestrator.list({ limit: 3, order: 'newest' }));
  reads['page of settled tasks'] = await during(() => orchestrator.list({ limit: 3, isSettled: true }));
  reads['one task'] = await during(() => orchestrator.list({ taskId: 'asks 3' }));
  const shown = async (path: string): Promise<void> => {
    const { get } = await served(orchestrator);
    expect(await get(path)).not.toHaveProperty('code');
  };
  reads['console inbox'] = await during(() => shown('api/inbox'));
  reads['console tasks'] = await during(() => shown('api/tasks'));
  reads['console task'] = await during(() => shown(`api/tasks/${taskIds[1]}`));
  reads['console question'] = await during(() => shown(`api/inbox/${asked[1]}`));
  reads['counts'] = await during(() => orchestrator.counts());
  expect(await orchestrator.counts()).toMatchObject({ tasks: 3 * count + 2, asking: count + 1 });
  await first.close();
  const second = start();
  const recoveries: unknown[] = [];
  reads['recover'] = await second.during(async () => recoveries.push(await second.orchestrator.recover()));
  expect(recoveries).toEqual([{ taken: 0, carriedOver: [], refused: [], changed: [] }]);
  reads['recover'] -= count + 1; // it compares what each question shows, and loads none of their tasks
  expect(clock.sleeping()).toBe(1); // for the next deadline of all tasks
  return reads;
};

it.each(databases)(
  'Pages, submissions, answers and recover read no more from %s when many tasks are parked, but one entry a question',
  async (_, open, few, many) => {
    const reads = await readsOf(open(), few);
    expect(await readsOf(open(), many)).toEqual(reads);
    expect(reads).toMatchObject({
      'page of the inbox': 4,
      'next page of the inbox': 4,
      'most urgent questions': 4,
      'inbox of one task': 1,
      'page of tasks': 4,
      'page of settled tasks': 4,
      'one task': 1,
      counts: 0,
      recover: 0,
    });
  },
);
