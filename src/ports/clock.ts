/** Time, injected: the present instant, and a wake-up call. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
  /** Calls `wake` once at `at` (milliseconds since 1970) or as soon after it as can be; returns what cancels it. */
  readonly wakeAt: (at: number, wake: () => void) => () => void;
}
