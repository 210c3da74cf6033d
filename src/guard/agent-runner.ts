import type { Turn } from '../ports/model.ts';
import type { GuardedRun } from './guarded-run.ts';
import type { Run } from './run.ts';
import type { OpenTurn } from './turn.ts';

/**
 * An agent that the guard runs when a task of its class needs a proposal. It returns after it concluded or
 * paused.
 */
export type GuardedAgent = (
  run: Run,
  turn: Pick<Turn, 'request' | 'answers' | 'unmet' | 'attempt'>,
) => Promise<unknown>;

/** Returns a function that runs the agent of a turn's task class. A task has at most one running agent. */
export const createAgentRunner = (agents: Readonly<Partial<Record<string, GuardedAgent>>>) => {
  const busy = new Set<string>();

  const runAgent = async (agent: GuardedAgent, run: GuardedRun, open: OpenTurn): Promise<void> => {
    busy.add(run.taskId);
    try {
      await agent(run, open.turn); // both are frozen
    } catch (error) {
      run.turn?.fail(error);
    } finally {
      busy.delete(run.taskId);
    }
    const { turn } = run;
    // a turn that opened while the agent was about to return starts it once more
    if (turn === open) turn.fail(new Error(`the agent of ${open.turn.taskClass} ended without a conclusion`));
    else if (turn !== null) await runAgent(agent, run, turn);
  };

  return ({ taskClass }: Turn, run: GuardedRun): void => {
    const agent = Object.hasOwn(agents, taskClass) ? agents[taskClass] : undefined;
    if (agent !== undefined && run.turn !== null && !busy.has(run.taskId))
      void runAgent(agent, run, run.turn);
  };
};
