import type { Environment } from './environment.ts';

/** Milliseconds until a retry after the store failed to list due tasks. */
const retryDelay = 1_000;

/** One alarm for the deadlines of all tasks that are not in memory, of a store that this process holds as a whole. */
export class StoreAlarm {
  readonly #ports: Pick<Environment, 'store' | 'clock' | 'emit'>;
  readonly #resume: (taskId: string) => Promise<void>;
  #next: { readonly at: number; readonly stop: () => void } | null = null;
  #isStopped: boolean;
  /** How many tasks settled since it began to look anew what to ring for; `null` while it does not. */
  #settled: number | null = null;

  /** `isOn` is false if others time the tasks. */
  constructor(
    ports: Pick<Environment, 'store' | 'clock' | 'emit'>,
    isOn: boolean,
    resume: (taskId: string) => Promise<void>,
  ) {
    this.#ports = ports;
    this.#isStopped = !isOn;
    this.#resume = resume;
  }

  /** Wakes every task with a due deadline, and sets the alarm for the next one. */
  async ring(): Promise<void> {
    const { clock, store, emit } = this.#ports;
    if (this.#isStopped) return;
    try {
      const { taskIds, next } = await store.due(clock.now());
      for (const taskId of taskIds) await this.#resume(taskId);
      if (next !== null) this.arm(next);
    } catch (error) {
      emit('error', { taskId: '', error });
      this.arm(clock.now() + retryDelay);
    }
  }

  /** Sets the alarm, unless it rings earlier. */
  arm(at: number): void {
    if (this.#isStopped) return;
    if (this.#next !== null && this.#next.at <= at) return;
    this.#next?.stop();
    const wake = (): void => {
      this.#next = null;
      void this.ring();
    };
    this.#next = { at, stop: this.#ports.clock.wakeAt(at, wake) };
  }

  /** Looks anew what to ring for, because a task settled: a timer for nothing would keep the process running. */
  async renew(): Promise<void> {
    if (this.#settled !== null) this.#settled += 1;
    if (this.#settled !== null || this.#next === null) return;
    this.#settled = 1;
    for (let seen = 0; seen < this.#settled;) {
      seen = this.#settled;
      this.#next?.stop();
      this.#next = null;
      await this.ring();
    }
    this.#settled = null;
  }

  stop(): void {
    this.#isStopped = true;
    this.#next?.stop();
  }
}
