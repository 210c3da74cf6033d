import { isCharterError, type CharterError } from '../errors.ts';
import type { Store } from '../ports/store.ts';

/** A store that also tells when a write was refused because another owner took over. */
export const watchOwnership = (store: Store, lose: (error: CharterError<'store_owned'>) => void): Store => {
  const watched = async <Answer>(write: Promise<Answer>): Promise<Answer> => {
    try {
      return await write;
    } catch (error) {
      if (isCharterError(error, 'store_owned')) lose(error);
      throw error;
    }
  };
  return {
    own: () => store.own(),
    commit: (step) => watched(store.commit(step)),
    load: (taskId) => store.load(taskId),
    standings: (which) => store.standings(which),
    find: (by) => store.find(by),
    due: (until) => store.due(until),
    watch: (changed) => store.watch(changed),
    erase: (step, digest) => watched(store.erase(step, digest)),
    close: () => store.close(),
  };
};
