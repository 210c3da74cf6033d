import type { Store } from 'agentcharter';
import type { Hold } from 'agentcharter/stores';
import { machineTime, type Fenced, type NodeEvent, type Taken } from './events.ts';

const fenced = (holds: readonly Hold[]): readonly Fenced[] =>
  holds.flatMap(({ taskId, fence }) => (taskId === null ? [] : [{ task: taskId, fence }]));

const taken = (holds: readonly Hold[]): readonly Taken[] =>
  holds.flatMap(({ taskId, fence, lapsed, attempts }) =>
    taskId === null ? [] : [{ task: taskId, fence, lapsed, attempts }],
  );

/** Writes down what a node asks of its store, and what it is answered. */
export const watched = (node: string, inner: Store, print: (event: NodeEvent) => void): Store => ({
  ...inner,
  take: async (...asked) => {
    const sent = machineTime();
    const holds = await inner.take(...asked);
    if (holds.length > 0) print({ is: 'took', node, sent, at: machineTime(), holds: taken(holds) });
    return holds;
  },
  keep: async (holds) => {
    const sent = machineTime();
    const kept = await inner.keep(holds);
    if (kept.length > 0) print({ is: 'kept', node, sent, at: machineTime(), holds: fenced(kept) });
    return kept;
  },
  letGo: (holds) => {
    if (holds.length > 0) print({ is: 'let go', node, sent: machineTime(), holds: fenced(holds) });
    return inner.letGo(holds);
  },
  commit: async (step) => {
    const sent = machineTime();
    const answer = await inner.commit(step);
    const { taskId: task, fence, record } = step;
    const { seq, hash } = record;
    const fact = record.fact?.type ?? null;
    if (answer === 'ok')
      print({ is: 'committed', node, sent, at: machineTime(), task, seq, hash, fence, fact });
    return answer;
  },
  watch: (changed) =>
    inner.watch((tasks) => {
      print({ is: 'reported', node, tasks });
      changed(tasks);
    }),
});
