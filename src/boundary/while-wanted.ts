/** Returns the result of work. If `signal` aborts first, throws its reason and ignores the result. */
export const whileWanted = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
