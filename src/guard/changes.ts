/** Lets those who wait know that something happened which they may want to know. */
export class Changes {
  readonly #waiting = new Set<() => void>();
  #count = 0;

  /** How often something happened. */
  get count(): number {
    return this.#count;
  }

  tell(): void {
    this.#count += 1;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Waits until more has happened than was seen, or until somebody does not want to know any more. */
  since(seen: number, signal: AbortSignal | undefined): Promise<void> {
    if (seen !== this.#count || signal?.aborted === true) return Promise.resolve();
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
