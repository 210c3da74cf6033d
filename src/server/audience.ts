import type { Link } from './link.ts';

/** Readers of the same events; each is told as fast as it reads. */
export class Audience {
  readonly #limit: number;
  readonly #seats = new Set<(frame: string | null) => void>();
  #emptied = (): void => {};

  /** `limit` is how many characters a reader may leave unread: with more it is let go, and comes back. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#seats.size;
  }

  /** Reads the greeting, and what is told from then on, until the reader is gone or all is over. */
  async *join(greeting: () => string, link: Link): AsyncGenerator<string> {
    let unread = greeting();
    let isOver = false;
    let wake: (() => void) | undefined;
    const take = (frame: string | null): void => {
      isOver ||= frame === null;
      unread += frame ?? '';
      if (unread.length > this.#limit) link.abort();
      wake?.();
    };
    this.#seats.add(take);
    link.gone.addEventListener('abort', () => wake?.());
    try {
      while (!link.gone.aborted) {
        const frames = unread;
        unread = '';
        if (frames !== '') yield frames;
        else if (isOver) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#seats.delete(take);
      if (this.size === 0) this.#emptied();
    }
  }

  /** Tells every reader. Without readers, the frame is not made. */
  tell(make: () => string): void {
    if (this.size === 0) return;
    const frame = make();
    for (const take of this.#seats) take(frame);
  }

  /** Ends every reader, after what it has not read yet. Resolves once each has read that, or is gone. */
  async end(last = ''): Promise<void> {
    this.tell(() => last);
    for (const take of this.#seats) take(null);
    if (this.size > 0) await new Promise<void>((resolve) => (this.#emptied = resolve));
  }
}
