import { CharterError } from '../../base/errors.ts';
import type { Hold, Step, Store } from '../../base/ports/store.ts';
import { dueBy, loadTask, placeOf, taskIndexOf } from './read.ts';
import { beginPause, endPause, obstacleTo, pausesIn, writePauses } from './regulation.ts';
import { prunedAfter, prunedIn, pruneTasks, writePruned } from './retention.ts';
import { emptyTables } from './tables.ts';
import { copyOf, namesAfter, writeCopy, writeNames } from './transfer.ts';
import { figuresOf, stalledOf } from './workload.ts';
import { commitStep, eraseDocuments } from './write.ts';

interface Watcher {
  readonly connection: object;
  readonly changed: (taskIds: readonly string[]) => void;
}

const owned = (): CharterError => {
  const message = 'another orchestrator owns this store in memory: close that one first';
  return new CharterError('store_owned', message, { store: 'memory' });
};

/** Creates a database in memory; each connection acts like a store of another process. */
export const memoryDatabase = (): { readonly connect: () => Store } => {
  const tables = emptyTables();
  const watchers = new Set<Watcher>();
  let holder: object | null = null;
  /** The number of connections that have held it. */
  let fence = 0;

  const notify = (watcher: Watcher, taskId: string): void =>
    queueMicrotask(() => {
      if (watchers.has(watcher)) watcher.changed([taskId]);
    });

  const connect = (): Store => {
    const connection = {};
    let isClosed = false;
    const checkOpen = (operation: string): void => {
      if (isClosed)
        throw new CharterError('closed', `${operation}: the store is closed; create a new one`, {
          operation,
        });
    };
    const reads =
      <Given extends readonly unknown[], Found>(operation: string, read: (...given: Given) => Found) =>
      async (...given: Given): Promise<Found> => {
        checkOpen(operation);
        return read(...given);
      };
    const writes = <Given extends readonly [Step, ...(readonly unknown[])], Answer>(
      operation: string,
      write: (...given: Given) => Answer,
    ) =>
      reads(operation, (...given: Given): Answer => {
        const answer = write(...given);
        if (answer !== 'ok') return answer;
        for (const watcher of watchers) {
          if (watcher.connection !== connection) notify(watcher, given[0].taskId);
        }
        return answer;
      });
    const isCurrent = (hold: Pick<Hold, 'fence'>): boolean => holder === connection && hold.fence === fence;
    const mayWrite = (step: Step): boolean => step.fence === null || isCurrent({ fence: step.fence });
    const take = (): readonly Hold[] => {
      if (holder !== null && holder !== connection) throw owned();
      if (holder === null) fence += 1;
      holder = connection;
      return [{ taskId: null, fence, lapsed: null, attempts: 0 }];
    };
    return {
      lease: Infinity,
      take: reads('take', take),
      keep: reads('keep', (holds) => holds.filter(isCurrent)),
      letGo: reads('letGo', (holds) => {
        if (holds.some(isCurrent)) holder = null;
      }),
      now: () => null,
      commit: writes('commit', (step) => (mayWrite(step) ? commitStep(tables, step) : 'fenced')),
      load: reads('load', (taskId) => loadTask(tables, taskId)),
      taskIndex: reads('taskIndex', (query = {}) => taskIndexOf(tables, query)),
      counts: reads('counts', () => tables.counts),
      figures: reads('figures', (now) => figuresOf(tables, now)),
      stalled: reads('stalled', (before, limit) => stalledOf(tables, before, limit)),
      setAttempts: reads('setAttempts', () => false),
      pause: reads('pause', (...given) => beginPause(tables, ...given)),
      resume: reads('resume', (...given) => endPause(tables, ...given)),
      pauses: reads('pauses', (ended) => pausesIn(tables, ended)),
      obstacle: reads('obstacle', (regulated) => obstacleTo(tables, '', regulated)),
      prune: reads('prune', (tasks, at) => pruneTasks(tables, tasks, at)),
      pruned: reads('pruned', (by) => prunedIn(tables, by)),
      find: reads('find', (by) => placeOf(tables, by)),
      due: reads('due', (until) => dueBy(tables, until)),
      watch: (changed) => {
        checkOpen('watch');
        const watcher = { connection, changed };
        watchers.add(watcher);
        return () => void watchers.delete(watcher);
      },
      erase: writes('erase', (step, digest) =>
        mayWrite(step) ? eraseDocuments(tables, step, digest) : 'fenced',
      ),
      transfer: {
        readTask: reads('transfer', (taskId) => copyOf(tables, taskId, fence)),
        writeTask: reads('transfer', (copy) => {
          const answer = writeCopy(tables, copy);
          if (answer === 'ok') fence = Math.max(fence, copy.fence);
          return answer;
        }),
        readNames: reads('transfer', (kind, after, limit) => namesAfter(tables, kind, after, limit)),
        writeNames: reads('transfer', (kind, names) => writeNames(tables, kind, names)),
        readPruned: reads('transfer', (after, limit) => prunedAfter(tables, after, limit)),
        writePruned: reads('transfer', (tasks) => writePruned(tables, tasks)),
        writePauses: reads('transfer', (pauses) => writePauses(tables, pauses)),
        checkUnused: reads('transfer', () => {}),
        release: reads('transfer', () => {}),
      },
      close: async () => {
        isClosed = true;
        if (holder === connection) holder = null;
        for (const watcher of watchers) if (watcher.connection === connection) watchers.delete(watcher);
      },
    };
  };
  return { connect };
};
