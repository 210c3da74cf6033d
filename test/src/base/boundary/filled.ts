import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createBoundedWorker } from '../../../../src/base/boundary/bounded-worker.ts';
import { program } from './jobs.ts';

// Fills the memory of a bounded worker, twice at once, and prints what is answered after it, how many MB it may take, and
// whether a thread of the host has its memory as before.

const fill = async (): Promise<string> => {
  const { run } = createBoundedWorker(program, null);
  const fault = await run('fill', () => 20_000).then(
    () => 'nothing',
    (error: unknown) => String(error),
  );
  const { answer } = await run('memory', () => 20_000);
  return `${fault}; ${Math.round(Number(answer) / 1_048_576)} MB`;
};

/** The memory that a thread of the host may take, in bytes. */
const hostMemory = async (): Promise<unknown> => {
  const report = `require('node:worker_threads').parentPort.postMessage(require('node:v8').getHeapStatistics().heap_size_limit)`;
  const [limit] = (await once(new Worker(report, { eval: true }), 'message')) as readonly unknown[];
  return limit;
};

const before = await hostMemory();
const filled = await Promise.all([fill(), fill()]);
console.log([...filled, (await hostMemory()) === before ? 'as before' : 'changed'].join('\n'));
