import { chartVersion, TaskClassContract } from '../../machines/index.ts';
import { reasonMeaning } from '../../schema/index.ts';
import { CharterError } from '../errors.ts';
import type { Actor } from '../ports/ledger.ts';
import type { StoredTask } from '../ports/store.ts';
import { carryOver } from './carry-over.ts';
import { timesWork } from './deadlines.ts';
import type { Environment } from './environment.ts';
import { openParents, taskIdsOf } from './pages.ts';
import { beginMissingChild, neverBegan } from './perform/delegate.ts';
import type { PerformerPorts } from './perform/performer.ts';
import { resumeLateRollbacks } from './perform/undo.ts';
import { orchestratorActor } from './record.ts';
import type { Recovery } from './surface.ts';
import { Task } from './task.ts';
import { createWorker, type Worker } from './worker.ts';

/** Applies the current task class to a task that began under another version of it; the stricter rules hold. */
const tighten = async (task: Task, { taskClassOf }: Environment): Promise<void> => {
  const { contract } = taskClassOf(task.taskClass.id);
  const fact = { type: 'taskClass.changed', taskClass: TaskClassContract.parse(contract) } as const;
  if (!task.view.snapshot.can(fact)) return;
  const explanation = reasonMeaning.TASK_CLASS_CHANGED;
  await task.submitWithRetry(fact, { actor: orchestratorActor, brought: { explanation } });
};

interface CachedTask {
  readonly task: Task;
  readonly worker: Worker;
  /** The number of current users. */
  uses: number;
}

/** Milliseconds until a retry after the store failed to list due tasks. */
const retryDelay = 1_000;

/**
 * The tasks in memory: those with work in flight, and the most recently used ones. All others are in the store, with
 * one alarm for their next deadline.
 */
export class TaskCache {
  readonly #environment: PerformerPorts;
  readonly #limit: number;
  readonly #cached = new Map<string, CachedTask>();
  /** The idle tasks, least recently used first. */
  readonly #idleTasks = new Set<string>();
  /** Tasks that were carried over from an older chart, and not yet reported by `recover`. */
  readonly #carriedOverIds = new Set<string>();
  readonly #loading = new Map<string, Promise<void>>();
  #alarm: { readonly at: number; readonly stop: () => void } | null = null;
  #isClosed = false;

  constructor(environment: PerformerPorts, limit: number) {
    this.#environment = environment;
    this.#limit = limit;
  }

  /** Returns a task if it is in memory. */
  peek(taskId: string): Task | undefined {
    return this.#cached.get(taskId)?.task;
  }

