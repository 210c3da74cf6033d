import type { FetchEnv } from './env.ts';

/** A request that is being answered. */
export class Link {
  readonly #left = new AbortController();
  readonly #outgoing: FetchEnv['outgoing'];
  readonly #onEnd: () => void;
  readonly #request: Request;
  readonly #leave = (): void => this.abort();

  constructor(request: Request, { outgoing }: FetchEnv, onEnd: () => void) {
    this.#request = request;
    this.#outgoing = outgoing;
    this.#onEnd = onEnd;
    if (request.signal.aborted) this.abort();
    else request.signal.addEventListener('abort', this.#leave, { once: true });
  }

  /** Aborts once no one waits for the answer. */
  get gone(): AbortSignal {
    return this.#left.signal;
  }

  /** Gives the answer up. */
  abort(): void {
    this.#left.abort();
    this.end();
  }

  /** Cuts the connection under an answer that has begun. Returns `false` if it is not known. */
  cut(): boolean {
    this.#outgoing?.destroy();
    return this.#outgoing !== undefined;
  }

  /** The answer is complete. */
  end(): void {
    this.#request.signal.removeEventListener('abort', this.#leave);
    this.#onEnd();
  }
}
