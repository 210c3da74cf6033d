import { isCharterError, type CharterError } from '../../base/errors.ts';
import type { Actor } from '../../base/ports/ledger.ts';
import {
  closeDetached,
  endUse,
  hasEnded,
  hasNothingInFlight,
  isAtRest,
  refreshGuest,
  stopWork,
  unknownTask,
  waitsForAgent,
  waitsForOthers,
  type CachedTask,
} from './cached-task.ts';
import { createCarrier } from './carrying.ts';
import type { Ports } from './duties/performer.ts';
import { noHolds } from './holds.ts';
import { IdleTasks } from './idle-tasks.ts';
import { LeftTasks } from './left-tasks.ts';
import { isTidy, resumeWork, tidyUp } from './resume-work.ts';
import { shareWork } from './share-work.ts';
import { StoreAlarm } from './store-alarm.ts';
import { closing, takenOver } from './task-errors.ts';
import { Task } from './task.ts';
import { createWorker } from './worker.ts';

/**
 * The tasks in memory: those with work in flight, and the most recently used ones. All others are in the store, with
 * one alarm for their next deadline.
 */
export class TaskCache {
  readonly #environment: Ports;
  /** The ports of tasks that another process may hold: their steps have no fence. */
  readonly visiting: Ports;
  readonly #isLeased: boolean;
  /** Whether this process waits for the deadlines of all tasks: it holds the store as a whole. */
  readonly #timesAll: boolean;
  readonly #cached = new Map<string, CachedTask>();
  readonly #idleTasks: IdleTasks;
  /** The tasks that were carried over from an older chart. */
  readonly carrier: ReturnType<typeof createCarrier>;
  readonly #loading = new Map<string, Promise<void>>();
  /** On a store with leases only. */
  readonly #left: LeftTasks;
  /** Called after a step of a task that this process does not hold. */
  onFreeStep: () => void = () => {};
  /** The deadlines of tasks that are not in memory. */
  readonly alarm: StoreAlarm;
  #isClosed = false;
  #isDraining = false;

