import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createBoundedWorker, WorkerOverrun } from '../../../src/boundary/bounded-worker.ts';
import { builtPackage } from '../../built.ts';
import { program } from './jobs.ts';

const execute = promisify(execFile);

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

  test.each([
    ['a flag', ['--max-semi-space-size=64'], {}],
    ['NODE_OPTIONS', [], { NODE_OPTIONS: '--max-semi-space-size=128' }],
  ])('ends alone in a process with a large young generation, by %s', async (_, flags, env) => {
    const file = await (await builtPackage()).compile('test/src/boundary/filled.ts');
    const { stdout } = await execute(process.execPath, [...flags, file], { env: { ...process.env, ...env } });
    const line = 'WorkerOverrun: it takes longer than 20000 milliseconds, or too much memory; null';
    expect(stdout).toBe(`${line}\n${line}\nas before\n`);
  });
});
