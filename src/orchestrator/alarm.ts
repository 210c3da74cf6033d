import type { Deadline } from '../ports/store.ts';
import { timeLeft, type RunningDeadline } from './deadlines.ts';
import type { Reading, SteadyClock } from './steady-clock.ts';

/** A task's deadlines as they run, and the wake-up call for the next of them. */
export class Alarm {
  readonly #clock: Pick<SteadyClock, 'read' | 'wakeWhen'>;
  readonly #ring: () => void;
  #running: readonly RunningDeadline[] = [];
  #cancel: () => void = () => {};
  #isStopped = false;

  constructor(clock: Pick<SteadyClock, 'read' | 'wakeWhen'>, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** All that run, the one of the earliest hour first. */
  get running(): readonly RunningDeadline[] {
    return this.#running;
  }

  /** The deadlines after a step. */
  set(running: readonly RunningDeadline[]): void {
    this.#running = running;
    this.arm();
  }

  /** Applies each deadline that has passed, the earliest first. One that could not be applied stays due. */
  async pass(until: Reading, apply: (deadline: Deadline) => Promise<unknown>): Promise<void> {
    for (;;) {
      const running = this.#running;
      const [first] = running
        .filter((deadline) => timeLeft(deadline, until) <= 0)
        .toSorted((one, other) => timeLeft(one, until) - timeLeft(other, until));
      if (first === undefined) return;
      this.#running = running.filter((deadline) => deadline !== first);
      try {
        await apply(first);
      } catch (error) {
        this.#running = running;
        throw error;
      }
    }
  }

  /** Asks to be woken for the next deadline, not before so many milliseconds from now. */
  arm(notBefore = 0): void {
    this.#cancel();
    const running = this.#running;
    if (running.length === 0 || this.#isStopped) return;
    const earliest = this.#clock.read().monotonic + notBefore;
    this.#cancel = this.#clock.wakeWhen((now) => {
      const left = Math.min(...running.map((deadline) => timeLeft(deadline, now)));
      return Math.max(left, earliest - now.monotonic);
    }, this.#ring);
  }

  /** Is woken no more. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }
}
