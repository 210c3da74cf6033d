import { CharterError } from '../errors.ts';
import type { Environment } from './environment.ts';
import type { createEvents } from './events.ts';
import type { SteadyClock } from './steady-clock.ts';
import type { TaskCache } from './task-cache.ts';

/** The ports of a lifecycle. */
export type LifecyclePorts = Pick<Environment, 'store' | 'clock' | 'emit' | 'isOwner'>;

/** Milliseconds that `close` leaves what it aborts to say what became of it. */
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

/** Returns the lifecycle of an orchestrator: it owns its store or not, follows what others record, and closes in order. */
export const createLifecycle = (
  { store, clock, emit, isOwner }: LifecyclePorts,
  cache: TaskCache,
  on: ReturnType<typeof createEvents>['on'],
) => {
  const inFlight = new Set<Promise<unknown>>();
  /** Rejects the callers that wait for a task to settle, when it closes. */
  const waiting = new Set<(error: CharterError) => void>();
  let closed: Promise<void> | undefined;
  /** Why nothing is recorded any more: another owner took over. */
  let lost: CharterError<'store_owned'> | undefined;
  let owned: Promise<void> | undefined;
  let unwatch: (() => void) | undefined;

  const own = async (): Promise<void> => {
    owned ??= store.own();
    try {
      await owned;
    } catch (error) {
      owned = undefined;
      throw error;
    }
  };

  const onChange = (taskIds: readonly string[]): void => {
    cache.refresh(taskIds).catch((error: unknown) => {
      if (closed === undefined) emit('error', { taskId: taskIds[0] ?? '', error });
    });
  };

  const open = (operation: string): void => {
    if (closed === undefined) return;
    throw new CharterError('closed', `${operation}: the orchestrator is closed`, { operation });
  };

  /** Does what records something: an owner owns its store before, and nobody closes it meanwhile. */
  const during = async <Result>(operation: string, work: () => Promise<Result>): Promise<Result> => {
    open(operation);
    if (lost !== undefined) throw lost;
    const done = (async () => {
      if (isOwner) await own();
      unwatch ??= store.watch(onChange);
      return work();
    })();
    inFlight.add(done);
    return done.finally(() => inFlight.delete(done));
  };

  const settling = (taskId: string): Promise<void> =>
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
      const look = async (): Promise<void> => {
        const [entry] = await store.taskIndex({ taskId }); // it may have settled before anybody listened
        if (entry?.isSettled === true) done();
      };
      look().catch((error: unknown) => {
        end();
        reject(error);
      });
    });

  /** Performs and records nothing more, since another owner does; what is stored can still be read. */
  const lose = (error: CharterError<'store_owned'>): void => {
    if (lost !== undefined || closed !== undefined) return;
    lost = error;
    unwatch?.();
    cache.closing();
    void cache.idle(); // aborts what is being done
    for (const stop of waiting) stop(error);
    emit('error', { taskId: '', error });
  };

  const close = async (): Promise<void> => {
    unwatch?.();
    cache.closing();
    await withGrace(clock, cache.idle());
    await withGrace(clock, Promise.allSettled(inFlight));
    await withGrace(clock, cache.close());
    const reason = new CharterError('closed', 'settled: the orchestrator closed', { operation: 'settled' });
    for (const stop of waiting) stop(reason);
    await store.close();
  };

  return {
    open,
    during,
    lose,
    /** Waits until a task has settled; a guest hears of what it holds. */
    settled: async (taskId: string): Promise<void> => {
      await during('settled', async () => {});
      await (isOwner ? settling(taskId) : cache.use(taskId, () => settling(taskId)));
    },
    close: (): Promise<void> => (closed ??= close()),
  };
};
