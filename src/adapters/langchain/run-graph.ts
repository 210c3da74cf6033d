import type { RunnableConfig } from '@langchain/core/runnables';
import { INTERRUPT, isInterrupted, type Interrupt } from '@langchain/langgraph';
import { CharterError } from '../../errors.ts';
import type { Delivered, Ended, Paused, Run } from '../../guard/index.ts';
import { overIn } from '../../guard/tool-feedback.ts';
import { checkCheckpoint, isResumption, resumption, type Checkpoint } from './checkpoint.ts';
import { refusalIn } from './refusal.ts';
import { under } from './source.ts';
import { GraphWatch } from './watch.ts';

/** An agent of `createAgent`, or a compiled graph; it has a checkpointer. */
export interface Graph {
  invoke(input: unknown, config: RunnableConfig): Promise<unknown>;
  getState(config: RunnableConfig): Promise<Checkpoint>;
}

/** The graph is interrupted: by us, while people are asked, or by what else is in it. */
export interface Interrupted extends Paused {
  readonly interrupts: readonly Interrupt[];
}

/** Where a graph stopped. */
export type GraphStop = Delivered | Interrupted | Ended;

/** What else a graph is run with. */
export interface RunGraphOptions {
  /**
   * Members of a model's request that you know to start nothing at your provider; by default only those that shape an answer
   * are sent.
   */
  readonly providerKeys?: readonly string[];
}

const unfinished = (): CharterError<'definition_invalid'> => {
  const message =
    'the graph ended without a conclusion: expected charterMiddleware, or a deliverNode on each way out';
  return new CharterError('definition_invalid', message, {
    definition: 'runGraph',
    issues: [{ path: '', message }],
  });
};

/** The host's callbacks, and ours before them. */
const watched = (
  watch: GraphWatch,
  callbacks: RunnableConfig['callbacks'],
): NonNullable<RunnableConfig['callbacks']> =>
  callbacks === undefined || Array.isArray(callbacks)
    ? [watch, ...(callbacks ?? [])]
    : callbacks.copy([watch]);

/** Runs the graph once; what was refused in it is thrown, whatever the graph made of it. */
const invoked = async (
  graph: Graph,
  input: unknown,
  config: RunnableConfig,
  { providerKeys = [] }: RunGraphOptions,
): Promise<unknown> => {
  const watch = new GraphWatch(graph, providerKeys);
  try {
    const state = await graph.invoke(input, { ...config, callbacks: watched(watch, config.callbacks) });
    if (watch.refusal !== null) throw watch.refusal;
    return state;
  } catch (error) {
    throw watch.refusal ?? refusalIn(error) ?? error;
  }
};

/**
 * Runs a graph under a run until it delivers, pauses or ends; its thread is the run's `taskId` where `config` names none.
 *
 * Without `input` it goes on from its last checkpoint, in this process or in another. Throws `input_unreadable` for a
 * checkpoint of another run, `definition_invalid` for a graph that is under another run, that calls what is not bound, or
 * that ends without a conclusion, and what the graph throws.
 */
export const runGraph = async (
  graph: Graph,
  run: Run,
  input?: unknown,
  config: RunnableConfig = {},
  options: RunGraphOptions = {},
): Promise<GraphStop> => {
  const threaded = { ...config, configurable: under(run, config.configurable) };
  let given = input;
  if (isResumption(input)) {
    const checkpoint = await graph.getState(threaded);
    checkCheckpoint(checkpoint, run, threaded.configurable['thread_id']);
    given = input ?? resumption(checkpoint);
  }
  const state = await invoked(graph, given, threaded, options);
  const progress = await run.progress();
  const { awaits } = progress;
  if (isInterrupted(state))
    return { status: 'paused', questions: await run.questions(), awaits, interrupts: state[INTERRUPT] };
  const over = overIn(progress);
  if (over === null) throw unfinished();
  return over;
};
