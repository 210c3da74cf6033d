import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from './run.ts';

it('exits while a task waits for a person, and resumes it on the next run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'durable-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'tasks.db');
  const ran = [await run('durable.ts', [file]), await run('durable.ts', [file])];
  expect(ran).toMatchObject([
    { code: 0, stderr: '', stdout: 'The task waits for a person.\n' },
    { code: 0, stderr: '', stdout: '0 resumed; after the answer: completed, {"letter":"Dear landlord"}\n' },
  ]);
});
