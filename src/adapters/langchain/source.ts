import type { Run } from '../../guard/index.ts';
import { refusalOf } from './refusal.ts';

/** The `configurable` that LangGraph passes to each node and tool. */
type Configurable = Readonly<Record<string, unknown>>;

/**
 * The run of a graph, or for a graph that is built once, a function that returns the run of a thread, such as
 * `guard.resume`.
 */
export type RunSource = Run | ((threadId: string, configurable: Configurable) => Run | Promise<Run>);

/** The key of the run id in `configurable`. */
const named = 'agentcharter_run';

/** Returns the `configurable` that binds a graph to a run. */
export const configurableFor = (
  { taskId }: Run,
  configurable: Configurable = {},
): Record<string, unknown> => ({
  thread_id: taskId,
  ...configurable,
  [named]: taskId,
});

const resolved = (source: RunSource, configurable: Configurable): Run | Promise<Run> => {
  if (typeof source !== 'function') return source;
  const { thread_id: thread } = configurable;
  return source(typeof thread === 'string' ? thread : '', configurable);
};

/**
 * Returns the run of a graph.
 *
 * Throws `definition_invalid` if `runGraph` was given another run or there is no thread id, and what
 * `guard.resume` throws.
 */
export const runOf = async (source: RunSource, configurable: Configurable = {}): Promise<Run> => {
  const run = await resolved(source, configurable);
  const expected = configurable[named];
  if (expected !== undefined && expected !== run.taskId)
    throw refusalOf(
      'runGraph',
      '/configurable/thread_id',
      'returns another run than the one passed to runGraph: expected the same; let runGraph set thread_id, or pass it the ' +
        'run of this thread',
    );
  return run;
};
