/** Injected time: the current instant, timers, and a monotonic clock. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
  /**
   * Calls `wake` once, at `at` (milliseconds since 1970) or as soon after as possible. Returns a function that
   * cancels it.
   */
  readonly wakeAt: (at: number, wake: () => void) => () => void;
  /**
   * Milliseconds since an arbitrary instant, unaffected by changes of the system time. It may stop while the machine
   * is suspended. Optional: without it, `now` measures time, and each forward jump of `now` counts at once.
   */
  readonly monotonic?: () => number;
}
