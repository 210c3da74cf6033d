import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import type { Deadline, Store } from '../../base/ports/store.ts';
import { subjectOf, type Pause, type Regulated, type Subject } from '../../base/ports/regulation.ts';
import type { Emit } from './events.ts';
import { sayObstacle } from './quotas.ts';
import type { SteadyClock } from './steady-clock.ts';
import type { WorkSignal } from './work-signal.ts';

/** Milliseconds after which the pauses of a store are read again. */
const readEvery = 500;

/** The longest time between two looks whether a quota has room, in milliseconds. */
const longestLook = 4_000;

/** The tasks that wait here because of a pause or a quota, beyond which a node takes no more. */
const mostHeldBack = 1_000;

/** A task whose work is timed. */
export interface Timed {
  readonly taskId: string;
  /** Stops the deadline of some work, or gives it its full time again. */
  readonly time: (of: Of, isHeld: boolean) => void;
}

type Of = Pick<Deadline, 'of' | 'id'>;

/** What holds work back in a process: pauses, and quotas that are full. */
export interface Pauses {
  /** Returns the pauses that last: as they are now, or as they were at most half a second ago. */
  readonly lasting: (isFresh?: boolean) => Promise<readonly Pause[]>;
  /** Returns the task classes that are paused. */
  readonly taskClasses: () => Promise<readonly string[]>;
  /** Waits while one of these is paused. The deadline of the work does not run meanwhile. */
  readonly wait: (task: Timed, of: Of, subjects: readonly Subject[], signal: WorkSignal) => Promise<void>;
  /** Waits while a step is held. The deadline of the work does not run meanwhile. */
  readonly waitFor: (task: Timed, of: Of, regulated: Regulated, signal: WorkSignal) => Promise<void>;
  /** Lets who waits longest look at once: a call has ended. */
  readonly freed: () => void;
  /** The number of tasks that wait, as far as a node may take others in their place. */
  readonly heldBack: () => number;
}

interface Ports {
  readonly store: Pick<Store, 'pauses' | 'obstacle'>;
  readonly clock: Pick<SteadyClock, 'monotonic' | 'wakeAfter'>;
  readonly emit: Emit;
}

/** Creates what holds work back. */
export const createPauses = ({ store, clock, emit }: Ports): Pauses => {
  let known: readonly Pause[] = [];
  let readAt = -Infinity;
  const waiting = new Set<() => void>();
  /** How much work of each task is held back. */
  const tasks = new Map<string, number>();

  const lasting: Pauses['lasting'] = async (isFresh = false) => {
    if (isFresh || clock.monotonic() - readAt >= readEvery) {
      readAt = clock.monotonic();
      known = deepFreeze(await store.pauses());
    }
    return known;
  };

  const pausedOf = async (subjects: readonly Subject[]): Promise<Pause | undefined> =>
    (await lasting()).find(({ of }) => subjects.includes(subjectOf(of)));

  const sleep = (milliseconds: number, signal: WorkSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        stop();
        leave();
        waiting.delete(done);
      };
      const done = (): void => {
        end();
        resolve();
      };
      const stop = clock.wakeAfter(milliseconds, done);
      const leave = signal.onAbort(() => {
        end();
        reject(signal.reason);
      });
      waiting.add(done);
    });

  /** Waits until `look` finds nothing more, with pauses that grow up to `longest`. */
  const until = async (
    task: Timed,
    of: Of,
    message: string,
    look: () => Promise<boolean>,
    longest: number,
    signal: WorkSignal,
  ): Promise<void> => {
    const { taskId } = task;
    emit('log', { level: 'info', code: 'held_back', taskId, message });
    tasks.set(taskId, (tasks.get(taskId) ?? 0) + 1);
    task.time(of, true);
    try {
      for (let wait = readEvery; ; wait = Math.min(2 * wait, longest)) {
        signal.throwIfAborted();
        await sleep(wait, signal);
        if (!(await look())) return;
      }
    } finally {
      const rest = (tasks.get(taskId) ?? 1) - 1;
      if (rest === 0) tasks.delete(taskId);
      else tasks.set(taskId, rest);
      task.time(of, false);
    }
  };

  return {
    lasting,
    taskClasses: async () => (await lasting()).flatMap(({ of }) => ('taskClass' in of ? [of.taskClass] : [])),
    wait: async (task, of, subjects, signal) => {
      const paused = await pausedOf(subjects);
      if (paused === undefined) return;
      const look = async (): Promise<boolean> => (await pausedOf(subjects)) !== undefined;
      await until(task, of, sayObstacle({ paused }), look, readEvery, signal);
    },
    waitFor: async (task, of, regulated, signal) => {
      const obstacle = await store.obstacle(regulated);
      if (obstacle === null) return;
      const isPaused = 'paused' in obstacle;
      const look = async (): Promise<boolean> =>
        (isPaused && (await pausedOf(regulated.begins)) !== undefined) ||
        (await store.obstacle(regulated)) !== null;
      await until(task, of, sayObstacle(obstacle), look, isPaused ? readEvery : longestLook, signal);
    },
    freed: () => {
      const [first] = waiting;
      first?.();
    },
    heldBack: () => Math.min(tasks.size, mostHeldBack),
  };
};
