import type { Turn } from '../ports/model.ts';
import type { GuardedRun } from './guarded-run.ts';
import type { Run } from './run.ts';
import type { OpenTurn } from './turn.ts';

/** An agent that the guard runs whenever a task of its class waits for a proposal. It ends once it has concluded or paused. */
export type GuardedAgent = (
  run: Run,
  turn: Pick<Turn, 'request' | 'answers' | 'unmet' | 'attempt'>,
) => Promise<unknown>;

/** Returns a function that runs the agent of a turn's task class, one at a time for each task. */
export const createAgentRunner = (agents: Readonly<Record<string, GuardedAgent>>) => {
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
    // asked while it was about to end: it is begun again for that, and for one turn once
    if (turn === open) turn.fail(new Error(`the agent of ${open.turn.taskClass} ended without a conclusion`));
    else if (turn !== null) await runAgent(agent, run, turn);
  };

  return ({ taskClass }: Turn, run: GuardedRun): void => {
    const agent = Object.hasOwn(agents, taskClass) ? agents[taskClass] : undefined;
    if (agent !== undefined && run.turn !== null && !busy.has(run.taskId))
      void runAgent(agent, run, run.turn);
  };
};
