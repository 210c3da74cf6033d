import type { Run } from '../../guard/index.ts';
import { refusalOf } from './refusal.ts';

/** What LangGraph passes on to each node and tool, of what a graph was invoked with. */
type Configurable = Readonly<Record<string, unknown>>;

/** Which run a graph is under: one, or, for a graph that is made once, the run of its thread, such as `guard.resume`. */
export type RunSource = Run | ((threadId: string, configurable: Configurable) => Run | Promise<Run>);

/** Where `runGraph` names its run to the nodes of a graph. */
const named = 'agentcharter_run';

/** What a graph under a run is invoked with, so that no node acts under another. */
export const under = ({ taskId }: Run, configurable: Configurable = {}): Record<string, unknown> => ({
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
 * The run that a graph is under.
 *
 * Throws `definition_invalid` where `runGraph` was given another one, and what `guard.resume` throws, where that finds it:
 * no thread has no run.
 */
export const runOf = async (source: RunSource, configurable: Configurable = {}): Promise<Run> => {
  const run = await resolved(source, configurable);
  const expected = configurable[named];
  if (expected !== undefined && expected !== run.taskId)
    throw refusalOf(
      'runGraph',
      '/configurable/thread_id',
      'leads to another run than the one that runGraph was given: expected the same; leave thread_id to runGraph, or give ' +
        'it the run of this thread',
    );
  return run;
};
