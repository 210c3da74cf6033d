import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createBoundedWorker, WorkerBroke, WorkerOverrun } from '../../../src/boundary/bounded-worker.ts';

const program = `
  const { parentPort, threadId, workerData } = require('node:worker_threads');
  const kept = [];
  const works = {
    forEver: () => /^(a+)+$/.test('a'.repeat(50) + '!'),
    fill: () => { for (;;) kept.push(new Array(100000).fill({}).map(() => ({}))); },
    hold: () => kept.push(Array.from({ length: 1_100_000 }, () => ({}))),
    later: () => void setImmediate(() => Promise.reject(new Error('of another'))),
    dies: () => void Promise.reject(new Error('of another')),
    throws: () => { throw new Error('broken'); },
    leaves: () => process.exit(3),
    thread: () => threadId,
    data: () => workerData,
    env: () => ({ ...process.env }),
  };
  parentPort.on('message', (name) => parentPort.postMessage({ answer: works[name](), took: 1 }));
  parentPort.postMessage('ready');
`;
const second = (): number => 1_000;
const long = (): number => 10_000;

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

  test.each([
    ['forEver', () => 50],
    ['fill', long],
  ])('ends an endless job and answers the next: %s', async (name, timeLeft) => {
    const { run } = createBoundedWorker(program, null);
    const before = await run('thread', second);
    await expect(run(name, timeLeft)).rejects.toThrow(WorkerOverrun);
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

  test('repeats a job after another exhausted the memory', async () => {
    const { run } = createBoundedWorker(program, null);
    for (let round = 0; round < 3; round += 1) expect((await run('hold', long)).answer).toBe(1);
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
    const file = fileURLToPath(new URL('../../../src/boundary/bounded-worker.ts', import.meta.url));
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
