import { nextIn, type RunningDeadline } from '../kernel/deadlines.ts';
import type { SteadyClock } from './steady-clock.ts';

/** The timer of a task for its next deadline. */
export class Alarm {
  readonly #clock: Pick<SteadyClock, 'read' | 'wakeWhen'>;
  readonly #ring: () => void;
  #running: readonly RunningDeadline[] = [];
  /** Cancels the timer; `null` while none is set. */
  #cancel: (() => void) | null = null;
  #isStopped = false;

  constructor(clock: Pick<SteadyClock, 'read' | 'wakeWhen'>, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Replaces the running deadlines. A timer that rings no later than the next one stays: it looks again then. */
  set(running: readonly RunningDeadline[]): void {
    const before = this.#running;
    this.#running = running;
    if (this.#cancel === null || running.length === 0 || before.length === 0) return this.arm();
    const now = this.#clock.read();
    if (nextIn(running, now) < nextIn(before, now)) this.arm();
  }

  /** Sets the timer for the next deadline, at least `notBefore` milliseconds from now. */
  arm(notBefore = 0): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#running.length === 0 || this.#isStopped) return;
    const earliest = this.#clock.read().monotonic + notBefore;
    this.#cancel = this.#clock.wakeWhen(
      (now) => Math.max(nextIn(this.#running, now), earliest - now.monotonic),
      () => {
        this.#cancel = null;
        this.#ring();
      },
    );
  }

  /** Stops the timer for good. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }
}
