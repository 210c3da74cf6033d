import type { Environment } from './environment.ts';

/** Milliseconds until a retry after the store failed to list due tasks. */
const retryDelay = 1_000;

/** One alarm for the deadlines of all tasks that are not in memory. The process holds the whole store. */
export class StoreAlarm {
  readonly #ports: Pick<Environment, 'store' | 'clock' | 'emit'>;
  readonly #resume: (taskId: string) => Promise<void>;
  #next: { readonly at: number; readonly stop: () => void } | null = null;
  #isStopped: boolean;
  /** Rises with each task that settles. */
  #settled = 0;
  #isRenewing = false;

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
    const settled = this.#settled;
    await this.#ringOnce();
    if (settled !== this.#settled) void this.renew(); // the next one may be of a task that settled meanwhile
  }

  async #ringOnce(): Promise<void> {
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
    this.#disarm();
    const wake = (): void => {
      this.#next = null;
      void this.ring();
    };
    this.#next = { at, stop: this.#ports.clock.wakeAt(at, wake) };
  }

  /** Sets the alarm anew after a task settled: a timer for a settled task would keep the process running. */
  async renew(): Promise<void> {
    this.#settled += 1;
    if (this.#isRenewing) return; // it reads again
    this.#isRenewing = true;
    try {
      for (let seen = -1; seen !== this.#settled && this.#next !== null;) {
        seen = this.#settled;
        this.#disarm();
        await this.#ringOnce();
      }
    } finally {
      this.#isRenewing = false;
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#disarm();
  }

  #disarm(): void {
    this.#next?.stop();
    this.#next = null;
  }
}
