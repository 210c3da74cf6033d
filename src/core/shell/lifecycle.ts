import * as z from 'zod';
import { checkTexts } from '../../base/boundary/check-given.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { CharterError, isCharterError } from '../../base/errors.ts';
import type { createEvents } from './events.ts';
import type { Ports } from './duties/performer.ts';
import type { Node } from './node.ts';
import { createPerform } from './perform.ts';
import { recoverStore } from './recovery.ts';
import type { SteadyClock } from './steady-clock.ts';
import type { Rooms } from './rooms.ts';
import type { Closing, Readiness } from './surface.ts';
import type { TaskCache } from './task-cache.ts';

/** Milliseconds that `close` waits for aborted work. */
const closeGrace = 1_000;

/** A day: to wait for longer is a slip of units. */
const CloseOptions = z.strictObject({ drain: z.number().min(0).max(86_400_000).optional() });

const withGrace = (
  { wakeAfter }: SteadyClock,
  work: Promise<unknown>,
  grace = closeGrace,
  hurry: (end: () => void) => void = () => {},
): Promise<void> =>
  new Promise((resolve) => {
    const stop = wakeAfter(grace, resolve);
    const done = (): void => {
      stop();
      resolve();
    };
    hurry(done);
    work.then(done, done);
  });

/** A caller that waits for a task to settle. */
interface Waiting {
  readonly taskId: string;
  readonly stop: (error: unknown) => void;
  /** Looks whether another process has settled the task. */
  readonly check: () => void;
}

/**
 * Creates the lifecycle of an orchestrator: it owns its store or is a guest, follows changes by others, and closes
 * in order.
 */
