import {
  firstFence,
  type Capabilities,
  type Hold,
  type OnlyTask,
  type Store,
} from '../../base/ports/store.ts';
import type { SteadyClock } from './steady-clock.ts';

/** A hold of one task, in the monotonic time of this process. */
interface Held {
  readonly fence: number;
  /** When its lease may have passed; `Infinity` without a lease. */
  readonly until: number;
  /** When the lease of an earlier holder passed that did not let go; `null` for none. */
  readonly lapsedAt: number | null;
  /** The number of holds before it that lapsed in a row; 0 after a record of this process. */
  readonly attempts: number;
}

/** The holds of this process: the tasks that it performs, and the fencing token of each. */
export interface Holds {
  /** Takes the lock of the store, or more tasks of it: at most `limit`, and none of the task classes `without`. Returns the tasks. Throws `store_owned`. */
  readonly take: (limit: number, without?: readonly string[]) => Promise<readonly string[]>;
  /** Takes one task for its agent, if it has duties and no holder. Returns it, or nothing. */
  readonly takeForAgent: (taskId: string) => Promise<readonly string[]>;
  /** Takes one task, if it has duties that this process can perform, and no holder. Returns it, or nothing. */
  readonly takeOne: (taskId: string) => Promise<readonly string[]>;
  /** Takes one task that has no holder, also if it has no duties. Returns it, or nothing. */
  readonly takeResting: (taskId: string) => Promise<readonly string[]>;
  /** Renews all leases. Tasks that another process took over are lost. */
  readonly keep: () => Promise<void>;
  /** Lets these tasks go. */
  readonly letGo: (taskIds: readonly string[]) => Promise<void>;
  /** Runs work that begins a task, which is held from its first step. Afterwards it is held if the work succeeded. */
  readonly beginning: <Result>(taskId: string, work: () => Promise<Result>) => Promise<Result>;
  /** Forgets a hold, if it has this fence: it was lost, or its task did not begin. */
  readonly lose: (taskId: string, fence: number | null) => void;
  /** Returns the fence under which a step of a task is written; `null` if this process does not hold it. */
  readonly fenceOf: (taskId: string) => number | null;
  /** Returns whether this process holds a task, and its lease cannot have passed. */
  readonly mayAct: (taskId: string) => boolean;
  /**
   * Returns the milliseconds until an effect that an earlier holder began, with this deadline, can no longer happen; 0 if
   * every earlier holder let go.
   */
  readonly quarantineOf: (taskId: string, deadline: number) => number;
  /** Returns the number of holds of a task that lapsed in a row without a record, before this one. */
  readonly attemptsOf: (taskId: string) => number;
  /** Notes a record that was written under the hold of this fence. */
  readonly progressed: (taskId: string, fence: number | null) => void;
  /** The tasks that are held one by one. */
  readonly taskIds: () => readonly string[];
  /** Their number, with those whose first step is being written. */
  readonly count: () => number;
  /** Called with a task that was taken. */
  onTaken: (taskId: string) => void;
  /** Called with a task that was lost. */
  onLost: (taskId: string) => void;
}

/** The holds of a guest: it performs nothing. */
export const noHolds: Holds = {
  take: async () => [],
  takeForAgent: async () => [],
  takeOne: async () => [],
  takeResting: async () => [],
  keep: async () => {},
  letGo: async () => {},
  beginning: (_, work) => work(),
  lose: () => {},
  fenceOf: () => null,
  mayAct: () => false,
  quarantineOf: () => 0,
  attemptsOf: () => 0,
  progressed: () => {},
  taskIds: () => [],
  count: () => 0,
  onTaken: () => {},
  onLost: () => {},
};

