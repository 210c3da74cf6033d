import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  createBoundedWorker,
  WorkerBroke,
  WorkerOverrun,
} from '../../../../src/base/boundary/bounded-worker.ts';
import { program } from './jobs.ts';

const second = (): number => 1_000;

describe('A bounded worker', () => {
  test('answers each message on one thread', async () => {
    const { run } = createBoundedWorker(program, { of: 'the host' });
    const [one, other, data] = await Promise.all(
      ['thread', 'thread', 'data'].map((name) => run(name, second)),
    );
    expect(one?.answer).toBe(other?.answer);
    expect(data).toEqual({ answer: { of: 'the host' }, took: 1 });
  });

  test('hides the environment from its program', async () => {
    expect((await createBoundedWorker(program, null).run('env', second)).answer).toEqual({});
  });

  test('ends an endless job and answers the next', async () => {
    const { run } = createBoundedWorker(program, null);
    const before = await run('thread', second);
    await expect(run('forEver', () => 50)).rejects.toThrow(WorkerOverrun);
    expect((await run('thread', second)).answer).not.toBe(before.answer);
  });

  test.each([
    ['throws', 'broken'],
    ['leaves', 'its thread ended'],
  ])('reports why a thread failed and starts another: %s', async (name, message) => {
    const { run } = createBoundedWorker(program, null);
    await expect(run(name, second)).rejects.toThrow(message);
    expect((await run('thread', second)).answer).toEqual(expect.any(Number));
  });

  test.each(['later', 'dies'])('repeats a job whose thread another job broke: %s', async (name) => {
    const { run } = createBoundedWorker(program, null);
    for (let round = 0; round < 5; round += 1) {
      const [, next] = await Promise.allSettled([run(name, second), run('thread', second)]);
      expect(next).toMatchObject({ status: 'fulfilled', value: { answer: expect.any(Number) } });
    }
  });

  test('ends a job that breaks a new thread as well, with one typed error', async () => {
    const { run } = createBoundedWorker(program, null);
    await run('thread', second);
    await expect(run('throws', second)).rejects.toThrow(WorkerBroke);
    expect((await run('thread', second)).answer).toEqual(expect.any(Number));
  });

  test('reports that it cannot be started', async () => {
    const { run } = createBoundedWorker('throw new Error("no such file")', null);
    await expect(run('thread', second)).rejects.toThrow(WorkerBroke);
  });

  test('reads the remaining time when the turn of a job comes', async () => {
    const { run } = createBoundedWorker(program, null);
    let left = 50;
    const timeLeft = (): number => {
      if (left === 0) throw new Error('spent');
      return left;
    };
    const slow = run('forEver', timeLeft).catch(() => (left = 0));
    const late = run('thread', timeLeft);
    await expect(late).rejects.toThrow('spent');
    expect(await slow).toBe(0);
  });

  test('keeps no process alive after its answer', async () => {
    const file = fileURLToPath(new URL('../../../../src/base/boundary/bounded-worker.ts', import.meta.url));
    const script = `
      import { createBoundedWorker } from ${JSON.stringify(file)};
      const { run } = createBoundedWorker(${JSON.stringify(program)}, null);
      console.log((await run('data', () => 5000)).took);
    `;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
    let printed = '';
    child.stdout.on('data', (chunk) => (printed += String(chunk)));
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(printed.trim()).toBe('1');
  });
});
