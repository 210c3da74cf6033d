import type { RunnableConfig } from '@langchain/core/runnables';
import { INTERRUPT, isInterrupted, type Interrupt } from '@langchain/langgraph';
import { CharterError } from '../../base/errors.ts';
import type { Delivered, Ended, Paused, Run } from '../../guard/index.ts';
import { attending } from '../../guard/attending.ts';
import { overIn } from '../../guard/tool-feedback.ts';
import { checkCheckpoint, isResumption, resumption, type Checkpoint } from './checkpoint.ts';
import { refusalIn, refusalOf } from './refusal.ts';
import { configurableFor } from './source.ts';
import { GraphWatch } from './watch.ts';

/** An agent of `createAgent`, or a compiled graph, with a checkpointer. */
export interface Graph {
  invoke(input: unknown, config: RunnableConfig): Promise<unknown>;
  getState(config: RunnableConfig): Promise<Checkpoint>;
}

/** The graph is interrupted: by an open question, or by a node of yours. */
export interface Interrupted extends Paused {
  readonly interrupts: readonly Interrupt[];
}

/** Where a graph stopped. */
export type GraphStop = Delivered | Interrupted | Ended;

/** Options of `runGraph`. */
export interface RunGraphOptions {
  /**
   * Members of a model request that start no tool at your provider. By default, only known members that
   * affect the answer are allowed.
   */
  readonly providerKeys?: readonly string[];
}

const unfinished = (): CharterError<'definition_invalid'> => {
  const message =
    'the graph ended without a conclusion: expected charterMiddleware, or a deliverNode on each path to the end';
  return new CharterError('definition_invalid', message, {
    definition: 'runGraph',
    issues: [{ path: '', message }],
  });
};

/** Returns your callbacks, preceded by ours. */
const watched = (
  watch: GraphWatch,
  callbacks: RunnableConfig['callbacks'],
): NonNullable<RunnableConfig['callbacks']> =>
  callbacks === undefined || Array.isArray(callbacks)
    ? [watch, ...(callbacks ?? [])]
    : callbacks.copy([watch]);

/** Returns the error for a graph that cannot wait, in place of the framework's; `null` for another error. */
const unsaved = (error: unknown): CharterError | null =>
  error instanceof Error && error.message.includes('No checkpointer set')
    ? refusalOf(
        'runGraph',
        '',
        'expected a graph with a checkpointer, which it needs to wait for a person: pass `checkpointer: new MemorySaver()`, or taskCheckpointer(run)',
        { cause: error },
      )
    : null;

/** Invokes the graph once. Rethrows our error, even if the graph caught it. */
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

/** Returns the input of a graph: the given one, or what continues a checkpoint of this run. */
const inputOf = async (
  graph: Graph,
  run: Run,
  given: unknown,
  threaded: { readonly configurable: Record<string, unknown> },
): Promise<unknown> => {
  const isSaved = (await run.savedState()) !== null;
  if (!isSaved && !isResumption(given)) return given;
  const checkpoint = await graph.getState(threaded);
  checkCheckpoint(checkpoint, run, threaded.configurable['thread_id']);
  return isResumption(given) ? (given ?? resumption(checkpoint)) : resumption(checkpoint);
};

/**
 * Runs a graph until its run delivers, pauses or ends. By default, its thread id is the run's `taskId`.
 *
 * Without `input`, or with a `taskCheckpointer` that saved one, continues from the last checkpoint, also in another
 * process. Throws `input_unreadable` for
 * a checkpoint of another run. Throws `definition_invalid` for a graph that belongs to another run, calls
 * unbound tools, or ends without a conclusion. Throws what the graph throws.
 */
export const runGraph = async (
  graph: Graph,
  run: Run,
  input?: unknown,
  config: RunnableConfig = {},
  options: RunGraphOptions = {},
): Promise<GraphStop> => {
  if (typeof input === 'string')
    throw refusalOf('runGraph', '', `expected an input such as { messages: '…' }, was a string`);
  const threaded = { ...config, configurable: configurableFor(run, config.configurable) };
  const state = await attending(run, async () => {
    try {
      return await invoked(graph, await inputOf(graph, run, input, threaded), threaded, options);
    } catch (error) {
      throw unsaved(error) ?? error;
    }
  });
  const progress = await run.progress();
  const { awaits } = progress;
  if (isInterrupted(state))
    return { status: 'paused', questions: await run.questions(), awaits, interrupts: state[INTERRUPT] };
  const over = overIn(progress);
  if (over === null) throw unfinished();
  return over;
};
