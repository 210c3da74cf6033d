import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { openBank } from '../../../../docs/examples/finance/bank.ts';
import given from '../../../../docs/examples/finance/case.json' with { type: 'json' };
import { openDesk } from '../../../../docs/examples/finance/desk.ts';
import { reportOn } from '../../../../docs/examples/finance/report.ts';
import { reverse, type Parts } from '../../../../docs/examples/finance/reversal.ts';
import { expected } from '../../../../docs/examples/finance/runs.ts';
import { honest } from './parts.ts';

it('resumes after a stop, and asks once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'finance-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const bank = openBank(given, () => {});
  const before = bank.snapshot();
  const desk = openDesk(Date.now);
  const run = (brings: Parts['brings']) => {
    const store = sqliteStore(join(folder, 'wires.db'));
    const parts = { given, bank, model: honest, brings, ports: {}, store, desk };
    return reverse(parts, async (left) => {
      const { end } = await reportOn(left, bank, before);
      return { taskId: left.taskId, end };
    });
  };
  const waiting = await run('nothing');
  expect(waiting.end).toEqual(expected.unapproved);
  const made = await run('signed');
  expect(made.end).toEqual(expected.delivered);
  const settled = await run('signed');
  expect([made.taskId, settled.taskId]).toEqual([waiting.taskId, waiting.taskId]);
  expect(bank.journal.map(({ kind }) => kind)).toEqual(['wired', 'reversed']);
});
