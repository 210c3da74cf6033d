import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createBoundedWorker, WorkerOverrun } from '../../../../src/base/boundary/bounded-worker.ts';
import { builtPackage } from '../../../built.ts';
import { program } from './jobs.ts';

const execute = promisify(execFile);

const second = (): number => 1_000;
const long = (): number => 10_000;

const fillIn = async (flags: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> => {
  const file = await (await builtPackage()).compile('test/src/base/boundary/filled.ts');
  return (await execute(process.execPath, [...flags, file], { env: { ...process.env, ...env } })).stdout;
};

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
    ['a large young generation', ['--max-semi-space-size=64'], {}],
    ['a large young generation, by NODE_OPTIONS', [], { NODE_OPTIONS: '--max-semi-space-size=128' }],
    ['a young generation that begins large', ['--min-semi-space-size=32'], {}],
    ['a large old generation', [], { NODE_OPTIONS: '--max-old-space-size=8192' }],
    ['a large heap', ['--max_heap_size=8192'], {}],
  ])('has the same bound in a process with %s, and ends alone', async (_, flags, env) => {
    const usual = await fillIn([]);
    const line = 'WorkerOverrun: it takes longer than 20000 milliseconds, or too much memory; 1\\d\\d MB\n';
    expect(usual).toMatch(new RegExp(`^(?:${line}){2}as before\n$`));
    expect(await fillIn(flags, env)).toBe(usual);
  });
});
