import type { Hold, Step, Store, TaskCopy, Transfer } from '../../base/ports/store.ts';
import type { Connection } from './connection.ts';
import { createGroup } from './group.ts';
import { createOwnership } from './owner.ts';
import { createPacker, maxTasks } from './packer.ts';
import { dueBy, loadTask, placeOf } from './read.ts';
import { canBePacked, packsOf, restingTasks, writePacks } from './rest.ts';
import { beginPause, endPause, obstacleTo, pausesIn, writePauses } from './regulation.ts';
import { prunedAfter, prunedIn, pruneTasks, writePruned } from './retention.ts';
import { createSession, gather, type Opening } from './session.ts';
import { countsOf, taskIndexOf } from './task-index.ts';
import { copyOf, namesAfter, writeCopy, writeNames } from './transfer.ts';
import { createWatch } from './watch.ts';
import { figuresOf, stalledOf } from './workload.ts';
import { eraseDocuments, type Written } from './write.ts';

/** How long a task rests before it is packed, in milliseconds: most questions that are answered at once are by then. */
const restTime = 2_000;

/** The maximum number of tasks that are packed when a store closes: they hold the event loop. */
const maxAtEnd = 1_024;

/** Creates a store over a file, with its own connection. */
export const createStore = (file: string, poll: number, opening: Opening, packAfter = restTime): Store => {
  const session = createSession(file, opening);
  const watch = createWatch(session, poll);
  const ownership = createOwnership(session.file);

  const reads =
    <Given extends readonly unknown[], Found>(
      operation: string,
      read: (connection: Connection, ...given: Given) => Found,
    ) =>
    async (...given: Given): Promise<Found> =>
      session.use(operation, (connection) => read(connection, ...given));

  const packer = createPacker(
    {
      find: () => session.use('pack', restingTasks),
      packsOf: (taskId, begin) => session.use('pack', (connection) => packsOf(connection, taskId, begin)),
      write: (packs) =>
        group.write((connection) => ({ answer: 'ok', records: writePacks(connection, packs) })),
    },
    packAfter,
  );

  const addToPacker = (step: Step): void => {
    if (canBePacked(step)) packer.add(step.taskId);
  };

  const group = createGroup(session, ownership, watch, addToPacker);

  /** Packs what rests when the store closes. A busy file is left to the next owner. */
  const packAtEnd = (taskIds: readonly string[]): void => {
    try {
      for (let from = 0; from < Math.min(taskIds.length, maxAtEnd); from += maxTasks)
        session.use('close', (connection) => {
          connection.script('PRAGMA busy_timeout = 0');
          connection.transaction('IMMEDIATE', () => {
            ownership.check(connection);
            const batch = taskIds.slice(from, from + maxTasks);
            writePacks(
              connection,
              batch.flatMap((taskId) => packsOf(connection, taskId).packs),
            );
          });
        });
    } catch {
      // they keep their rows
    }
  };

  const stillHeld = (connection: Connection, holds: readonly Hold[]): readonly Hold[] => {
    const current = holds.filter(({ fence }) => ownership.isCurrent(fence));
    if (current.length > 0) ownership.check(connection);
    return current;
  };

  const writeTask = (copy: TaskCopy): 'ok' | 'conflict' => {
    const records = session.use('transfer', (connection) =>
      connection.transaction('IMMEDIATE', () => {
        ownership.check(connection);
        const written = writeCopy(connection, copy);
        if (written !== null) ownership.raise(connection, copy.fence);
        return written;
      }),
    );
    if (records === null) return 'conflict';
    for (const record of records) watch.wrote(record);
    packer.add(copy.indexEntry.taskId);
    return 'ok';
  };

  /** Makes a write that anyone may make, in a transaction of its own. */
  const writes =
    <Given extends readonly unknown[], Result>(
      operation: string,
      write: (connection: Connection, ...given: Given) => Result,
      check: (connection: Connection) => void = () => {},
    ) =>
    (...given: Given): Promise<Result> =>
      group.alone(() =>
        session.use(operation, (connection) =>
          connection.transaction('IMMEDIATE', () => {
            check(connection);
            return write(connection, ...given);
          }),
        ),
      );

  const transfer: Transfer = {
    readTask: reads('transfer', copyOf),
    writeTask: (copy) => group.alone(() => writeTask(copy)),
    readNames: reads('transfer', namesAfter),
    writeNames: writes('transfer', writeNames, ownership.check),
    readPruned: reads('transfer', prunedAfter),
    writePruned: writes('transfer', writePruned, ownership.check),
    writePauses: writes('transfer', writePauses, ownership.check),
    checkUnused: reads('transfer', () => {}),
    release: reads('transfer', () => {}),
  };

  return {
    lease: Infinity,
    take: () =>
      group.alone(() => {
        const fence = session.use('take', ownership.take);
        packer.adopt();
        return [{ taskId: null, fence, lapsed: null, attempts: 0 }];
      }),
    keep: reads('keep', stillHeld),
    letGo: (holds) =>
      group.alone(() => {
        session.check('letGo');
        if (holds.some(({ fence }) => ownership.isCurrent(fence))) ownership.end();
      }),
    now: () => null,
    commit: group.commit,
    load: reads('load', loadTask),
    taskIndex: reads('taskIndex', (connection, query = {}) => taskIndexOf(connection, query)),
    counts: reads('counts', countsOf),
    figures: reads('figures', figuresOf),
    stalled: reads('stalled', stalledOf),
    setAttempts: reads('setAttempts', () => false),
    prune: async (tasks, at) => {
      session.check('prune');
      const pruned = (connection: Connection): Written => ({
        answer: pruneTasks(connection, tasks, at) ? 'ok' : 'conflict',
        records: [],
      });
      return (await group.write(pruned, true)) === 'ok';
    },
    pruned: reads('pruned', prunedIn),
    pause: writes('pause', beginPause),
    resume: writes('resume', endPause),
    pauses: reads('pauses', pausesIn),
    obstacle: reads('obstacle', (connection, regulated) => obstacleTo(connection, null, regulated)),
    find: reads('find', placeOf),
    due: reads('due', dueBy),
    watch: (changed) => {
      session.check('watch');
      return watch.add(changed);
    },
    erase: (step, digest) =>
      group.alone(() =>
        session.use('erase', (connection) => {
          if (step.fence !== null && !ownership.isCurrent(step.fence)) return 'fenced';
          const { answer, records } = eraseDocuments(connection, ownership.check, step, digest);
          for (const record of records) watch.wrote(record);
          if (answer !== 'ok') return 'conflict';
          addToPacker(step);
          gather(connection);
          return 'ok';
        }),
      ),
    transfer,
    close: () =>
      group.alone(() => {
        watch.close();
        try {
          packAtEnd(packer.end());
          ownership.end();
        } finally {
          session.close();
        }
      }),
  };
};
