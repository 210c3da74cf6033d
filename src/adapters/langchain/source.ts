import type { Run } from '../../guard/index.ts';

/** What LangGraph passes on to each node and tool, of what a graph was invoked with. */
type Configurable = Readonly<Record<string, unknown>>;

/** Which run a graph is under: one, or, for a graph that is made once, the run of its thread, such as `guard.resume`. */
export type RunSource = Run | ((threadId: string, configurable: Configurable) => Run | Promise<Run>);

/** The run that a graph is under. Throws what `guard.resume` throws, where that finds it: no thread has no run. */
export const runOf = async (source: RunSource, configurable: Configurable = {}): Promise<Run> => {
  if (typeof source !== 'function') return source;
  const { thread_id: thread } = configurable;
  return source(typeof thread === 'string' ? thread : '', configurable);
};
