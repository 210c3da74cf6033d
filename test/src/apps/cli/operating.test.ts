import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createOrchestrator, defineTaskClass } from '../../../../src/index.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { draft, identity, plan } from '../../core/shell/scripted.ts';
import { call } from './call.ts';
import { folder, removeFolders } from './folder.ts';

afterAll(removeFolders);

/** A file with so many settled tasks. */
const stored = async (count: number) => {
  const cwd = await folder();
  const orchestrator = createOrchestrator({
    taskClasses: [defineTaskClass({ id: 'work', tools: [] })],
    model: { answer: async ({ asks }) => (asks === 'plan' ? plan() : draft()) },
    store: sqliteStore(join(cwd, 'own.db')),
  });
  const tasks: string[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const { taskId } = await orchestrator.submit({ taskClass: 'work', payload: {}, identity });
    await orchestrator.settled(taskId);
    tasks.push(taskId);
  }
  await orchestrator.close();
  return { cwd, tasks, on: (line: string) => call(`${line} --store own.db`, { cwd }) };
};

it('pauses, says what is paused and was, and resumes', async () => {
  const { on } = await stored(1);
  expect(await on('pauses')).toMatchObject({ code: 0, stdout: '', stderr: 'nothing is paused\n' });
  expect(await on('pause tool refund --as dana --reason incident-12')).toMatchObject({
    code: 0,
    stdout: 'paused: tool refund\n',
  });
  expect((await on('pause tool refund --as erin --reason other')).stdout).toContain(
    'was paused already, and that reason stays',
  );
  expect((await on('pauses')).stdout).toMatch(/^tool refund is paused by dana since \S+Z: incident-12\n$/);
  expect(await on('resume tool refund --as erin')).toMatchObject({
    code: 0,
    stdout: 'resumed: tool refund\n',
  });
  expect(await on('resume tool refund --as erin')).toMatchObject({
    code: 0,
    stderr: 'tool refund is not paused\n',
  });
  expect((await on('pauses --ended')).stdout).toMatch(
    /^tool refund was paused by dana since \S+Z: incident-12; resumed by erin at \S+Z\n$/,
  );
  expect(await on('pause tol refund --as dana --reason x')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('kind: expected tool, class or agent, was "tol"'),
  });
});

it('prunes what settled before a date, into an archive that verifies', async () => {
  const { on, cwd, tasks } = await stored(3);
  expect((await on('prune --settled-before 2020-01-01')).stdout).toBe(
    'pruned: 0 tasks; 0 of that age stay: with others of their threads, held, or last in a file\n',
  );
  const { stdout, code } = await on('prune --settled-before 2100-01-01 --archive old');
  expect({ stdout, code }).toEqual({
    stdout: 'pruned: 2 tasks; 1 of that age stay: with others of their threads, held, or last in a file\n',
    code: 0,
  });
  const files = await readdir(join(cwd, 'old'));
  expect(files.toSorted()).toEqual(tasks.map((taskId) => `${taskId}.jsonl`).toSorted());
  for (const file of files) {
    expect((await readFile(join(cwd, 'old', file), 'utf8')).length).toBeGreaterThan(100);
    expect(await call(`ledger verify old/${file}`, { cwd })).toMatchObject({ code: 0 });
  }
  expect((await on('tasks')).stdout.split('\n')).toHaveLength(2);
  expect(await on(`ledger show ${tasks[0]}`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('was pruned at'),
  });
  expect(await on('prune --settled-before tomorrow')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected a date such as 2026-08-31, was "tomorrow"'),
  });
});
