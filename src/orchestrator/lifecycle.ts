import { CharterError } from '../errors.ts';
import type { Environment } from './environment.ts';
import type { createEvents } from './events.ts';
import type { SteadyClock } from './steady-clock.ts';
import type { TaskCache } from './task-cache.ts';

/** The ports of a lifecycle. */
export type LifecyclePorts = Pick<Environment, 'store' | 'holds' | 'clock' | 'emit' | 'isOwner'>;

/** Milliseconds that `close` waits for aborted work. */
const closeGrace = 1_000;

const withGrace = ({ wakeAfter }: SteadyClock, work: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const stop = wakeAfter(closeGrace, resolve);
    const done = (): void => {
      stop();
      resolve();
    };
    work.then(done, done);
  });

/**
 * Creates the lifecycle of an orchestrator: it owns its store or is a guest, follows changes by others, and closes
 * in order.
 */
export const createLifecycle = (
  { store, holds, clock, emit, isOwner }: LifecyclePorts,
  cache: TaskCache,
  on: ReturnType<typeof createEvents>['on'],
) => {
  const inFlight = new Set<Promise<unknown>>();
  /** Rejects the callers that wait for a task to settle, when the orchestrator closes. */
  const waiting = new Set<(error: CharterError) => void>();
  let closed: Promise<void> | undefined;
  /** The error after another owner took over; nothing more is recorded. */
  let lost: CharterError<'store_owned'> | undefined;
  let taken: Promise<void> | undefined;
  let unwatch: (() => void) | undefined;

  const take = async (): Promise<void> => {
    taken ??= holds.take();
    try {
      await taken;
    } catch (error) {
      taken = undefined;
      throw error;
    }
  };

  const onChange = (taskIds: readonly string[]): void => {
    cache.refresh(taskIds).catch((error: unknown) => {
      if (closed === undefined) emit('error', { taskId: taskIds[0] ?? '', error });
    });
  };

  const checkOpen = (operation: string): void => {
    if (closed === undefined) return;
    throw new CharterError('closed', `${operation}: the orchestrator is closed; create a new one`, {
      operation,
    });
  };

  /** Runs work that records: an owner owns its store first, and `close` waits for the work. */
  const during = async <Result>(operation: string, work: () => Promise<Result>): Promise<Result> => {
    checkOpen(operation);
    if (lost !== undefined) throw lost;
    const done = (async () => {
      if (isOwner) await take();
      unwatch ??= store.watch(onChange);
      return work();
    })();
    inFlight.add(done);
    return done.finally(() => inFlight.delete(done));
  };

  const waitUntilSettled = (taskId: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        off();
        waiting.delete(stop);
      };
      const stop = (error: CharterError): void => {
        end();
        reject(error);
      };
      const done = (): void => {
        end();
        resolve();
      };
      const off = on('settled', (event) => {
        if (event.taskId === taskId) done();
      });
      waiting.add(stop);
      const checkStored = async (): Promise<void> => {
        const [entry] = await store.taskIndex({ taskId }); // it may have settled before the listener was added
        if (entry?.isSettled === true) done();
      };
      checkStored().catch((error: unknown) => {
        end();
        reject(error);
      });
    });

  /** Stops performing and recording after another owner took over; stored tasks can still be read. */
  const onOwnershipLost = (error: CharterError<'store_owned'>): void => {
    if (lost !== undefined || closed !== undefined) return;
    lost = error;
    unwatch?.();
    cache.beginClose();
    void cache.abortWork(); // aborts the work in flight
    for (const stop of waiting) stop(error);
    emit('error', { taskId: '', error });
  };

  const close = async (): Promise<void> => {
    unwatch?.();
    cache.beginClose();
    await withGrace(clock, cache.abortWork());
    await withGrace(clock, Promise.allSettled(inFlight));
    await withGrace(clock, cache.close());
    const reason = new CharterError(
      'closed',
      'settled: the orchestrator closed while the task was open; create a new one',
      { operation: 'settled' },
    );
    for (const stop of waiting) stop(reason);
    await store.close();
  };

  return {
    checkOpen,
    during,
    onOwnershipLost,
    /** Waits until a task has settled. A guest keeps the task in memory, to see changes. */
    settled: async (taskId: string): Promise<void> => {
      await during('settled', async () => {});
      await (isOwner ? waitUntilSettled(taskId) : cache.use(taskId, () => waitUntilSettled(taskId)));
    },
    close: (): Promise<void> => (closed ??= close()),
  };
};
