import type { Clock } from '../ports/clock.ts';
import type { Deadline } from '../ports/store.ts';

/** A task's deadlines as they run, and the wake-up call for the next of them. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #running: readonly Deadline[] = [];
  #cancel: () => void = () => {};
  #isStopped = false;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** All that run, the next one first. */
  get running(): readonly Deadline[] {
    return this.#running;
  }

  /** The deadlines after a step. */
  set(running: readonly Deadline[]): void {
    this.#running = running;
    this.arm();
  }

  /** Tells of each deadline that has passed, first things first; one that could not be told of is due again. */
  async pass(until: number, tell: (deadline: Deadline) => Promise<unknown>): Promise<void> {
    for (;;) {
      const running = this.#running;
      const [first, ...others] = running;
      if (first === undefined || first.at > until) return;
      this.#running = others;
      try {
        await tell(first);
      } catch (error) {
        this.#running = running;
        throw error;
      }
    }
  }

  /** Asks to be woken for the next deadline, not before `notBefore` (milliseconds since 1970). */
  arm(notBefore = 0): void {
    this.#cancel();
    const [next] = this.#running;
    if (next === undefined || this.#isStopped) return;
    this.#cancel = this.#clock.wakeAt(Math.max(next.at, notBefore), this.#ring);
  }

  /** Is woken no more. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }
}
