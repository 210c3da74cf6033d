import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineTaskClass, type Store } from 'agentcharter';
import { createGuard, type Guard } from 'agentcharter/guard';
import { memoryStore } from 'agentcharter/stores/memory';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import Database from 'libsql';
import { expect, onTestFinished } from 'vitest';
import { stranded, strandedCopy } from '../../../fixtures/chart-1/fixtures.ts';
import { strandedCharter } from '../../../fixtures/chart-1/stranded/charter.ts';
import { loosen } from '../../../src/stores/sqlite/loosen.ts';
import type { Programs } from './reached.ts';
import { asking, open, request, storeThat } from './task.ts';

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'errors-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

/** Changes a store behind the library's back. */
const edit = (file: string, sql: string): void => {
  loosen(file);
  const database = new Database(file);
  database.exec(sql);
  database.close();
};

/** A store that holds each task by a lease, and lets no process take one. */
const leased = (): Store => {
  const inner = memoryStore();
  return {
    ...inner,
    lease: 100,
    take: async () => [],
    keep: async (holds) => holds,
    letGo: async () => {},
    commit: (step) => inner.commit({ ...step, fence: null }),
  };
};

const guardOn = (store: Store): Guard => {
  const guard = createGuard({ taskClasses: [defineTaskClass({ id: request.taskClass, tools: [] })], store });
  onTestFinished(() => guard.close());
  return guard;
};

const full = () => Promise.reject(new Error('the disk is full'));

export const storeErrors: Programs<
  | 'store_conflict'
  | 'store_failed'
  | 'store_owned'
  | 'task_fenced'
  | 'task_held'
  | 'store_unusable'
  | 'task_corrupted'
  | 'chart_unknown'
  | 'closed'
> = {
  store_conflict: {
    program: () => open({ store: storeThat(async () => 'conflict') }).submit(request),
    says: 'task <id> moved on: its store has another record 0; read the task again, then repeat',
    details: { taskId: expect.any(String), expected: 0, actual: 0 },
  },
  store_failed: {
    program: async (unchanged) => {
      const orchestrator = open({ store: storeThat(full) });
      await unchanged(() => orchestrator.list());
      await orchestrator.submit(request);
    },
    says: 'record 0 of task <id> was not stored, unless the answer of the store was lost: Error: the disk is full; repair the store, then repeat (what has a `key` happens once)',
    details: { taskId: expect.any(String), seq: 0 },
    cause: 'the disk is full',
  },
  store_owned: {
    program: async () => {
      const file = join(folder(), 'tasks.db');
      await open({ store: sqliteStore(file) }).recover();
      await open({ store: sqliteStore(file) }).recover();
    },
    says: "<folder>/tasks.db: another orchestrator owns it; close that one first, or read and answer beside it with createOrchestrator and role: 'guest'",
    details: { store: expect.stringMatching(/tasks\.db$/) },
  },
  task_fenced: {
    program: () => open({ store: storeThat(async () => 'fenced') }).submit(request),
    says: 'task <id> is held by another process, or by none: nothing was written under fence 1; do nothing more for it here',
    details: { taskId: expect.any(String), fence: 1 },
  },
  task_held: {
    program: async () => {
      const store = leased();
      const [one, other] = [guardOn(store), guardOn(store)];
      const { taskId } = await one.begin(request);
      const run = await other.resume(taskId);
      await run.conclude({ payload: { done: true } });
    },
    says: 'task <id> is performed by another process: go on with its run there, or resume it here when it has paused',
    details: { taskId: expect.any(String) },
  },
  store_unusable: {
    program: () => open({ store: sqliteStore(join(folder(), 'missing', 'tasks.db')) }).recover(),
    says: '<folder>/missing/tasks.db: it cannot be created (ENOENT); create its folder, and let this process create files in it',
    details: { store: expect.stringMatching(/tasks\.db$/), reason: 'it cannot be created (ENOENT)' },
  },
  task_corrupted: {
    program: async (unchanged) => {
      const file = join(folder(), 'tasks.db');
      const first = open({ store: sqliteStore(file) });
      const { taskId, target } = await asking(first);
      await first.close();
      edit(file, `UPDATE record SET body = replace(body, 'clerk', 'mallory')`);
      const second = open({ store: sqliteStore(file) });
      await unchanged(() => second.ledger(taskId));
      await second.respond({ type: 'approve', target }, { by: 'dana' });
    },
    says: 'task <id> was changed in its store, at record 0: its hash does not match its content; run `agentcharter ledger verify`, and restore a backup',
    details: { taskId: expect.any(String), seq: 0, reason: 'its hash does not match its content' },
  },
  chart_unknown: {
    program: async (unchanged) => {
      const { taskId } = stranded.paid;
      const orchestrator = open({ ...strandedCharter, store: sqliteStore(strandedCopy()) });
      await unchanged(() => orchestrator.ledger(taskId));
      await orchestrator.resolve(taskId, 'permit', 1, { by: 'city' });
    },
    says: 'task <id> is under version "1" of the chart, and this library has version 2: record 7 does not carry over: the chart does not accept call.started in submitted.execute.calling; read the task, cancel it, or begin it again',
    details: {
      taskId: stranded.paid.taskId,
      version: '1',
      known: [expect.any(String)],
      obstacle: expect.objectContaining({ seq: 7, code: 'refused' }),
    },
  },
  closed: {
    program: async () => {
      const orchestrator = open();
      await orchestrator.close();
      await orchestrator.submit(request);
    },
    says: 'submit: the orchestrator is closed; create a new one',
    details: { operation: 'submit' },
  },
};
