import type { Store } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { createGroup } from './group.ts';
import { createOwnership } from './owner.ts';
import { dueBy, loadTask, placeOf } from './read.ts';
import { createSession, gather, type Opening } from './session.ts';
import { countsOf, taskIndexOf } from './task-index.ts';
import { createWatch } from './watch.ts';
import { eraseDocuments } from './write.ts';

/** Creates a store over a file, with its own connection. */
export const createStore = (file: string, poll: number, opening: Opening): Store => {
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

  const group = createGroup(session, ownership.check, watch);

  return {
    own: () => group.alone(() => session.use('own', ownership.take)),
    commit: group.commit,
    load: reads('load', loadTask),
    taskIndex: reads('taskIndex', (connection, query = {}) => taskIndexOf(connection, query)),
    counts: reads('counts', countsOf),
    find: reads('find', placeOf),
    due: reads('due', dueBy),
    watch: (changed) => {
      session.check('watch');
      return watch.add(changed);
    },
    erase: (step, digest) =>
      group.alone(() =>
        session.use('erase', (connection) => {
          const { answer, record } = eraseDocuments(connection, ownership.check, step, digest);
          if (record !== null) watch.wrote(record);
          if (answer !== 'ok') return 'conflict';
          gather(connection);
          return 'ok';
        }),
      ),
    close: () =>
      group.alone(() => {
        watch.close();
        try {
          ownership.end();
        } finally {
          session.close();
        }
      }),
  };
};
