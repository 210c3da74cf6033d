import { describe, expect, test } from 'vitest';
import { createBoundedWorker, WorkerOverrun } from '../../../src/boundary/bounded-worker.ts';
import { program } from './jobs.ts';

const second = (): number => 1_000;
const long = (): number => 10_000;

describe('A bounded worker', () => {
  test('ends a job that fills the memory and answers the next', async () => {
    const { run } = createBoundedWorker(program, null);
    const before = await run('thread', second);
    await expect(run('fill', long)).rejects.toThrow(WorkerOverrun);
    expect((await run('thread', second)).answer).not.toBe(before.answer);
  });

  test('repeats a job after another exhausted the memory', async () => {
    const { run } = createBoundedWorker(program, null);
    for (let round = 0; round < 3; round += 1) expect((await run('hold', long)).answer).toBe(1);
  });
});