export const createLifecycle = (
  environment: Ports,
  cache: TaskCache,
  on: ReturnType<typeof createEvents>['on'],
  { leasedNode }: Pick<Rooms, 'leasedNode'>,
) => {
  const { store, blobs, clock, emit, isOwner, holds } = environment;
  const isLeased = isOwner && store.lease !== Infinity;
  /** What holds tasks by leases, once the store is opened; `null` where one process holds it as a whole, or a guest none of it. */
  let node: Node | null = null;
  const inFlight = new Set<Promise<unknown>>();
  /** The callers that wait for a task to settle: each rejects when the orchestrator closes. */
  const waiting = new Set<Waiting>();
  let closing: Promise<void> | undefined;
  let isClosed = false;
  /** Ends a drain before its time. */
  let hurry: (() => void) | null = null;
  /** The error after another owner took over; nothing more is recorded. */
  let lost: CharterError<'store_owned'> | undefined;
  let opened: Promise<void> | undefined;
  let unwatch: (() => void) | undefined;

  const abortWork = (): Promise<unknown> => Promise.all(cache.all().map(({ worker }) => worker.close()));

  const begin = async (operation: string): Promise<void> => {
    if (!isLeased) return void (await holds.take(1));
    node ??= await leasedNode(environment, cache);
    checkOpen(operation);
    if (closing !== undefined) node.drain();
    await node.open();
  };

  const open = async (operation: string): Promise<void> => {
    opened ??= begin(operation);
    try {
      await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };

  const onChange = (taskIds: readonly string[]): void => {
    node?.changed(taskIds);
    for (const { taskId, check } of waiting) if (taskIds.includes(taskId)) check();
    for (const taskId of taskIds) emit('changed', { taskId });
    void cache.refresh(taskIds);
  };

  /** Throws `closed` after the end, and `document_invalid` for an argument that is not a text. */
  const checkOpen = (operation: string, texts: Readonly<Record<string, unknown>> = {}): void => {
    if (!isClosed) return checkTexts(operation, texts);
    throw new CharterError('closed', `${operation}: the orchestrator is closed; create a new one`, {
      operation,
    });
  };

  /** Runs work that records: an owner owns its store first, and `close` waits for the work. */
  const during = async <Result>(operation: string, work: () => Promise<Result>): Promise<Result> => {
    checkOpen(operation);
    if (lost !== undefined) throw lost;
    const done = (async () => {
      if (isOwner) await open(operation);
      if (!isClosed) unwatch ??= store.watch(onChange);
      return work();
    })();
    inFlight.add(done);
    return done.finally(() => inFlight.delete(done));
  };

  const waitUntilSettled = (taskId: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        off();
        waiting.delete(waiter);
      };
      const stop = (error: unknown): void => {
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
      const checkStored = async (): Promise<void> => {
        const [entry] = await store.taskIndex({ taskId });
        if (entry?.isSettled === true) done();
      };
      const waiter: Waiting = { taskId, stop, check: () => void checkStored().catch(stop) };
      waiting.add(waiter);
      waiter.check(); // it may have settled before the listener was added
    });

  /** Stops performing and recording after another owner took over; stored tasks can still be read. */
  const onOwnershipLost = (error: CharterError<'store_owned'>): void => {
    if (lost !== undefined || isClosed) return;
    lost = error;
    unwatch?.();
    cache.beginClose();
    void abortWork();
    for (const { stop } of waiting) stop(error);
    emit('error', { taskId: '', error });
  };

  const drained = async (milliseconds: number): Promise<void> => {
    emit('log', { level: 'info', code: 'draining', taskId: '', message: `for at most ${milliseconds} ms` });
    node?.drain();
    await withGrace(clock, cache.drain(), milliseconds, (end) => (hurry = end));
  };

  const close = async (drain: number): Promise<void> => {
    if (drain > 0) await drained(drain);
    isClosed = true;
    unwatch?.();
    node?.stop();
    cache.beginClose();
    await withGrace(clock, abortWork());
    await withGrace(clock, Promise.allSettled(inFlight));
    await withGrace(clock, Promise.all(cache.all().map(({ task }) => task.close())));
    environment.callers.close();
    const reason = new CharterError(
      'closed',
      'settled: the orchestrator closed while the task was open; create a new one',
      { operation: 'settled' },
    );
    for (const { stop } of waiting) stop(reason);
    emit('log', { level: 'info', code: 'closed', taskId: '', message: 'the orchestrator is closed' });
    await withGrace(clock, node?.letGo() ?? Promise.resolve()); // what is not let go lapses
    await store.close();
    await blobs?.store.close();
  };

  const storeFault = async (): Promise<readonly string[]> => {
    if (lost !== undefined) return [lost.code];
    try {
      await store.counts();
      return [];
    } catch (error) {
      return [isCharterError(error) ? error.code : 'store_failed'];
    }
  };

  return {
    checkOpen,
    readiness: async (): Promise<Readiness> => {
      if (isClosed) return deepFreeze({ isReady: false, reasons: ['closed'] });
      const reasons = [...(closing === undefined ? [] : ['draining']), ...(await storeFault())];
      return deepFreeze({ isReady: reasons.length === 0, reasons });
    },
    during,
    onOwnershipLost,
    recover: () => node?.recover() ?? recoverStore(cache, environment),
    takeForAgent: isLeased ? async (taskId: string) => node?.takeForAgent(taskId) : null,
    takeToUndo: async (taskId: string) => node?.takeToUndo(taskId),
    hasRoom: () => node?.hasRoom() ?? true,
    /** Takes a task of an older chart that rests; one that holds the whole store carried it over in `recover`. */
    takeResting: async (taskId: string) => node?.takeResting(taskId) ?? false,
    perform: createPerform(environment, cache, () => isClosed),
    /** Waits until a task has settled. A guest keeps the task in memory, to see changes. */
    settled: async (taskId: string): Promise<void> => {
      await during('settled', async () => {});
      await (isOwner ? waitUntilSettled(taskId) : cache.use(taskId, () => waitUntilSettled(taskId)));
    },
    close: async (given: Closing = {}): Promise<void> => {
      // a listener is called with whatever the event brings
      const { drain = 0 } = isObject(given) ? parseDocument('close', CloseOptions, given) : {};
      if (drain === 0) hurry?.();
      await (closing ??= close(drain));
    },
  };
};
