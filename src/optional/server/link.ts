import type { FetchEnv } from './env.ts';

/** A request that is being answered. */
export interface Link {
  /** Aborts when the client disconnects. */
  readonly gone: AbortSignal;
  /** Abandons the response. */
  readonly abort: () => void;
  /** Closes the connection of an incomplete response. Returns `false` if the connection is not known. */
  readonly cut: () => boolean;
  /** Marks the response as complete. */
  readonly end: () => void;
}

/** Links a request to its response. Calls `onEnd` after the response is complete or abandoned. */
export const createLink = ({ signal }: Request, { outgoing }: FetchEnv, onEnd: () => void): Link => {
  const controller = new AbortController();
  const end = (): void => {
    signal.removeEventListener('abort', abort);
    onEnd();
  };
  const abort = (): void => {
    controller.abort();
    end();
  };
  const cut = (): boolean => outgoing?.destroy() !== undefined;
  if (signal.aborted) controller.abort();
  else signal.addEventListener('abort', abort);
  return { gone: controller.signal, abort, cut, end };
};
