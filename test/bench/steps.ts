import type { Store } from 'agentcharter';
import type { Step } from 'agentcharter/stores';
import { memoryStore } from 'agentcharter/stores/memory';
import { v7 } from 'uuid';
import { createHost, type Host } from './engines/orchestrator.ts';
import { answer } from './engines/parts.ts';
import { approvalOf, newRequest } from './work.ts';

const recorded = async (work: (host: Host) => Promise<void>): Promise<readonly Step[]> => {
  const steps: Step[] = [];
  const inner = memoryStore();
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

/** Returns a function that returns the same steps of another task each time: no identifier is used twice. */
export const copiesOf = (steps: readonly Step[]): (() => readonly Step[]) => {
  const text = JSON.stringify(steps);
  return () => {
    const names = new Map<string, string>();
    const renamed = text.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (name) => {
      const known = names.get(name) ?? v7();
      names.set(name, known);
      return known;
    });
    return JSON.parse(renamed) as readonly Step[];
  };
};
