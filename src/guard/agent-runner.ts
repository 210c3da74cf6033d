import type { OutputOf, ProposalOf, TaskClasses, TaskClassId, Tools } from '../base/define/inferred.ts';
import type { Turn } from '../base/ports/model.ts';
import type { Payload } from '../base/ports/schema.ts';
import type { GuardedRun } from './guarded-run.ts';
import type { Run } from './run.ts';
import type { OpenTurn } from './turn.ts';

/**
 * An agent that the guard runs when a task of its class needs a proposal. It returns after it concluded or
 * paused. `turn.request` is the submitted payload.
 */
export type GuardedAgent<
  Given extends Tools = Tools,
  Output extends Payload = Payload,
  Proposal extends Payload = Payload,
> = (
  run: Run<Given, Output, Proposal>,
  turn: Pick<Turn, 'request' | 'answers' | 'reviews' | 'unmet' | 'attempt'>,
) => Promise<unknown>;

/** Agents by the names of their task classes: the run of each knows your tools, and what its class delivers. */
export type GuardedAgents<Given extends Tools, Classes extends TaskClasses> = {
  readonly [Id in TaskClassId<Classes>]?: GuardedAgent<Given, OutputOf<Classes, Id>, ProposalOf<Classes, Id>>;
};

/** Returns a function that runs the agent of a run, if its turn is open and no one runs it. */
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

  return (run: GuardedRun): void => {
    const open = run.turn;
    if (open === null || !run.isFree || busy.has(run.taskId)) return;
    const { taskClass } = open.turn;
    const agent = Object.hasOwn(agents, taskClass) ? agents[taskClass] : undefined;
    if (agent !== undefined) void runAgent(agent, run, open);
  };
};
