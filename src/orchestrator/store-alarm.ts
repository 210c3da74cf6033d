import type { Environment } from './environment.ts';

/** Milliseconds until a retry after the store failed to list due tasks. */
const retryDelay = 1_000;

/** One alarm for the deadlines of all tasks that are not in memory. The process holds the whole store. */
export class StoreAlarm {
  readonly #ports: Pick<Environment, 'store' | 'clock' | 'emit'>;
  readonly #resume: (taskId: string) => Promise<void>;
  #next: { readonly at: number; readonly stop: () => void } | null = null;
  #isStopped: boolean;
  #ringing: Promise<void> | null = null;
  /** Whether the store must be read, or read again. */
  #isStale = false;

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

  /** Wakes every task with a due deadline, and sets the alarm for the next one. Does so again if called meanwhile. */
  async ring(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStale = true;
    this.#ringing ??= this.#ringWhileStale();
    await this.#ringing;
  }

  async #ringWhileStale(): Promise<void> {
    while (this.#isStale && !this.#isStopped) {
      this.#isStale = false;
      await this.#ringOnce();
    }
    this.#ringing = null;
  }

  async #ringOnce(): Promise<void> {
    const { clock, store, emit } = this.#ports;
    this.#disarm();
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

  /** Reads the next deadline again after a task settled. A timer for a settled task would keep the process running. */
  async renew(): Promise<void> {
    if (this.#next !== null || this.#ringing !== null) await this.ring();
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
