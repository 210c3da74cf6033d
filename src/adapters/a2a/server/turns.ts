/** Milliseconds after which a published event counts as stored or lost. */
const grace = 1_000;

/** Tracks the tasks that are being published, so that the store does not overtake their events. */
export class Turns {
  readonly #running = new Map<string, number>();
  readonly #unstored = new Set<string>();

  /** Returns whether an event of a task is not stored yet. */
  isPublishing(id: string): boolean {
    return this.#running.has(id) || this.#unstored.has(id);
  }

  /** Marks the last event of a turn as stored. */
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
