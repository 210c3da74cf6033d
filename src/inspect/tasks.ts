import { createActor, type Actor, type InspectionEvent } from 'xstate';
import { taskMachine } from '../../machines/index.ts';
import { replaySession, type ReplaySession } from '../ledger/replay-session.ts';
import type { TaskSummary } from '../orchestrator/summary.ts';
import type { Orchestrator } from '../orchestrator/surface.ts';
import type { LedgerRecord } from '../ports/ledger.ts';

/** The parts of an orchestrator that `watch` uses. */
export interface Watched extends Pick<Orchestrator, 'on' | 'ledger'> {
  readonly list: (only: { readonly isSettled: false }) => Promise<readonly TaskSummary[]>;
}

type Inspect = (event: InspectionEvent) => void;

/** A watched task. It replays the ledger through a chart, and shows a record if the chart agrees with it. */
class WatchedTask {
  readonly #inspect: Inspect;
  #judge: ReplaySession['judge'] | undefined;
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
    if (this.#judge?.(record) === null) this.#follow(record);
    else this.end(); // the ledger differs from the chart, or its beginning was erased
    return true;
  }

  #begin(record: LedgerRecord): void {
    const { taskId, request_id: request, brought } = record;
    const { contract: taskClass } = brought;
    if (taskClass === undefined) return;
    this.#judge = replaySession(taskClass, record).judge;
    const [inspect, id] = [this.#inspect, `${taskClass.id} ${taskId}`];
    this.#shown = createActor(taskMachine, { inspect, id, input: { taskClass, request } }).start();
  }

  #follow({ kind, fact }: LedgerRecord): void {
    if (kind === 'fact' && fact !== null) this.#shown?.send(fact);
    this.isSettled = this.#shown?.getSnapshot().hasTag('settled') === true;
  }

  /** Stops showing the task. */
  end(): void {
    this.#isOver = true;
    this.#shown?.stop();
  }
}

/** Shows each open and each new task, until the signal aborts or the returned function is called. */
export const watchTasks = async (
  orchestrator: Watched,
  inspect: Inspect,
  ended: AbortSignal,
): Promise<() => void> => {
  const tasks = new Map<string, WatchedTask>();
  const watchedTask = (taskId: string): WatchedTask => {
    const task = tasks.get(taskId) ?? new WatchedTask(inspect);
    tasks.set(taskId, task);
    return task;
  };
  const dropIfSettled = (taskId: string, task: WatchedTask): void => {
    if (task.isSettled) tasks.delete(taskId);
  };
  const catchUp = async (taskId: string): Promise<void> => {
    const task = watchedTask(taskId);
    for (const record of await orchestrator.ledger(taskId)) task.replay(record);
    dropIfSettled(taskId, task);
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
    for (const { taskId } of await orchestrator.list({ isSettled: false })) await catchUp(taskId);
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
};
