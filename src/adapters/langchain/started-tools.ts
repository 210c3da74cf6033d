import { randomIds } from '../../core/shell/clock.ts';

/** The LangChain run ids of tools that we started. */
const started = new Set<string>();

/** Starts a tool under a secret run id, by which the watch recognizes it. */
export const startTool = async <Result>(start: (runId: string) => Promise<Result>): Promise<Result> => {
  const runId = randomIds.uuid();
  started.add(runId);
  try {
    return await start(runId);
  } finally {
    started.delete(runId);
  }
};

/** Returns whether we started the tool with this run id. */
export const isStarted = (runId: string): boolean => started.has(runId);