/** Creates the holds of a process. A lease counts from before the request that renews it. */
export const createHolds = (
  store: Pick<Store, 'lease' | 'take' | 'keep' | 'letGo' | 'renewedAgo'>,
  capabilities: Capabilities,
  { monotonic }: Pick<SteadyClock, 'monotonic'>,
): Holds => {
  /** The hold of all tasks, if the store is held by a lock. */
  let all: Held | null = null;
  const byTask = new Map<string, Held>();
  /** Those of tasks whose first step is being written: the store does not know them yet. */
  const begun = new Map<string, Held>();
  const heldOf = (taskId: string): Held | null => all ?? byTask.get(taskId) ?? begun.get(taskId) ?? null;

  /** Registers holds as the store gave them, at `now`, by a request at `sent`. */
  const register = (given: readonly Hold[], sent: number, now: number): readonly string[] =>
    given.flatMap(({ taskId, fence, lapsed, attempts }) => {
      const lapsedAt = lapsed === null ? null : now - lapsed.ago;
      const held: Held = { fence, until: sent + store.lease, lapsedAt, attempts };
      if (taskId === null) {
        all = held;
        return [];
      }
      byTask.set(taskId, held);
      holds.onTaken(taskId);
      return [taskId];
    });

  const lose = (taskId: string, fence: number | null): void => {
    if (fence === null || all !== null || heldOf(taskId)?.fence !== fence) return;
    byTask.delete(taskId);
    begun.delete(taskId);
    holds.onLost(taskId);
  };

  const holdsOf = (taskIds: readonly string[]): readonly Hold[] =>
    taskIds.flatMap((taskId) => {
      const fence = byTask.get(taskId)?.fence;
      return fence === undefined ? [] : [{ taskId, fence, lapsed: null, attempts: 0 }];
    });

  const takeNamed = async (only: OnlyTask, able = capabilities): Promise<readonly string[]> => {
    const sent = monotonic();
    return register(await store.take(able, 1, only), sent, monotonic());
  };

  const holds: Holds = {
    take: async (limit, without = []) => {
      const sent = monotonic();
      const taskClasses = capabilities.taskClasses.filter((id) => !without.includes(id));
      const able = without.length === 0 ? capabilities : { ...capabilities, taskClasses };
      return register(await store.take(able, limit), sent, monotonic());
    },
    takeForAgent: (taskId) =>
      takeNamed({ taskId, mayRest: false }, { ...capabilities, agents: capabilities.taskClasses }),
    takeOne: (taskId) => takeNamed({ taskId, mayRest: false }),
    takeResting: (taskId) => takeNamed({ taskId, mayRest: true }),
    keep: async () => {
      const mine = holdsOf([...byTask.keys()]);
      const sent = monotonic();
      const kept = new Map((await store.keep(mine)).map(({ taskId, fence }) => [taskId, fence]));
      for (const { taskId, fence } of mine) {
        const held = taskId === null ? undefined : byTask.get(taskId);
        if (taskId === null || held?.fence !== fence) continue; // let go, or taken again, meanwhile
        if (kept.get(taskId) === fence) byTask.set(taskId, { ...held, until: sent + store.lease });
        else lose(taskId, fence);
      }
    },
    letGo: async (taskIds) => {
      const mine = holdsOf(taskIds);
      for (const taskId of taskIds) byTask.delete(taskId);
      await store.letGo(mine);
    },
    beginning: async (taskId, work) => {
      if (all !== null) return work();
      const held = { fence: firstFence, until: monotonic() + store.lease, lapsedAt: null, attempts: 0 };
      begun.set(taskId, held);
      try {
        const result = await work();
        if (begun.has(taskId)) byTask.set(taskId, held);
        return result;
      } finally {
        begun.delete(taskId);
      }
    },
    lose,
    fenceOf: (taskId) => heldOf(taskId)?.fence ?? null,
    mayAct: (taskId) => {
      const held = heldOf(taskId);
      if (held === null) return false;
      return monotonic() < held.until || (store.renewedAgo?.() ?? Infinity) < store.lease;
    },
    quarantineOf: (taskId, deadline) => {
      const lapsedAt = heldOf(taskId)?.lapsedAt ?? null;
      return lapsedAt === null ? 0 : Math.max(0, lapsedAt + deadline - monotonic());
    },
    attemptsOf: (taskId) => byTask.get(taskId)?.attempts ?? 0,
    progressed: (taskId, fence) => {
      const held = byTask.get(taskId);
      if (held?.fence === fence && held.attempts > 0) byTask.set(taskId, { ...held, attempts: 0 });
    },
    taskIds: () => [...byTask.keys()],
    count: () => byTask.size + begun.size,
    onTaken: () => {},
    onLost: () => {},
  };
  return holds;
};
