import { stateName } from '../../machines/index.ts';
import { CharterError } from '../errors.ts';
import type { Actor, LedgerRecord } from '../ports/ledger.ts';
import type { Store } from '../ports/store.ts';
import type { Task } from './task.ts';

/** What a record holds that can be erased: everything but the contract, which replay begins with. */
const erasableIn = ({ documents, emitted }: LedgerRecord): readonly string[] => {
  const { contract: _contract, ...rest } = documents;
  return [...Object.values(rest), ...emitted];
};

/**
 * Takes every document of a digest out of a settled task; the ledger keeps the digest, and says who did it.
 *
 * Throws `task_unsettled`, since gates rest on what would go, and `not_found` for a digest that names no document here.
 */
export const eraseDocument = async (
  task: Task,
  store: Store,
  digest: string,
  actor: Actor,
): Promise<void> => {
  const { taskId } = task;
  if (!task.view.isSettled) {
    const state = stateName(task.view.snapshot.value);
    const message = `task ${taskId} is ${state}: its documents can be erased once it is settled`;
    throw new CharterError('task_unsettled', message, { taskId, state });
  }
  const known = new Set(((await store.load(taskId))?.records ?? []).flatMap(erasableIn));
  if (known.has(digest)) return task.erase(digest, actor);
  throw new CharterError('not_found', `task ${taskId} holds no document of this digest`, {
    kind: 'document',
    id: digest,
    known: [...known].slice(-10),
  });
};
