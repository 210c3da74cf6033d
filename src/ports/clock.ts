/** Time, injected: the present instant, a wake-up call, and what measures how long something takes. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
  /** Calls `wake` once at `at` (milliseconds since 1970) or as soon after it as can be; returns what cancels it. */
  readonly wakeAt: (at: number, wake: () => void) => () => void;
  /**
   * Milliseconds since any instant. Setting the hour never moves it; it may stand still while the machine is suspended.
   * Optional: without it, `now` measures time, and every step forward of `now` counts at once.
   */
  readonly monotonic?: () => number;
}
