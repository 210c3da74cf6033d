import { TaskClassContract } from '../../machines/index.ts';
import { reasonMeaning } from '../../schema/index.ts';
import { CharterError } from '../errors.ts';
import type { Actor } from '../ports/ledger.ts';
import type { StoredTask } from '../ports/store.ts';
import { carryOver } from './carry-over.ts';
import { timesWork } from './deadlines.ts';
import type { Environment } from './environment.ts';
import { beginAgain, neverBegan } from './perform/delegate.ts';
import type { PerformerPorts } from './perform/performer.ts';
import { compensateAgain } from './perform/undo.ts';
import { orchestratorActor } from './record.ts';
import type { Recovery } from './surface.ts';
import { isOfThisChart } from './summary.ts';
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
const retryAfter = 1_000;

/**
 * The tasks in memory: those with work in flight, and the most recently used ones. All others are in the store, with
 * one alarm for their next deadline.
 */
export class TaskCache {
  readonly #environment: PerformerPorts;
  readonly #limit: number;
  readonly #cached = new Map<string, CachedTask>();
  /** The idle tasks, least recently used first. */
  readonly #resting = new Set<string>();
  /** Tasks that were carried over from an older chart, and not yet reported by `recover`. */
  readonly #carried = new Set<string>();
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
    let holding = this.#cached.get(taskId);
    if (holding !== undefined && !this.#environment.isOwner) await this.#caughtUp(holding);
    while (holding === undefined) {
      await this.#load(taskId);
      holding = this.#cached.get(taskId); // it may have been evicted meanwhile
    }
    holding.uses += 1;
    this.#resting.delete(taskId);
    try {
      return await work(holding.task);
    } finally {
      holding.uses -= 1;
      this.#rest(taskId);
    }
  }

