import { causeOf } from '../../base/errors.ts';
import { clientTasks, type ClientTasks } from './client-tasks.ts';
import { keyOf, openTasks, type Office, type Whose } from './open-tasks.ts';

/** The tasks of all clients. */
export interface Desks {
  readonly of: (whose: Whose) => ClientTasks;
  /** Concludes what is idle. */
  readonly sweep: () => Promise<void>;
  /** Concludes what does not wait. */
  readonly leave: () => Promise<void>;
}

/** Opens the tasks of all clients, with those of earlier processes. */
export const openDesks = async (office: Office): Promise<Desks> => {
  const desks = new Map<string, ClientTasks>();
  for (const { whose, works } of await openTasks(office))
    desks.set(keyOf(whose), clientTasks(whose, works, office));

  const each = async (work: (tasks: ClientTasks) => Promise<void>): Promise<void> => {
    const all = [...desks.values()].map((tasks) =>
      work(tasks).catch((error: unknown) => office.say(causeOf(error))),
    );
    await Promise.all(all);
  };

  return {
    of: (whose) => {
      const key = keyOf(whose);
      const tasks = desks.get(key) ?? clientTasks(whose, [], office);
      desks.set(key, tasks);
      return tasks;
    },
    sweep: async () => {
      await each(({ sweep }) => sweep());
      // clients name sessions as they like, so that those without a task are not kept
      for (const [key, tasks] of desks) if (tasks.isForgettable()) desks.delete(key);
    },
    leave: () => each(({ leave }) => leave()),
  };
};
