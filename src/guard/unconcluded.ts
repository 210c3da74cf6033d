import type { Run } from './run.ts';

/** The runs whose model's last word is an answer that `conclude` did not get. */
const answered = new WeakSet<Pick<Run, 'taskId'>>();

/** Notes that the model of a run answered: `conclude` should follow. */
export const noteAnswer = (run: Pick<Run, 'taskId'>): void => void answered.add(run);

/** Notes that the answer of a run was proposed. */
export const noteConclusion = (run: Pick<Run, 'taskId'>): void => void answered.delete(run);

/** Warns of the runs whose answer no one checked. */
export const warnOfUnconcluded = (runs: Iterable<Pick<Run, 'taskId'>>): void => {
  const [first, ...more] = [...runs].filter((run) => answered.has(run));
  if (first === undefined) return;
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  process.emitWarning(
    `the agent of task ${first.taskId}${others} answered, and no one checked the answer: nothing was delivered. Call generateGuarded or streamGuarded, or run.conclude({ payload }) with the answer`,
    { type: 'AgentCharterWarning', code: 'AGENTCHARTER_UNCONCLUDED' },
  );
};
