import type { UpFormatMessage } from '../../../schema/index.ts';
import type { Actor } from '../../base/ports/ledger.ts';
import type { Environment } from './environment.ts';
import { isSameAs, once } from './keyed.ts';
import type { LiveTask } from './live-task.ts';

/**
 * Records the message of another participant in the thread, once for each sender and `messageId`. It changes no
 * state.
 */
export const recordMessage = async (
  task: Pick<LiveTask, 'taskId' | 'record'>,
  { store }: Pick<Environment, 'store'>,
  { message, actor, owner }: { message: UpFormatMessage; actor: Actor; owner: string },
): Promise<void> =>
  once(store, {
    key: `message ${JSON.stringify([owner, actor.kind, actor.id, message.messageId])}`,
    name: message.messageId,
    isSame: ({ brought, taskId }) => taskId === task.taskId && isSameAs(brought.message ?? null, message),
    onRepeat: () => undefined,
    send: (key) =>
      task.record('message', { actor, brought: { message, owner }, ...(key !== undefined && { key }) }, true),
  });
