/** Notifies waiting callers that something changed. */
export class Changes {
  readonly #waiting = new Set<() => void>();
  #count = 0;

  /** The number of changes so far. */
  get count(): number {
    return this.#count;
  }

  notify(): void {
    this.#count += 1;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Waits until `count` differs from `countBefore`, or until the signal aborts. */
  since(countBefore: number, signal: AbortSignal | undefined): Promise<void> {
    if (countBefore !== this.#count || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        signal?.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal?.addEventListener('abort', wake);
    });
  }
}
