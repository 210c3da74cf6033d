import { vi } from 'vitest';

/** Milliseconds that a test waits for something that should happen. Only a failure takes as long. */
export const patience = 60_000;

/** Milliseconds after which a test, or a hook, has hung. */
export const testTimeout = 10 * patience;

/** Returns what `check` returns, once it no longer throws. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: patience, interval: 10 });
