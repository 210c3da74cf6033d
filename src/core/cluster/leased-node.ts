import { CharterError } from '../../base/errors.ts';
import type { Ports } from '../shell/duties/performer.ts';
import type { Node } from '../shell/node.ts';
import { createAttempts, reported } from '../shell/recovery.ts';
import type { TaskCache } from '../shell/task-cache.ts';
import { closing, taskHeld } from '../shell/task-errors.ts';
import { createAdmission } from './admission.ts';
import { createChildReports } from './child-reports.ts';
import { createNodeLog } from './node-log.ts';

/** The longest time between two looks for tasks to take, in milliseconds. */
const longestPause = 500;

/** The longest time before another attempt to resume a task, in milliseconds. */
const longestDelay = 60_000;

/** Returns the error for a task that no process performs, and this one cannot. */
const notTakeable = (taskId: string): CharterError<'not_found'> => {
  const message = `task ${taskId} cannot be undone here: expected its task class, its tools and its version of the chart at this process`;
  return new CharterError('not_found', message, { kind: 'task', id: taskId, known: [] });
};

/** Holds tasks one by one, by leases: takes what is free, keeps what it holds, and lets go what rests. */
export const leasedNode = (ports: Ports, cache: TaskCache): Node => {
  const { store, holds, turns, clock, emit, children, takes, concurrency, pauses } = ports;
  const keepEvery = store.lease / 3;
  const pause = keepEvery / Math.ceil(keepEvery / longestPause); // a renewal falls on a look
  const log = createNodeLog(ports);
  const admission = createAdmission(concurrency, store.lease, clock.monotonic);
  /** Tasks that could not be resumed, and when they are tried again in monotonic time. */
  const failed = new Map<string, { readonly delay: number; readonly at: number }>();
  let keptAt = -Infinity;
  let looking: Promise<void> | null = null;
  let isHinted = false;
  let isStopped = false;
  let isDraining = false;
  let cancel: (() => void) | null = null;
  const reports = createChildReports({ store, children, emit }, cache, () => isStopped);

  const resume = async (taskId: string): Promise<void> => {
    const { delay } = failed.get(taskId) ?? { delay: 500 };
    try {
      await cache.adopt(taskId);
      failed.delete(taskId);
    } catch (error) {
      failed.set(taskId, { delay: Math.min(delay * 2, longestDelay), at: clock.monotonic() + delay });
      throw error;
    }
  };

  const resumeAll = (taskIds: readonly string[]): void => {
    for (const taskId of taskIds)
      resume(taskId).catch((error: unknown) => {
        if (!isStopped) emit('error', { taskId, error });
      });
  };

  const room = (): number => {
    // what only waits here, for a child, the host's agent or another attempt, must not keep others waiting
    const waiting = cache.parents().length + turns.hosted().length + failed.size + pauses.heldBack();
    return admission.most() - (holds.count() - waiting);
  };

  const take = async (): Promise<readonly string[]> => {
    const limit = takes && !isDraining && !isStopped && !admission.isResting() ? room() : 0;
    return limit > 0 ? holds.take(limit, await pauses.taskClasses()) : [];
  };

  const keep = async (): Promise<void> => {
    const begun = clock.monotonic();
    if (begun - keptAt < keepEvery) return;
    await holds.keep();
    if (admission.renewed(begun - keptAt)) log.late(begun - keptAt);
    keptAt = begun;
    reports.look();
  };

  const onLost = (taskId: string): void => {
    cache.drop(taskId);
    log.lost(taskId);
    admission.lost();
  };

  const letGoResting = async (): Promise<void> => {
    for (const taskId of failed.keys()) if (holds.fenceOf(taskId) === null) failed.delete(taskId);
    const live = new Set(turns.live());
    const resting = cache.release(
      holds.taskIds().filter((taskId) => !failed.has(taskId) && !live.has(taskId)),
    );
    if (resting.length > 0) await holds.letGo(resting);
  };

  const retryFailed = (): void => {
    const due = [...failed].filter(([, { at }]) => at <= clock.monotonic());
    resumeAll(due.map(([taskId]) => taskId));
  };

  const takeForAgents = async (): Promise<void> => {
    for (const taskId of turns.live())
      if (holds.fenceOf(taskId) === null) resumeAll(await holds.takeForAgent(taskId));
  };

  const nextPause = (): Promise<void> => new Promise((resolve) => void clock.wakeAfter(pause, resolve));

  const takeForAgent = async (taskId: string): Promise<void> => {
    const ends = clock.monotonic() + store.lease;
    for (;;) {
      if (holds.fenceOf(taskId) !== null) return;
      if (isStopped) throw closing();
      const [taken] = await holds.takeForAgent(taskId);
      if (taken !== undefined) return resume(taskId);
      const [entry] = await store.taskIndex({ taskId });
      if (entry?.isOwed !== true) return; // it waits for people, and is taken afterwards
      if (clock.monotonic() >= ends) throw taskHeld(taskId);
      await nextPause();
    }
  };

  const takeToUndo = async (taskId: string): Promise<void> => {
    /** Since when no one holds it, and its fence then. */
    let free: { readonly fence: number; readonly since: number } | null = null;
    while (holds.fenceOf(taskId) === null) {
      if (isStopped) throw closing();
      const [taken] = await holds.takeResting(taskId);
      if (taken !== undefined) return resume(taskId);
      const copy = await store.transfer.readTask(taskId);
      if (copy === undefined) throw await cache.unknown(taskId);
      const now = clock.monotonic();
      if (copy.isHeld || copy.fence !== free?.fence)
        free = copy.isHeld ? null : { fence: copy.fence, since: now };
      else if (now - free.since >= store.lease) throw notTakeable(taskId);
      await nextPause();
    }
  };

  const takeResting = async (taskId: string): Promise<boolean> => {
    const [taken] = await holds.takeResting(taskId);
    if (taken === undefined) return false;
    try {
      await cache.adopt(taskId);
      return true;
    } catch (error) {
      await holds.letGo([taskId]); // another process may go on with it
      throw error;
    }
  };

  const handOver = async (): Promise<void> => {
    const drained = cache.handOver(holds.taskIds());
    if (drained.length > 0) await holds.letGo(drained);
  };

  const look = async (): Promise<void> => {
    try {
      await keep();
      if (isDraining) return await handOver();
      await letGoResting();
      retryFailed();
      await takeForAgents();
      const taken = await take();
      if (isDraining || isStopped) await holds.letGo(taken);
      else resumeAll(taken);
    } catch (error) {
      if (!isStopped) emit('error', { taskId: '', error });
    }
  };

  const wind = (): void => {
    cancel?.();
    if (!isStopped) cancel = clock.wakeAfter(pause, () => void lookAround());
  };

  const lookAround = async (): Promise<void> => {
    if (isStopped) return;
    isHinted = looking !== null;
    looking ??= look().finally(() => {
      looking = null;
      if (isHinted) hint();
      else wind();
    });
    await looking;
  };

  const hint = (): void => {
    isHinted = false;
    void lookAround();
  };

  const hintOnce = (): void => {
    if (looking === null) hint();
    else isHinted = true;
  };

  holds.onTaken = log.taken;
  holds.onLost = onLost;
  cache.onFreeStep = hintOnce;
  return {
    open: async () => {
      await holds.keep(); // the store says its time
      hint();
    },
    recover: async () => {
      const { attempt, report } = createAttempts();
      await looking;
      const taken = new Set(holds.taskIds());
      for (const taskId of taken) await attempt(taskId, () => resume(taskId));
      for (;;) {
        const more = await take();
        if (more.length === 0) break;
        for (const taskId of more) {
          taken.add(taskId);
          await attempt(taskId, () => resume(taskId));
        }
        await letGoResting();
      }
      return report([...taken], await reported(cache, ports));
    },
    takeForAgent,
    takeToUndo,
    hasRoom: () => takes && !isDraining && room() > 0,
    takeResting,
    changed: (taskIds) => {
      hintOnce();
      reports.changed(taskIds);
    },
    drain: () => {
      isDraining = true;
      hintOnce();
    },
    stop: () => {
      isStopped = true;
      cancel?.();
    },
    letGo: async () => {
      await looking;
      await cache.loaded();
      await holds.letGo(cache.handOver(holds.taskIds()));
    },
  };
};
