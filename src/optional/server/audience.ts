import type { Link } from './link.ts';

/** The readers of one event stream. Each has its own buffer. */
export class Audience {
  readonly #limit: number;
  readonly #seats = new Set<(frame: string | null) => void>();
  #emptied = (): void => {};

  /** `limit` is the number of unread characters after which a reader is disconnected. It can reconnect. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#seats.size;
  }

  /** Yields the greeting, and then each frame, until the reader disconnects or the stream ends. */
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

  /** Sends a frame to every reader. Without readers, `make` is not called. */
  send(make: () => string): void {
    if (this.size === 0) return;
    const frame = make();
    for (const take of this.#seats) take(frame);
  }

  /** Ends the stream of every reader. Resolves after each has read its buffer or disconnected. */
  async end(last = ''): Promise<void> {
    this.send(() => last);
    for (const take of this.#seats) take(null);
    if (this.size > 0) await new Promise<void>((resolve) => (this.#emptied = resolve));
  }
}
