import type { StoredTask } from '../../base/ports/store.ts';
import { summaryOf } from '../kernel/view.ts';
import type { Environment } from './environment.ts';
import { emitRecorded, type Position } from './recorded-events.ts';
import type { Task } from './task.ts';

/** The maximum number of tasks that are remembered. */
const maxLeft = 10_000;

/**
 * The open tasks that left the memory of a process and that other processes may go on with: how far their events were
 * emitted, so that none is missing when they change.
 */
export class LeftTasks {
  readonly #emit: Environment['emit'];
  readonly #positions = new Map<string, Position>();

  constructor(emit: Environment['emit']) {
    this.#emit = emit;
  }

  has(taskId: string): boolean {
    return this.#positions.has(taskId);
  }

  add(task: Task): void {
    this.#positions.delete(task.taskId);
    if (task.view.isSettled) return;
    this.#positions.set(task.taskId, task.leave());
    const [oldest] = this.#positions.keys();
    if (this.#positions.size > maxLeft && oldest !== undefined) this.#positions.delete(oldest);
  }

  /** Emits what other processes recorded before this task was loaded again. */
  emitUntil({ taskId, view }: Task, { records, emissions }: StoredTask): void {
    const left = this.#positions.get(taskId);
    this.#positions.delete(taskId);
    if (left === undefined || records.length <= left.records) return;
    emitRecorded(this.#emit, {
      taskId,
      records: records.slice(left.records),
      emissions: emissions.slice(left.documents),
      projection: view.projection,
      questions: left.questions,
      isForeign: true,
    });
    if (view.isSettled) this.#emit('settled', { ...summaryOf(view), isForeign: true });
  }
}
