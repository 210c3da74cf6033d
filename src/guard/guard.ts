import type { Submission } from '../orchestrator/submission.ts';
import type { OrchestratorOptions } from '../orchestrator/options.ts';
import { createEngine } from '../orchestrator/orchestrator.ts';
import { randomIds } from '../orchestrator/clock.ts';
import type { Keyed, Orchestrator } from '../orchestrator/surface.ts';
import type { Model } from '../ports/model.ts';
import { GuardedRun } from './guarded-run.ts';
import { createAgentRunner, type GuardedAgent } from './agent-runner.ts';
import type { Run } from './run.ts';
import type { GuardContext } from './guard-context.ts';

/** What a guard is made of: an orchestrator without a model, for the agents live in a framework; it owns its store. */
export interface GuardOptions extends Omit<OrchestratorOptions, 'model' | 'role'> {
  /** Agents by the task class that they work on: of tasks that are calls of others, and of those that were taken up again. */
  readonly agents?: Readonly<Record<string, GuardedAgent>>;
  /** Waits until the calls of one step have come together, so that they are one round; a turn of the event loop where left out. */
  readonly gather?: GuardContext['gather'];
}

/** The same chart, gates, approvals and ledger around agents of any framework (UAICP 10). */
export interface Guard extends AsyncDisposable {
  /** Where people answer, and auditors read. */
  readonly orchestrator: Orchestrator;
  /** Begins a governed run. Throws what `submit` throws. */
  readonly begin: (submission: Submission, options?: Keyed) => Promise<Run>;
  /** Goes on with a run, in this process or after another one ended. Throws `not_found`, and what loading it throws. */
  readonly resume: (taskId: string) => Promise<Run>;
  readonly close: () => Promise<void>;
}

/** Builds a guard; throws `definition_invalid` where task classes, tools and verifiers do not fit together. */
export const createGuard = ({
  agents = {},
  gather = (then) => void setImmediate(then),
  ...options
}: GuardOptions): Guard => {
  const runs = new Map<string, GuardedRun>();
  const { ids = randomIds } = options;
  const runOf = (taskId: string): GuardedRun => {
    const run = runs.get(taskId) ?? new GuardedRun(taskId, context);
    runs.set(taskId, run);
    return run;
  };
  const runAgent = createAgentRunner(agents);
  const model: Model = {
    isElsewhere: true,
    answer: (turn, given) => {
      const run = runOf(given.taskId);
      const answer = run.ask(turn, given);
      runAgent(turn, run);
      return answer;
    },
  };
  const { orchestrator, view } = createEngine({ ...options, model, role: 'owner' });
  const context: GuardContext = {
    orchestrator,
    proposals: async (taskId) => (await view(taskId)).projection.proposals,
    tools: new Map((options.tools ?? []).map((tool) => [tool.name, tool])),
    unstated: (id) => options.taskClasses.find((one) => one.id === id)?.unstated ?? 'proceed',
    freshRef: () => ids.uuid(),
    gather,
  };
  orchestrator.on('record', (record) => {
    runs.get(record.taskId)?.recorded(record);
    // what a nested task waits for keeps the outer one waiting, which hears of nothing else
    if (record.fact?.type === 'dependency.awaited') for (const run of runs.values()) run.changed();
  });
  orchestrator.on('question', ({ path }) => path.forEach((taskId) => runs.get(taskId)?.changed()));
  orchestrator.on('settled', ({ taskId }) => {
    runs.get(taskId)?.changed();
    runs.delete(taskId);
  });
  /** A run that is over is told of nothing any more, and kept by whoever holds it. */
  const lent = async (taskId: string): Promise<Run> => {
    const run = runOf(taskId);
    const { isSettled } = await run.progress();
    if (isSettled) runs.delete(taskId);
    return run;
  };
  const close = async (): Promise<void> => {
    await orchestrator.close();
    for (const run of runs.values()) run.changed();
  };
  return {
    orchestrator,
    begin: async (submission, options) => {
      const { taskId } = await orchestrator.submit(submission, options);
      return lent(taskId);
    },
    resume: async (taskId) => {
      await orchestrator.progress(taskId); // of an unknown task nothing is kept
      return lent(taskId);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};
