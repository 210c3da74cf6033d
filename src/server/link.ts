import type { FetchEnv } from './env.ts';

/** A request that is being answered. */
export interface Link {
  /** Aborts once no one waits for the answer. */
  readonly gone: AbortSignal;
  /** Gives the answer up. */
  readonly abort: () => void;
  /** Cuts the connection under an answer that has begun. Returns `false` if it is not known. */
  readonly cut: () => boolean;
  /** Says that the answer is complete. */
  readonly end: () => void;
}

/** Links a request to its answer; `onEnd` is called once it is answered or given up. */
export const createLink = ({ signal }: Request, { outgoing }: FetchEnv, onEnd: () => void): Link => {
  const left = new AbortController();
  const end = (): void => {
    signal.removeEventListener('abort', abort);
    onEnd();
  };
  const abort = (): void => {
    left.abort();
    end();
  };
  const cut = (): boolean => outgoing?.destroy() !== undefined;
  if (signal.aborted) left.abort();
  else signal.addEventListener('abort', abort);
  return { gone: left.signal, abort, cut, end };
};