  /** Runs work on a task, and keeps it in memory meanwhile. Throws `not_found`, and the errors of loading. */
  async use<Result>(taskId: string, work: (task: Task) => Result | Promise<Result>): Promise<Result> {
    let cached = this.#cached.get(taskId);
    if (cached !== undefined && !this.#environment.isOwner) await this.#refreshGuest(cached);
    while (cached === undefined) {
      await this.#load(taskId);
      cached = this.#cached.get(taskId); // it may have been evicted meanwhile
    }
    cached.uses += 1;
    this.#idleTasks.delete(taskId);
    try {
      return await work(cached.task);
    } finally {
      cached.uses -= 1;
      this.#markIdle(taskId);
    }
  }

  /** Refreshes a guest's task first, so that it does not decide by an old copy. */
  async #refreshGuest(cached: CachedTask): Promise<void> {
    cached.uses += 1;
    try {
      await cached.task.refresh();
    } finally {
      cached.uses -= 1;
    }
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
      cached.uses -= 1;
      this.#markIdle(task.taskId);
    }
  }

  /** Applies other processes' records to these tasks. */
  async refresh(taskIds: readonly string[]): Promise<void> {
    if (this.#isClosed) return;
    for (const taskId of taskIds) {
      const cached = this.#cached.get(taskId);
      if (cached !== undefined) await this.use(taskId, (task) => task.refresh());
      else if (this.#environment.isOwner) await this.#resume(taskId);
    }
    if (this.#environment.isOwner) await this.ring();
  }

  /** Resumes every task with duties. */
  async recover(): Promise<Recovery> {
    const { store, children } = this.#environment;
    const refused = new Map<string, { readonly taskId: string; readonly error: unknown }>();
    const attempt = async (taskId: string, work: () => Promise<unknown>): Promise<void> => {
      if (refused.has(taskId)) return;
      try {
        await work();
      } catch (error) {
        refused.set(taskId, { taskId, error });
      }
    };
    for (const taskId of await taskIdsOf(store, { isSettled: false, otherChart: chartVersion }))
      await attempt(taskId, () => this.use(taskId, () => {}));
    const owed = [
      ...(await taskIdsOf(store, { isOwed: true })),
      // open tasks that wait for no one are checked too: they are rare, and may have been tampered with
      ...(await taskIdsOf(store, { isIdle: true })),
    ];
    for (const taskId of owed) await attempt(taskId, () => this.use(taskId, (task) => task.wake()));
    const taken = owed.filter((taskId) => !refused.has(taskId)).length;
    const resumed = new Set(owed); // with every parent that waits for a task
    for (const parent of await openParents(store))
      if (!resumed.has(parent)) await attempt(parent, () => children.cancelUnneededStored(parent));
    await this.ring();
    const carriedOver = Object.freeze([...this.#carriedOverIds]);
    this.#carriedOverIds.clear();
    return Object.freeze({ taken, carriedOver, refused: Object.freeze([...refused.values()]) });
  }

  /** Wakes every task with a due deadline, and sets the alarm for the next one. */
  async ring(): Promise<void> {
    const { clock, store, emit } = this.#environment;
    if (this.#isClosed) return;
    try {
      const { taskIds, next } = await store.due(clock.now());
      for (const taskId of taskIds) await this.#resume(taskId);
      if (next !== null) this.#arm(next);
    } catch (error) {
      emit('error', { taskId: '', error });
      this.#arm(clock.now() + retryDelay);
    }
  }

  /** Stops all deadlines. */
  beginClose(): void {
    this.#isClosed = true;
    this.#alarm?.stop();
    for (const { task } of this.#cached.values()) task.beginClose();
  }

  /** Aborts all work in flight. */
  abortWork(): Promise<unknown> {
    return Promise.all([...this.#cached.values()].map(({ worker }) => worker.close()));
  }

  /** Stops recording. */
  close(): Promise<unknown> {
    return Promise.all([...this.#cached.values()].map(({ task }) => task.close()));
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
    const loading =
      this.#loading.get(taskId) ?? this.#read(taskId).finally(() => this.#loading.delete(taskId));
    this.#loading.set(taskId, loading);
    return loading;
  }

  async #read(taskId: string): Promise<void> {
    const stored = await this.#environment.store.load(taskId);
    if (stored === undefined) throw this.unknown(taskId);
    const cached = this.#add(await Task.from(await this.#carriedOver(stored), this.#environment));
    if (!this.#environment.isOwner || this.#isClosed) return;
    cached.uses += 1; // its duties begin before it can be evicted
    try {
      await this.#resumeWork(cached);
    } catch (error) {
      this.#evict(taskId); // its duties are resumed when it is loaded again
      throw error;
    } finally {
      cached.uses -= 1;
    }
  }

  /**
   * Carries a task over from an older chart. Only the owner does: a guest would strand the task for an older owner.
   */
  async #carriedOver(stored: StoredTask): Promise<StoredTask> {
    const { isOwner } = this.#environment;
    if (!isOwner || this.#isClosed) return stored;
    const now = await carryOver(stored, this.#environment);
    if (now !== stored) this.#carriedOverIds.add(stored.indexEntry.taskId);
    return now;
  }

  /** Applies due deadlines first; then performs duties, and resumes the work of a crash. */
  async #resumeWork({ task, worker }: CachedTask): Promise<void> {
    await task.wake();
    await tighten(task, this.#environment);
    worker.step(task.view.due);
    await this.#environment.children.resume(task, {
      begin: (taskId, call) => beginMissingChild(task, this.#environment, taskId, call),
      recordNeverBegan: (begun) => neverBegan(task, begun),
    });
    await resumeLateRollbacks(task, this.#environment);
  }

  #add(task: Task): CachedTask {
    const { children, isOwner } = this.#environment;
    const { taskId } = task;
    const worker = createWorker(task, this.#environment, () => this.#markIdle(taskId));
    const cached: CachedTask = { task, worker, uses: 0 };
    task.onStep = ({ due, unreported }) => {
      if (!isOwner) return;
      worker.step(due);
      this.use(taskId, () => (unreported.length > 0 ? children.cancelUnneeded(task) : undefined)).catch(
        (error: unknown) => {
          this.#environment.emit('error', { taskId, error });
        },
      );
    };
    this.#cached.set(taskId, cached);
    return cached;
  }

  #isIdle(taskId: string): boolean {
    const cached = this.#cached.get(taskId);
    if (cached === undefined || cached.uses > 0) return false;
    return cached.worker.isIdle && cached.task.isIdle && !timesWork(cached.task.alarm.running);
  }

  /** Marks a task as idle if it is, and evicts the least recently used ones. */
  #markIdle(taskId: string): void {
    if (!this.#isIdle(taskId)) return;
    this.#idleTasks.delete(taskId);
    this.#idleTasks.add(taskId);
    for (const id of this.#idleTasks) {
      if (this.#idleTasks.size <= this.#limit) return;
      if (this.#isIdle(id)) this.#evict(id);
    }
  }

  #evict(taskId: string): void {
    const task = this.peek(taskId);
    this.#cached.delete(taskId);
    this.#idleTasks.delete(taskId);
    task?.beginClose();
    void task?.close();
    const next = task?.alarm.running[0];
    if (next !== undefined) this.#arm(next.at);
  }

  #arm(at: number): void {
    if (this.#isClosed || !this.#environment.isOwner) return;
    if (this.#alarm !== null && this.#alarm.at <= at) return;
    this.#alarm?.stop();
    const wake = (): void => {
      this.#alarm = null;
      void this.ring();
    };
    this.#alarm = { at, stop: this.#environment.clock.wakeAt(at, wake) };
  }

  /** Returns the `not_found` error for a task, with some that are in memory. */
  unknown(taskId: string): CharterError<'not_found'> {
    const known = [...this.#cached.keys()].slice(-10);
    const message = `there is no task ${JSON.stringify(taskId)} in this store: \`list\` returns its tasks`;
    return new CharterError('not_found', message, { kind: 'task', id: taskId, known });
  }
}
