import { once } from 'node:events';

/** What a process says when it waits for the others that are measured with it. */
export const ready = 'ready';

/** What it is told when all of them are. */
export const start = 'start';

/** Waits until every process that is measured together is ready; returns at once without a parent. */
export const allReady = async (): Promise<void> => {
  if (process.send === undefined) return;
  const started = once(process, 'message');
  process.send(ready);
  await started;
};
