/**
 * Whether work is still wanted: what performing a duty needs of an `AbortSignal`. A signal of the platform is an event
 * target, which costs more than most duties; host code gets one when it reads it.
 */
export interface WorkSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  readonly throwIfAborted: () => void;
  /** Marks the work as under way: who drains lets it end. */
  readonly begin: () => void;
  /** Calls the listener once when the work is aborted. Returns a function that removes the listener. */
  readonly onAbort: (listener: () => void) => () => void;
}

/** Why a tool is aborted whose task is cancelled; shared, because creating an AbortError costs more than most duties. */
export const byCancellation = Object.freeze(new DOMException('the task was cancelled', 'AbortError'));

/** Aborts work. Listeners do not throw. */
export class WorkAbort implements WorkSignal {
  aborted = false;
  reason: unknown;
  isUnderWay = false;
  readonly #listeners = new Set<() => void>();

  /** Creates an abort that follows others. */
  constructor(...followed: readonly WorkSignal[]) {
    for (const signal of followed) {
      const follow = (): void => this.abort(signal.reason);
      if (signal.aborted) follow();
      else signal.onAbort(follow);
    }
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  begin(): void {
    this.isUnderWay = true;
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  onAbort(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Returns a signal for host code that aborts with the first of ours. Host code cannot change ours through it. */
export const hostSignal = (...followed: readonly WorkSignal[]): AbortSignal => {
  const own = new AbortController();
  for (const signal of followed) {
    const follow = (): void => {
      try {
        own.abort(signal.reason);
      } catch {
        // the host has broken its own signal
      }
    };
    if (signal.aborted) follow();
    else signal.onAbort(follow);
  }
  return own.signal;
};

/** Adds `signal` to what host code is given: a signal of its own, made when it is first read. */
export const withHostSignal = <Given extends object>(
  given: Given,
  ...followed: readonly WorkSignal[]
): Given & { readonly signal: AbortSignal } => {
  let own: AbortSignal | undefined;
  const get = (): AbortSignal => (own ??= hostSignal(...followed));
  return Object.defineProperty(given, 'signal', { enumerable: true, configurable: true, get }) as Given & {
    readonly signal: AbortSignal; // just defined
  };
};
