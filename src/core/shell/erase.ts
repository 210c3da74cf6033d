import { CharterError } from '../../base/errors.ts';
import type { Actor, LedgerRecord } from '../../base/ports/ledger.ts';
import { eraseBlobs } from './blobs.ts';
import type { Environment } from './environment.ts';
import type { Task } from './task.ts';

/** Returns the digests that can be erased in a record: all but the contract, which replay needs, and a carry-over. */
const erasableIn = ({ documents, emitted }: LedgerRecord): readonly string[] => {
  const { contract: _contract, upgrade: _upgrade, ...rest } = documents;
  return [...Object.values(rest), ...emitted];
};

/** Checks that a document may be erased. Throws `task_unsettled` or `not_found`. */
export const checkErasable = (
  { taskId, state, isSettled }: { taskId: string; state: string; isSettled: boolean },
  records: readonly LedgerRecord[],
  digest: string,
): void => {
  if (!isSettled) {
    const message = `task ${taskId} is open, in ${state}: before you erase its documents, wait until it is settled, or cancel it`;
    throw new CharterError('task_unsettled', message, { taskId, state });
  }
  const known = new Set(records.flatMap(erasableIn));
  if (known.has(digest)) return;
  throw new CharterError(
    'not_found',
    `task ${taskId} has no document with digest ${JSON.stringify(digest)}: expected one that its ledger names`,
    {
      kind: 'document',
      id: digest,
      known: [...known].slice(-10),
    },
  );
};

/**
 * Removes every document of a digest from a settled task, and first what was kept beside the ledger for it alone. The ledger keeps
 * the digest and records the actor.
 *
 * Throws `task_unsettled`, because gates need the documents of an open task, and `not_found` for an unknown digest.
 */
export const eraseDocument = async (
  task: Task,
  { store, blobs }: Pick<Environment, 'store' | 'blobs'>,
  digest: string,
  actor: Actor,
): Promise<void> => {
  const { taskId, view } = task;
  const { isSettled, state } = view;
  const stored = isSettled ? await store.load(taskId) : undefined;
  checkErasable({ taskId, state, isSettled }, stored?.records ?? [], digest);
  if (stored !== undefined) await eraseBlobs(blobs, stored, [digest], true);
  return task.erase(digest, actor);
};
