import type { RunnableConfig } from '@langchain/core/runnables';
import { Command, INTERRUPT, isInterrupted, type Interrupt } from '@langchain/langgraph';
import { isObject } from '../../boundary/is-object.ts';
import { CharterError } from '../../errors.ts';
import type { Delivered, Ended, Paused, Run } from '../../guard/index.ts';
import { overIn } from '../../guard/told.ts';

/** An agent of `createAgent`, or a compiled graph; it has a checkpointer. */
export interface Graph {
  invoke(input: unknown, config: RunnableConfig): Promise<unknown>;
  getState(
    config: RunnableConfig,
  ): Promise<{ readonly tasks: readonly { readonly interrupts: readonly Interrupt[] }[] }>;
}

/** The graph is interrupted: by us, while people are asked, or by what else is in it. */
export interface Interrupted extends Paused {
  readonly interrupts: readonly Interrupt[];
}

/** Where a graph stopped. */
export type GraphStop = Delivered | Interrupted | Ended;

const isOurs = ({ value }: Interrupt): boolean => isObject(value) && value['type'] === 'agentcharter.pause';

/** Lets each node that we interrupted run again; what others interrupted is theirs to resume. */
const resumption = async (graph: Graph, config: RunnableConfig): Promise<Command | null> => {
  const { tasks } = await graph.getState(config);
  const ours = tasks.flatMap(({ interrupts }) => interrupts).filter(isOurs);
  const resume = Object.fromEntries(ours.map(({ id }) => [String(id), null]));
  return ours.length === 0 ? null : new Command({ resume });
};

const unfinished = (): CharterError<'definition_invalid'> => {
  const message =
    'the graph ended without a conclusion: expected charterMiddleware, or a deliverNode on each way out';
  return new CharterError('definition_invalid', message, {
    definition: 'runGraph',
    issues: [{ path: '', message }],
  });
};

/**
 * Runs a graph under a run until it delivers, pauses or ends; its thread is the run's `taskId` where `config` names none.
 *
 * Without `input` it goes on from its last checkpoint, in this process or in another. Throws `definition_invalid` for a
 * graph that ends without a conclusion, and what the graph throws.
 */
export const runGraph = async (
  graph: Graph,
  run: Run,
  input?: unknown,
  config: RunnableConfig = {},
): Promise<GraphStop> => {
  const threaded = { ...config, configurable: { thread_id: run.taskId, ...config.configurable } };
  const state = await graph.invoke(input ?? (await resumption(graph, threaded)), threaded);
  const progress = await run.progress();
  const { awaits } = progress;
  if (isInterrupted(state))
    return { status: 'paused', questions: await run.questions(), awaits, interrupts: state[INTERRUPT] };
  const over = overIn(progress);
  if (over === null) throw unfinished();
  return over;
};
