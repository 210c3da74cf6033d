import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toJsonLines } from '../../../../src/core/ledger/index.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { call as proposed } from '../../core/shell/scripted.ts';
import { flowing, named } from '../../core/ledger/flowing.ts';
import { call } from './call.ts';

/** Every fourth task pays an account that nobody named. */
const accounts = Array.from({ length: 200 }, (_, at) => (at % 4 === 0 ? `approve-${at}` : named));

let cwd: string;
const on = (line: string, input?: string) => call(line, { cwd, ...(input !== undefined && { input }) });

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'agentcharter-flows-'));
  const tasks = accounts.map((to) => [proposed('pay', { to })]);
  const { orchestrator, taskIds } = await flowing(tasks, { store: sqliteStore(join(cwd, 'tasks.db')) });
  const [first = ''] = taskIds;
  await writeFile(join(cwd, 'first.jsonl'), toJsonLines(await orchestrator.ledger(first)));
  await orchestrator.close();
  const empty = sqliteStore(join(cwd, 'empty.db'));
  await empty.taskIndex();
  await empty.close();
});
afterAll(() => rm(cwd, { recursive: true }));

describe('ledger flows', () => {
  it('prints a table of every task of a store', async () => {
    const { code, stdout, stderr } = await on('ledger flows --store tasks.db');
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "flow     calls  held  approved  rejected  edited  unanswered  verdict
      pay /to    200    50        50         0       0           0  approved each time
        expected a value from request; it was found nowhere in this run
      "
    `);
    expect(stderr).toBe('tasks: 200; flows: 1; erased calls, not counted: 0\n');
  });

  it('reads the ledger of a file, and prints JSON', async () => {
    const { code, stdout } = await on('ledger flows first.jsonl --json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      tasks: 1,
      erased: 0,
      flows: [{ tool: 'pay', pattern: '/to', calls: 1, held: 1, approved: 1, verdict: 'always_held' }],
    });
  });

  it('shows its progress on a terminal', async () => {
    const { stderr } = await call('ledger flows --store tasks.db', { cwd, isTerminal: true });
    expect(stderr).toContain('reading [');
  });

  it.each([
    ['nothing to read', 'ledger flows', 'expected LEDGER, a file or -, or --store STORE'],
    ['an empty store', 'ledger flows --store empty.db', 'it has no tasks'],
    ['a store in place of a ledger', 'ledger flows tasks.db', 'tasks.db is a store'],
    ['a missing file', 'ledger flows nowhere.jsonl', 'there is no such file'],
    ['what is no record', 'ledger flows -', 'record 0 is not valid'],
  ])('refuses %s', async (_, line, message) => {
    const { code, stdout, stderr } = await on(line, '[]\n');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
