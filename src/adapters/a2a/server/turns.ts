/** Milliseconds after which what was told counts as stored, or as lost with whom it was told to. */
const grace = 1_000;

/** Which tasks are being told of: what is stored of them follows what is told, and must not run ahead of it. */
export class Turns {
  readonly #running = new Map<string, number>();
  readonly #unstored = new Set<string>();

  /** Whether something that was told of a task is not stored yet. */
  isPublishing(id: string): boolean {
    return this.#running.has(id) || this.#unstored.has(id);
  }

  /** The last word of a turn is stored. */
  stored(id: string): void {
    this.#unstored.delete(id);
  }

  async take(id: string, publish: () => Promise<void>): Promise<void> {
    this.#running.set(id, (this.#running.get(id) ?? 0) + 1);
    this.#unstored.add(id);
    try {
      await publish();
    } finally {
      const others = (this.#running.get(id) ?? 1) - 1;
      if (others > 0) this.#running.set(id, others);
      else this.#running.delete(id);
      setTimeout(() => this.#unstored.delete(id), grace).unref();
    }
  }
}
