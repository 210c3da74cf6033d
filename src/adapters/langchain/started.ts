import { randomIds } from '../../orchestrator/clock.ts';

/** What LangChain calls the runs of tools that were started here. */
const started = new Set<string>();

/** Starts a tool under a name of its run that nothing else knows: who watches a graph tells it from all others by that. */
export const starting = async <Result>(start: (runId: string) => Promise<Result>): Promise<Result> => {
  const runId = randomIds.uuid();
  started.add(runId);
  try {
    return await start(runId);
  } finally {
    started.delete(runId);
  }
};

/** Whether a tool that is about to run was started here. */
export const isStarted = (runId: string): boolean => started.has(runId);
