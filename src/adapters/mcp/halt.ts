import type { UpFormatMessage } from '../../../schema/index.ts';
import { messagesIn } from '../../core/kernel/projection/thread.ts';
import { endOf } from '../../core/kernel/settled.ts';
import type { InboxEntry, Settled } from '../../core/kernel/summary.ts';
import type { Orchestrator } from '../../core/shell/surface.ts';

/** Where a task halts: settled, at a followup, or at a question. */
export type Halt =
  | { readonly is: 'settled'; readonly settled: Settled }
  | {
      readonly is: 'offered';
      readonly payload: Readonly<Record<string, unknown>>;
      /** The message that delivered; `undefined` if it was erased. */
      readonly message: UpFormatMessage | undefined;
    }
  | { readonly is: 'asks'; readonly entry: InboxEntry };

const openIn = async (orchestrator: Orchestrator, taskId: string): Promise<Halt | null> => {
  const [entry] = await orchestrator.inbox(taskId);
  if (entry === undefined) return null;
  if (entry.question.kind !== 'followup' || entry.taskId !== taskId) return { is: 'asks', entry };
  const message = endOf(messagesIn(await orchestrator.documents(taskId)));
  return { is: 'offered', payload: (await orchestrator.task(taskId)).draft ?? {}, message };
};

/** Waits until a task halts. Rejects with the reason of `signal` if that aborts. */
export const waitForHalt = async (
  orchestrator: Orchestrator,
  taskId: string,
  signal: AbortSignal,
): Promise<Halt> => {
  signal.throwIfAborted();
  const over = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      const look = async () => {
        const open = await openIn(orchestrator, taskId);
        if (open !== null) resolve(open);
      };
      const forget = orchestrator.on('question', ({ path }) => {
        if (path.includes(taskId)) look().catch(reject);
      });
      over.signal.addEventListener('abort', forget);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: over.signal });
      orchestrator.settled(taskId).then((settled) => resolve({ is: 'settled', settled }), reject);
      look().catch(reject);
    });
  } finally {
    over.abort();
  }
};
