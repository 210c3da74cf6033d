import { expect, it } from 'vitest';
import { createOrchestrator, defineTaskClass } from '../../../../src/index.ts';
import { memoryStore } from '../../../../src/stores/memory.ts';
import { draft, identity, later, plan, scriptedModel } from './scripted.ts';

/** The machine's clock, and the timers that it runs. */
const watched = () => {
  const timers = new Set<NodeJS.Timeout>();
  const wakeAt = (at: number, wake: () => void) => {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        wake();
      },
      Math.max(0, at - Date.now()),
    );
    timers.add(timer);
    return () => {
      timers.delete(timer);
      clearTimeout(timer);
    };
  };
  return { timers, clock: { now: () => Date.now(), monotonic: () => performance.now(), wakeAt } };
};

it('leaves no deadline of a task that begins while its orchestrator closes', async () => {
  const { timers, clock } = watched();
  const errors: unknown[] = [];
  const begun = later();
  const inner = memoryStore();
  const orchestrator = createOrchestrator({
    taskClasses: [defineTaskClass({ id: 'work', tools: [] })],
    model: scriptedModel([plan([]), draft()]).model,
    store: {
      ...inner,
      find: async (by) => {
        await begun.promise;
        return inner.find(by);
      },
    },
    clock,
  });
  orchestrator.on('error', ({ error }) => errors.push(error));
  const submitted = orchestrator.submit({ taskClass: 'work', payload: {}, identity }, { key: 'request-1' });
  const closed = orchestrator.close();
  begun.resolve(null);
  await Promise.allSettled([submitted, closed]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(timers.size).toBe(0);
  expect(errors).toEqual([]);
});
