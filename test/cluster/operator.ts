import type { StuckTask } from '../../src/core/shell/operator-surface.ts';
import type { NodeProcess } from './node-process.ts';

/**
 * Looks for stuck tasks at any node, as operators do. A task that ends its process is skipped, or performed at once, as by a
 * queue, until it is left to people. In the end, others are retried: they would be left alone for a minute and more.
 */
export const operate = async (anyNode: () => NodeProcess | undefined, isSettling: boolean): Promise<void> => {
  const stuck = (await anyNode()?.ask({ do: 'stuck' })) ?? [];
  for (const { taskId: task, reason, isHeld, taskClass } of stuck as readonly StuckTask[]) {
    if (reason !== 'process_ends' || isHeld) continue;
    if (taskClass === 'thinking') await anyNode()?.ask({ do: 'perform', task });
    else if (taskClass === 'checking') await anyNode()?.ask({ do: 'skip', task });
    else if (isSettling) await anyNode()?.ask({ do: 'retry', task });
  }
};