  /** Refreshes a guest's task first, so that it does not decide by an old copy. */
  async #caughtUp(holding: CachedTask): Promise<void> {
    holding.uses += 1;
    try {
      await holding.task.refresh();
    } finally {
      holding.uses -= 1;
    }
  }

  /** Adds a new task. It stays only if its beginning is recorded. */
  async begin(task: Task, actor: Actor, key: string | undefined): Promise<void> {
    const holding = this.#hold(task);
    holding.uses += 1;
    try {
      await task.begin(actor, key);
    } catch (error) {
      this.#cached.delete(task.taskId);
      task.tracing.close();
      throw error;
    } finally {
      holding.uses -= 1;
      this.#rest(task.taskId);
    }
  }

  /** Applies other processes' records to these tasks. */
  async refresh(taskIds: readonly string[]): Promise<void> {
    if (this.#isClosed) return;
    for (const taskId of taskIds) {
      const holding = this.#cached.get(taskId);
      if (holding !== undefined) await this.use(taskId, (task) => task.refresh());
      else if (this.#environment.isOwner) await this.#takeUp(taskId);
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
    const open = await store.taskIndex({ isSettled: false });
    for (const entry of open.filter((one) => !isOfThisChart(one)))
      await attempt(entry.taskId, () => this.use(entry.taskId, () => {}));
    const owed = [
      ...(await store.taskIndex({ isOwed: true })),
      // open tasks that wait for no one are checked too: they are rare, and may have been tampered with
      ...(await store.taskIndex({ isSettled: false, isOwed: false, isAsking: false })),
    ];
    for (const { taskId } of owed) await attempt(taskId, () => this.use(taskId, (task) => task.wake()));
    const taken = owed.filter(({ taskId }) => !refused.has(taskId)).length;
    const nested = await store.taskIndex({ isSettled: false, isNested: true });
    for (const parent of new Set(nested.flatMap((one) => one.parent ?? [])))
      await attempt(parent, () => children.followStored(parent));
    await this.ring();
    const carriedOver = [...this.#carried];
    this.#carried.clear();
    return { taken, carriedOver, refused: [...refused.values()] };
  }

  /** Wakes every task with a due deadline, and sets the alarm for the next one. */
  async ring(): Promise<void> {
    const { clock, store, emit } = this.#environment;
    if (this.#isClosed) return;
    try {
      const { taskIds, next } = await store.due(clock.now());
      for (const taskId of taskIds) await this.#takeUp(taskId);
      if (next !== null) this.#arm(next);
    } catch (error) {
      emit('error', { taskId: '', error });
      this.#arm(clock.now() + retryAfter);
    }
  }

  /** Stops all deadlines. */
  closing(): void {
    this.#isClosed = true;
    this.#alarm?.stop();
    for (const { task } of this.#cached.values()) task.closing();
  }

  /** Aborts all work in flight. */
  idle(): Promise<unknown> {
    return Promise.all([...this.#cached.values()].map(({ worker }) => worker.close()));
  }

  /** Stops recording. */
  close(): Promise<unknown> {
    return Promise.all([...this.#cached.values()].map(({ task }) => task.close()));
  }

  /** Loads a task that is due or has duties; a failure does not affect the others. */
  async #takeUp(taskId: string): Promise<void> {
    try {
      await this.use(taskId, (task) => task.wake());
    } catch (error) {
      this.#environment.emit('error', { taskId, error });
    }
  }

  #load(taskId: string): Promise<void> {
    const under = this.#loading.get(taskId) ?? this.#read(taskId).finally(() => this.#loading.delete(taskId));
    this.#loading.set(taskId, under);
    return under;
  }

  async #read(taskId: string): Promise<void> {
    const stored = await this.#environment.store.load(taskId);
    if (stored === undefined) throw this.unknown(taskId);
    const holding = this.#hold(await Task.from(await this.#carriedOver(stored), this.#environment));
    if (!this.#environment.isOwner || this.#isClosed) return;
    holding.uses += 1; // its duties begin before it can be evicted
    try {
      await this.#goOn(holding);
    } catch (error) {
      this.#letGo(taskId); // its duties are resumed when it is loaded again
      throw error;
    } finally {
      holding.uses -= 1;
    }
  }

  /**
   * Carries a task over from an older chart. Only the owner does: a guest would strand the task for an older owner.
   */
  async #carriedOver(stored: StoredTask): Promise<StoredTask> {
    const { isOwner } = this.#environment;
    if (!isOwner || this.#isClosed) return stored;
    const now = await carryOver(stored, this.#environment);
    if (now !== stored) this.#carried.add(stored.indexEntry.taskId);
    return now;
  }

  /** Applies due deadlines first; then performs duties, and resumes the work of a crash. */
  async #goOn({ task, worker }: CachedTask): Promise<void> {
    await task.wake();
    await tighten(task, this.#environment);
    worker.step(task.view.due);
    await this.#environment.children.takeUp(task, {
      begin: (taskId, call) => beginAgain(task, this.#environment, taskId, call),
      giveUp: (begun) => neverBegan(task, begun),
    });
    await compensateAgain(task, this.#environment);
  }

  #hold(task: Task): CachedTask {
    const { children, isOwner } = this.#environment;
    const { taskId } = task;
    const worker = createWorker(task, this.#environment, () => this.#rest(taskId));
    const holding: CachedTask = { task, worker, uses: 0 };
    task.onStep = ({ due, unreported }) => {
      if (!isOwner) return;
      worker.step(due);
      this.use(taskId, () => (unreported.length > 0 ? children.follow(task) : undefined)).catch(
        (error: unknown) => {
          this.#environment.emit('error', { taskId, error });
        },
      );
    };
    this.#cached.set(taskId, holding);
    return holding;
  }

  #isResting(taskId: string): boolean {
    const holding = this.#cached.get(taskId);
    if (holding === undefined || holding.uses > 0) return false;
    return holding.worker.isIdle && holding.task.isQuiet && !timesWork(holding.task.alarm.running);
  }

  /** Marks a task as idle if it is, and evicts the least recently used ones. */
  #rest(taskId: string): void {
    if (!this.#isResting(taskId)) return;
    this.#resting.delete(taskId);
    this.#resting.add(taskId);
    for (const id of this.#resting) {
      if (this.#resting.size <= this.#limit) return;
      if (this.#isResting(id)) this.#letGo(id);
    }
  }

  #letGo(taskId: string): void {
    const task = this.peek(taskId);
    this.#cached.delete(taskId);
    this.#resting.delete(taskId);
    task?.closing();
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
    const message = `there is no task ${JSON.stringify(taskId)}`;
    return new CharterError('not_found', message, { kind: 'task', id: taskId, known });
  }
}
