/** What work comes to, unless nobody waits for it any more: then the signal's reason is thrown, and what the work says is dropped. */
export const whileWanted = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
