import { createActor, type Actor, type InspectionEvent } from 'xstate';
import { taskMachine } from '../../../machines/index.ts';
import { isCharterError } from '../../base/errors.ts';
import { replayed, unreplayed, type Replayed } from '../../core/kernel/replay.ts';
import type { Orchestrator } from '../../core/shell/surface.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';

/** The parts of an orchestrator that `watch` uses. */
export type Watched = Pick<Orchestrator, 'on' | 'ledger' | 'list' | 'counts'>;

/** A watch of an orchestrator. */
export interface Watch {
  readonly stop: () => void;
  /** The number of tasks that were not shown when it began: the oldest settled ones, and unreadable ones. */
  readonly unshown: number;
}

/** The maximum of settled tasks that a watch begins with. */
const mostSettled = 50;

type Inspect = (event: InspectionEvent) => void;

/** A watched task. It replays the ledger through a chart, and shows a record if the chart agrees with it. */
class WatchedTask {
  readonly #inspect: Inspect;
  #replayed: Replayed | undefined;
  #shown: Actor<typeof taskMachine> | undefined;
  #next = 0;
  #isOver = false;
  /**
   * Whether the task needs no more records. A task that left the replay is kept, so that it does not begin
   * anew.
   */
  isSettled = false;

  constructor(inspect: Inspect) {
    this.#inspect = inspect;
  }

  /** Replays the next record. Returns `false` if earlier records are missing. */
  replay(record: LedgerRecord): boolean {
    if (this.#isOver || record.seq < this.#next) return true;
    if (record.seq > this.#next) return false;
    this.#next++;
    if (record.seq === 0) this.#begin(record);
    if (this.#agrees(record)) this.#follow(record);
    else this.end(); // the ledger differs from the chart, or its beginning was erased
    return true;
  }

  #begin(record: LedgerRecord): void {
    const { taskId, request_id: request, brought } = record;
    const { contract: taskClass } = brought;
    if (taskClass === undefined) return;
    this.#replayed = unreplayed(taskClass, record);
    const [inspect, id] = [this.#inspect, `${taskClass.id} ${taskId}`];
    this.#shown = createActor(taskMachine, { inspect, id, input: { taskClass, request } }).start();
  }

  #agrees(record: LedgerRecord): boolean {
    if (this.#replayed === undefined) return false;
    const { after, fault } = replayed(this.#replayed, record);
    this.#replayed = after;
    return fault === null;
  }

  #follow({ kind, fact }: LedgerRecord): void {
    if (kind === 'fact' && fact !== null) this.#shown?.send(fact);
    this.isSettled = this.#shown?.getSnapshot().hasTag('settled') === true;
  }

  get isShown(): boolean {
    return this.#shown !== undefined;
  }

  /** Stops showing the task. */
  end(): void {
    this.#isOver = true;
    this.#shown?.stop();
  }
}

/**
 * Shows each open and each new task and the newest settled ones to viewers that are shown the last `most`. Ends when
 * the signal aborts or `stop` is called.
 */
export const watchTasks = async (
  orchestrator: Watched,
  inspect: Inspect,
  ended: AbortSignal,
  most: number,
): Promise<Watch> => {
  const tasks = new Map<string, WatchedTask>();
  let isLoading = true; // until then tasks are kept, so that none is shown twice
  const watchedTask = (taskId: string): WatchedTask => {
    const task = tasks.get(taskId) ?? new WatchedTask(inspect);
    tasks.set(taskId, task);
    return task;
  };
  const dropIfSettled = (taskId: string, task: WatchedTask): void => {
    if (task.isSettled && !isLoading) tasks.delete(taskId);
  };
  const catchUp = async (taskId: string): Promise<void> => {
    const task = watchedTask(taskId);
    for (const record of await orchestrator.ledger(taskId)) task.replay(record);
    dropIfSettled(taskId, task);
  };
  const load = async (): Promise<number> => {
    const open = await orchestrator.list({ isSettled: false });
    const limit = Math.min(mostSettled, most);
    const settled = await orchestrator.list({ isSettled: true, order: 'newest', limit });
    // viewers are shown the last `most`
    for (const { taskId } of [...settled.items.toReversed(), ...open])
      await catchUp(taskId).catch((error: unknown) => {
        if (!isCharterError(error, 'task_corrupted')) throw error;
      });
    const shown = [...tasks.values()].filter(({ isShown }) => isShown).length;
    isLoading = false;
    for (const [taskId, task] of tasks) dropIfSettled(taskId, task);
    return Math.max(0, (await orchestrator.counts()).tasks - Math.min(shown, most));
  };
  const off = orchestrator.on('record', async (record) => {
    const { taskId, kind } = record;
    if (kind !== 'fact' && !tasks.has(taskId)) return; // the task is settled
    const task = watchedTask(taskId);
    if (!task.replay(record)) return catchUp(taskId);
    dropIfSettled(taskId, task);
  });
  const stop = (): void => {
    ended.removeEventListener('abort', stop);
    off();
    for (const task of tasks.values()) task.end();
  };
  ended.addEventListener('abort', stop);
  try {
    return { stop, unshown: await load() };
  } catch (error) {
    stop();
    throw error;
  }
};
