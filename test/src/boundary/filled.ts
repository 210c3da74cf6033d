import { createBoundedWorker } from '../../../src/boundary/bounded-worker.ts';
import { program } from './jobs.ts';

// Fills the memory of a bounded worker, twice at once, and prints what is answered after it.

const fill = async (): Promise<string> => {
  const { run } = createBoundedWorker(program, null);
  const fault = await run('fill', () => 20_000).then(
    () => 'nothing',
    (error: unknown) => String(error),
  );
  const { answer } = await run('data', () => 20_000);
  return `${fault}; ${JSON.stringify(answer)}`;
};

console.log((await Promise.all([fill(), fill()])).join('\n'));
