import { setImmediate } from 'node:timers/promises';
import type { Packable, Packed } from './rest.ts';

/** What a packer does to a store. */
export interface Packing {
  /** Returns tasks that an earlier process left unpacked. */
  readonly find: () => readonly string[];
  /** Packs steps of a task after a number. */
  readonly packsOf: (taskId: string, begin: number) => Packable;
  /** Writes packs in one transaction. */
  readonly write: (packs: readonly Packed[]) => Promise<unknown>;
}

export interface Packer {
  /** Packs a task later, if it then rests. */
  readonly add: (taskId: string) => void;
  /** Also packs, later, the tasks that an earlier process left unpacked. */
  readonly adopt: () => void;
  /** Ends packing, and returns the tasks that are not packed yet. */
  readonly end: () => readonly string[];
}

/** The maximum number of tasks in a transaction. It takes about as long as packing two of them. */
export const maxTasks = 64;

/** The maximum number of tasks that wait to be packed. More keep their rows until they rest again. */
const maxWaiting = 10_000;

/** Before the first step of a task. */
const start = -1;

/**
 * Creates a packer. A task is packed once it has rested for `delay` milliseconds, and at most twice that. One task is
 * packed in a turn of the event loop; those that rest are then written together.
 *
 * Packing saves space only: if it fails, the task keeps its rows, and is packed when it rests again.
 */
export const createPacker = ({ find, packsOf, write }: Packing, delay: number): Packer => {
  /** Tasks that came to rest since the timer last rang, and before, and the step after which to pack them. */
  let fresh = new Map<string, number>();
  let rested = new Map<string, number>();
  let mustFind = false;
  let timer: NodeJS.Timeout | null = null;
  let hasEnded = false;

  const packed = (taskId: string): readonly Packed[] => {
    const begin = rested.get(taskId);
    if (begin === undefined) return []; // it came to rest anew
    try {
      const { packs, more } = packsOf(taskId, begin);
      if (more !== null) fresh.set(taskId, more);
      return packs;
    } catch {
      return [];
    }
  };

  const packTogether = async (taskIds: readonly string[]): Promise<void> => {
    const packs: Packed[] = [];
    for (const taskId of taskIds) {
      await setImmediate();
      packs.push(...packed(taskId));
    }
    if (packs.length > 0) await write(packs).catch(() => {});
    for (const taskId of taskIds) rested.delete(taskId);
  };

  const packRested = async (): Promise<void> => {
    while (rested.size > 0) await packTogether([...rested.keys()].slice(0, maxTasks));
  };

  const findLeft = (): void => {
    mustFind = false;
    try {
      for (const taskId of find()) if (!fresh.has(taskId)) rested.set(taskId, start);
    } catch {
      // they are packed when they rest again
    }
  };

  const ring = async (): Promise<void> => {
    if (mustFind) findLeft();
    await packRested();
    [rested, fresh] = [fresh, new Map()];
    timer = null;
    wind();
  };

  const wind = (): void => {
    if (hasEnded || (rested.size === 0 && fresh.size === 0 && !mustFind)) return;
    timer ??= setTimeout(() => void ring(), delay).unref();
  };

  return {
    add: (taskId) => {
      if (hasEnded) return;
      rested.delete(taskId); // it came to rest anew
      if (fresh.size < maxWaiting) fresh.set(taskId, start);
      wind();
    },
    adopt: () => {
      mustFind = true;
      wind();
    },
    end: () => {
      hasEnded = true;
      if (timer !== null) clearTimeout(timer);
      const left = [...rested.keys(), ...fresh.keys()];
      rested.clear();
      fresh.clear();
      return left;
    },
  };
};
