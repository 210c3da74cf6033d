import type { Store } from 'agentcharter';
import type { Step } from 'agentcharter/stores';
import { memoryStore } from 'agentcharter/stores/memory';
import { createCopier, hashedIn } from './copies.ts';
import { createHost, type Host } from './engines/orchestrator.ts';
import { answer } from './engines/parts.ts';
import { approvalOf, newRequest } from './work.ts';

const recorded = async (
  work: (host: Host) => Promise<void>,
  inner: Store = memoryStore(),
): Promise<readonly Step[]> => {
  const steps: Step[] = [];
  const commit: Store['commit'] = (step) => {
    steps.push({ ...step, fence: null }); // written by a store that holds nothing
    return inner.commit(step);
  };
  const host = createHost({ store: { ...inner, commit } });
  await work(host);
  await host.orchestrator.close();
  if (steps.length === 0) throw new Error('the orchestrator writes by another method than commit');
  return steps;
};

/** The steps of a gated run, as a store is given them. */
export const stepsOfRun = (): Promise<readonly Step[]> =>
  recorded(async ({ orchestrator, submit, asked }) => {
    const request = newRequest('write_high_risk');
    const taskId = await submit(request);
    await answer(orchestrator, await asked(taskId), approvalOf(request));
    await orchestrator.settled(taskId);
  });

/** The steps of a gated run up to its question. */
export const stepsToQuestion = (): Promise<readonly Step[]> =>
  recorded(async ({ submit, asked }) => {
    await asked(await submit(newRequest('write_high_risk')));
  });

/** Parks tasks in a store, each with a question, and closes it; returns the steps of each. */
export const parkedIn = async (store: Store, count: number): Promise<readonly (readonly Step[])[]> => {
  const steps = await recorded(async ({ submit, asked }) => {
    for (let left = count; left > 0; left -= 1) await asked(await submit(newRequest('write_high_risk')));
  }, store);
  const tasks = new Set(steps.map(({ taskId }) => taskId));
  return [...tasks].map((task) => steps.filter(({ taskId }) => taskId === task));
};

/** Returns a function that returns the same steps of another task each time: no identifier is used twice. */
export const copiesOf = (steps: readonly Step[]): (() => readonly Step[]) => {
  const { copy } = createCopier([JSON.stringify(steps)], hashedIn(steps));
  return () => JSON.parse(copy()[0] ?? '') as readonly Step[];
};