  constructor(environment: Ports, limit: number) {
    this.#environment = environment;
    this.#isLeased = environment.store.lease !== Infinity;
    this.#timesAll = environment.isOwner && !this.#isLeased;
    this.alarm = new StoreAlarm(environment, this.#timesAll, (taskId) => this.#resume(taskId));
    this.visiting = { ...environment, isOwner: false, holds: noHolds };
    this.#idleTasks = new IdleTasks(limit, {
      isIdle: (taskId) => {
        const cached = this.#cached.get(taskId);
        return cached !== undefined && isAtRest(cached);
      },
      evict: (taskId) => this.#evict(taskId),
    });
    this.carrier = createCarrier(environment);
    this.#left = new LeftTasks(environment.emit);
  }

  /** Returns the tasks in memory. */
  all(): readonly CachedTask[] {
    return [...this.#cached.values()];
  }

  /** Returns a task if it is in memory. */
  peek(taskId: string): Task | undefined {
    return this.#cached.get(taskId)?.task;
  }

  /**
   * Runs work on a task, and keeps it in memory meanwhile. The work runs again if another process took the task over
   * meanwhile. Throws `not_found`, and the errors of loading.
   */
  async use<Result>(taskId: string, work: (task: Task) => Result | Promise<Result>): Promise<Result> {
    try {
      return await this.#use(taskId, work);
    } catch (error) {
      const isLost = isCharterError(error, 'task_fenced') && error.details.taskId === taskId;
      if (!isLost || this.#isClosed || this.#environment.holds.fenceOf(taskId) !== null) throw error;
      return this.#use(taskId, work);
    }
  }

  async #use<Result>(taskId: string, work: (task: Task) => Result | Promise<Result>): Promise<Result> {
    let cached = this.#cached.get(taskId);
    if (cached?.isHeld === false) {
      await refreshGuest(cached);
      cached = this.#cached.get(taskId); // this process may hold it now
    }
    while (cached === undefined) {
      await this.#load(taskId);
      cached = this.#cached.get(taskId); // it may have been evicted meanwhile
    }
    cached.uses += 1;
    this.#idleTasks.delete(taskId);
    try {
      return await work(cached.task);
    } finally {
      endUse(cached);
      this.#idleTasks.mark(taskId);
    }
  }

  /** Whether this process performs a task. */
  #isHeld(taskId: string): boolean {
    const { isOwner, holds } = this.#environment;
    return isOwner && (!this.#isLeased || holds.fenceOf(taskId) !== null);
  }

  /** Adds a new task. It stays only if its beginning is recorded. */
  async begin(task: Task, actor: Actor, key: string | undefined): Promise<void> {
    const cached = this.#add(task);
    cached.uses += 1;
    try {
      await task.begin(actor, key);
    } catch (error) {
      this.#cached.delete(task.taskId);
      task.tracing.close();
      throw error;
    } finally {
      endUse(cached);
      this.#idleTasks.mark(task.taskId);
    }
  }

  /** Applies other processes' records to these tasks; a failure does not affect the others. */
  async refresh(taskIds: readonly string[]): Promise<void> {
    for (const taskId of taskIds)
      try {
        if (!this.#isClosed) await this.#refresh(taskId);
      } catch (error) {
        if (!this.#isClosed) this.#environment.emit('error', { taskId, error });
      }
    if (this.#timesAll && !this.#isClosed) await this.alarm.ring();
  }

  async #refresh(taskId: string): Promise<void> {
    if (this.#cached.has(taskId)) await this.use(taskId, (task) => task.refresh());
    else if (this.#timesAll) await this.#resume(taskId);
    else if (this.#left.has(taskId)) await this.use(taskId, () => {}); // emits the events
  }

  /** Resumes a task that this process now holds, in place of one of an earlier hold or of none. Throws the errors of loading. */
  async adopt(taskId: string): Promise<void> {
    const cached = this.#cached.get(taskId);
    if (cached?.isHeld === false) this.#detach(taskId, cached);
    else if (cached !== undefined && cached.fence !== this.#environment.holds.fenceOf(taskId))
      this.drop(taskId);
    await this.use(taskId, (task) => task.wake());
  }

  /** Gives up a task that another process took over: aborts its work, and records nothing more. */
  drop(taskId: string): void {
    const cached = this.#cached.get(taskId);
    if (cached?.isHeld !== true) return;
    stopWork(cached, takenOver(taskId, cached.fence ?? 0));
    this.#detach(taskId, cached);
  }

  /** Evicts those of these tasks that nothing here can go on with, and returns them. */
  release(taskIds: readonly string[]): readonly string[] {
    return taskIds.filter((taskId) => {
      const cached = this.#cached.get(taskId);
      if (cached === undefined) return !this.#loading.has(taskId);
      const isForAnother = waitsForAgent(cached, this.#environment.turns) && hasNothingInFlight(cached);
      if (isForAnother) this.drop(taskId);
      else if (cached.task.view.isOwed || !isAtRest(cached)) return false;
      else this.#evict(taskId);
      return true;
    });
  }

  /** Settles when what is being read from the store is in memory. */
  loaded(): Promise<unknown> {
    return Promise.allSettled(this.#loading.values());
  }

  /** Gives up those of these tasks that have nothing in flight, after a drain or a close, and returns them. */
  handOver(taskIds: readonly string[]): readonly string[] {
    const ended = taskIds.filter((id) => hasEnded(this.#cached.get(id)) ?? !this.#loading.has(id));
    for (const id of ended) this.drop(id);
    return ended;
  }

  /** Returns the tasks here that wait for a child, or for a person who undoes a write. */
  parents(): readonly Task[] {
    return this.all().flatMap((cached) => (waitsForOthers(cached) ? [cached.task] : []));
  }

  /** Begins no more work; settles when what is under way has ended. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    const reason = closing();
    const drained = this.all().map(({ worker }) => worker.drain(reason));
    await Promise.all([...drained, this.loaded()]);
  }

  /** Stops all deadlines. */
  beginClose(): void {
    this.#isClosed = true;
    this.alarm.stop();
    for (const { task } of this.all()) task.beginClose();
  }

  /** Loads a task that is due or has duties; a failure does not affect the others. */
  async #resume(taskId: string): Promise<void> {
    try {
      await this.use(taskId, (task) => task.wake());
    } catch (error) {
      this.#environment.emit('error', { taskId, error });
    }
  }

  #load(taskId: string): Promise<void> {
    return shareWork(this.#loading, taskId, () => this.#read(taskId));
  }

  async #read(taskId: string): Promise<void> {
    const stored = await this.#environment.store.load(taskId);
    if (stored === undefined) throw await this.unknown(taskId);
    const { holds } = this.#environment;
    const [isHeld, fence] = [this.#isHeld(taskId), holds.fenceOf(taskId)];
    const ports = isHeld ? this.#environment : this.visiting;
    const mayRecord = isHeld && !this.#isClosed; // a guest would strand the task for an older owner
    const task = await Task.from(mayRecord ? await this.carrier.carry(stored) : stored, ports);
    if (isHeld !== this.#isHeld(taskId) || fence !== holds.fenceOf(taskId)) return this.#read(taskId);
    const cached = this.#add(task);
    this.#left.emitUntil(task, stored);
    if (!isHeld || this.#isClosed || this.#isDraining) return;
    cached.uses += 1; // its duties begin before it can be evicted
    try {
      await resumeWork(task, cached.worker, this.#environment);
    } catch (error) {
      if (!cached.isDetached) this.#evict(taskId); // its duties are resumed when it is loaded again
      throw error;
    } finally {
      endUse(cached);
    }
  }

  #add(task: Task): CachedTask {
    const { isOwner, holds } = this.#environment;
    const { taskId } = task;
    const worker = createWorker(task, this.#environment, () => this.#idleTasks.mark(taskId));
    const [isHeld, fence] = [this.#isHeld(taskId), holds.fenceOf(taskId)];
    const cached: CachedTask = { task, worker, isHeld, fence, uses: 0, isDetached: false };
    task.onStep = (view) => {
      if (!isHeld && isOwner) this.onFreeStep(); // no process may hold it
      if (!isHeld) return;
      if (view.isSettled) void this.alarm.renew();
      worker.step(view.due);
      if (!isTidy(view))
        this.use(taskId, () => tidyUp(task, view, this.#environment)).catch((error: unknown) => {
          this.#environment.emit('error', { taskId, error });
        });
    };
    this.#cached.set(taskId, cached);
    if (this.#isClosed)
      stopWork(cached); // it was begun or loaded meanwhile
    else if (this.#isDraining) void worker.drain(closing());
    return cached;
  }

  #evict(taskId: string): void {
    const task = this.peek(taskId);
    this.#cached.delete(taskId);
    this.#idleTasks.delete(taskId);
    if (this.#isLeased && task !== undefined) this.#left.add(task);
    task?.beginClose();
    void task?.close();
    const next = task?.deadlines[0];
    if (next !== undefined) this.alarm.arm(next.at);
  }

  /** Puts a task out of use for new work. */
  #detach(taskId: string, cached: CachedTask): void {
    this.#cached.delete(taskId);
    this.#idleTasks.delete(taskId);
    this.#loading.delete(taskId); // what it still does may need the task, and would wait for itself
    this.#left.add(cached.task);
    cached.isDetached = true;
    closeDetached(cached);
  }

  /** Returns the `not_found` error for a task, with some that are in memory. */
  unknown(taskId: string): Promise<CharterError> {
    return unknownTask(this.#environment.store, taskId, [...this.#cached.keys()]);
  }
}
