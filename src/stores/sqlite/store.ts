import type { Step, Store } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { createOwnership } from './owner.ts';
import { dueBy, loadTask, placeOf, taskIndexOf } from './read.ts';
import { createSession, gather, type Opening } from './session.ts';
import { createWatch } from './watch.ts';
import { commitStep, eraseDocuments, type Written } from './write.ts';

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

  const noteWrite = ({ answer, record }: Written): Written['answer'] => {
    if (record !== null) watch.wrote(record);
    return answer;
  };

  return {
    own: reads('own', ownership.take),
    commit: reads('commit', (connection, step: Step) =>
      noteWrite(commitStep(connection, ownership.check, step)),
    ),
    load: reads('load', loadTask),
    taskIndex: reads('taskIndex', (connection, which = {}) => taskIndexOf(connection, which)),
    find: reads('find', placeOf),
    due: reads('due', dueBy),
    watch: (changed) => {
      session.check('watch');
      return watch.add(changed);
    },
    erase: reads('erase', (connection, step: Step, digest: string) => {
      const answer = noteWrite(eraseDocuments(connection, ownership.check, step, digest));
      if (answer !== 'ok') return 'conflict';
      gather(connection);
      return 'ok';
    }),
    close: async () => {
      watch.close();
      try {
        ownership.end();
      } finally {
        session.close();
      }
    },
  };
};
