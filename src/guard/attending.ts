import type { Run } from './run.ts';

/** Runs an agent of a binding; meanwhile the guard starts no agent for this run. */
export const attending = async <Result>(
  run: Pick<Run, 'attend'>,
  work: () => Promise<Result>,
): Promise<Result> => {
  const leave = run.attend();
  try {
    return await work();
  } finally {
    leave();
  }
};
