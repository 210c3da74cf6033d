import type { Ports } from '../shell/duties/performer.ts';
import type { TaskCache } from '../shell/task-cache.ts';

/** The reports of children that ended on other processes, to their parents here. */
export interface ChildReports {
  /** Looks for such children. It is not waited for: a report may roll writes back, and no lease may lapse meanwhile. */
  readonly look: () => void;
  /** Looks if one of these tasks is a child of a parent here. */
  readonly changed: (taskIds: readonly string[]) => void;
}

/** Creates the reports of children of the parents in memory. */
export const createChildReports = (
  { store, children, emit }: Pick<Ports, 'store' | 'children' | 'emit'>,
  cache: Pick<TaskCache, 'parents'>,
  isStopped: () => boolean,
): ChildReports => {
  let looking: Promise<void> | null = null;

  const failed =
    (taskId: string) =>
    (error: unknown): void => {
      if (!isStopped()) emit('error', { taskId, error });
    };

  const lookOnce = async (): Promise<void> => {
    for (const { taskId: parent, view } of cache.parents()) {
      const ended = await store.taskIndex({ parent, isSettled: true });
      const isUnreported = (child: string): boolean => view.unreported.some(([taskId]) => taskId === child);
      for (const { taskId } of ended)
        if (isUnreported(taskId)) children.reportEnd(taskId).catch(failed(taskId));
    }
  };

  const look = (): void => {
    looking ??= lookOnce()
      .catch(failed(''))
      .finally(() => (looking = null));
  };

  return {
    look,
    changed: (taskIds) => {
      const unreported = cache.parents().flatMap(({ view }) => view.unreported);
      if (unreported.some(([taskId]) => taskIds.includes(taskId))) look();
    },
  };
};
