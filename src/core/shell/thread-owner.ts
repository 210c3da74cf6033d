import type { Identity } from '../../../schema/index.ts';
import { CharterError } from '../../base/errors.ts';
import type { Environment } from './environment.ts';
import type { TaskCache } from './task-cache.ts';

/** The number of tasks of a thread whose requests are read; older ones may be erased. */
const mostRead = 10;

/** Returns the owner of a thread: that of its first request that is not erased. `null` for a new thread. */
const ownerOf = async (
  { store }: Pick<Environment, 'store'>,
  threadId: string,
): Promise<string | undefined | null> => {
  const tasks = await store.taskIndex({ threadId, limit: mostRead });
  for (const { taskId } of tasks) {
    const request = (await store.load(taskId))?.records[0]?.brought.request;
    if (request !== undefined) return request.identity.owner_id;
  }
  return tasks.length === 0 ? null : undefined;
};

/**
 * Checks that a request may join a thread: only requests of its owner do. Throws `thread_refused`, and records the
 * refusal in an open task of the thread.
 */
export const checkThread = async (
  environment: Pick<Environment, 'store'>,
  cache: TaskCache,
  threadId: string,
  { agent_id: agent, owner_id: owner }: Identity,
): Promise<void> => {
  const own = await ownerOf(environment, threadId);
  if (own === owner) return;
  if (own === null) {
    const pruned = await environment.store.pruned({ threadId });
    if (pruned === undefined) return;
    const why = `thread ${threadId} is refused: its tasks were pruned; omit threadId to begin a new thread`;
    throw new CharterError('thread_refused', why, { threadId, owner });
  }
  const reason = `it belongs to another owner than ${JSON.stringify(owner)}`;
  const [open] = await environment.store.taskIndex({ threadId, isSettled: false, limit: 1 });
  if (open !== undefined)
    await cache.use(open.taskId, (task) =>
      task.record(
        'refusal',
        {
          actor: { kind: 'agent', id: agent },
          code: 'IDENTITY_INVALID',
          brought: { explanation: `A request is not taken into this thread: ${reason}.`, owner },
        },
        true,
      ),
    );
  const message = `thread ${threadId} is refused: ${reason}; omit threadId to begin a new thread`;
  throw new CharterError('thread_refused', message, { threadId, owner });
};
