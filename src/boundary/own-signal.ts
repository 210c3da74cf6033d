/** Returns a signal for host code that aborts with ours. Host code cannot change ours through it. */
export const ownSignal = (signal: AbortSignal): AbortSignal => {
  const own = new AbortController();
  const follow = (): void => {
    try {
      own.abort(signal.reason);
    } catch {
      // the host has broken its own signal
    }
  };
  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true });
  return own.signal;
};
