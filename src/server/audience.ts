import type { Link } from './link.ts';

/** A reader, and what it has not read yet. */
class Seat {
  readonly #link: Link;
  #unread: string[] = [];
  #size = 0;
  #isOver = false;
  #wake = (): void => {};
  #leave = (): void => {};
  /** Resolves once it reads no more. */
  readonly left: Promise<void>;

  constructor(link: Link) {
    this.#link = link;
    this.left = new Promise((resolve) => (this.#leave = resolve));
    link.gone.addEventListener('abort', () => this.end());
  }

  /** Adds what is to be read. With more than `limit` characters unread the reader is let go, and comes back. */
  add(frame: string, limit = Infinity): void {
    this.#unread.push(frame);
    this.#size += frame.length;
    if (this.#size > limit) this.#link.abort();
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *read(): AsyncGenerator<string> {
    try {
      while (!this.#link.gone.aborted) {
        const frames = this.#unread.join('');
        this.#unread = [];
        this.#size = 0;
        if (frames !== '') yield frames;
        else if (this.#isOver) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.#leave();
    }
  }
}

/** Readers of the same events; each is told as fast as it reads. */
export class Audience {
  readonly #limit: number;
  readonly #seats = new Set<Seat>();

  /** `limit` is how many characters a reader may leave unread. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#seats.size;
  }

  /** Reads the greeting, and what is told from then on, until the reader is gone or all is over. */
  async *join(greeting: () => string, link: Link): AsyncGenerator<string> {
    const seat = new Seat(link);
    this.#seats.add(seat);
    try {
      seat.add(greeting());
      yield* seat.read();
    } finally {
      this.#seats.delete(seat);
    }
  }

  /** Tells every reader. Without readers, the frame is not made. */
  tell(make: () => string): void {
    if (this.#seats.size === 0) return;
    const frame = make();
    for (const seat of this.#seats) seat.add(frame, this.#limit);
  }

  /** Ends every reader, after what it has not read yet. Resolves once each has read that, or is gone. */
  async end(last = ''): Promise<void> {
    const seats = [...this.#seats];
    for (const seat of seats) {
      seat.add(last);
      seat.end();
    }
    await Promise.all(seats.map(({ left }) => left));
  }
}
