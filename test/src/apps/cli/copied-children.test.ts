import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, expect, it } from 'vitest';
import { createOrchestrator } from '../../../../src/index.ts';
import { copyStore } from '../../../../src/apps/cli/copy-store.ts';
import { memoryStore } from '../../../../src/stores/memory.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { calling, nesting, taskTool } from '../../core/shell/levels.ts';
import { draft, identity, plan } from '../../core/shell/scripted.ts';
import { folder, removeFolders } from './folder.ts';

afterAll(removeFolders);

const unsure = ({ asks }: { readonly asks: string }) =>
  asks === 'plan' ? plan([], { confidence: 0.1 }) : draft();

/** Writes a parent that waits for a child, which waits for a person; then, if asked, ends both. Breaks the child. */
const copyBroken = async (isEnded: boolean) => {
  const file = join(await folder(), 'family.db');
  const nested = nesting({ work: { tools: ['leaf'] }, leaf: {} }, { work: calling, leaf: unsure });
  const { taskClasses, model } = nested;
  const orchestrator = createOrchestrator({
    taskClasses,
    model: { answer: async (turn, { signal }) => model(turn, signal) },
    tools: [taskTool('leaf')],
    store: sqliteStore(file),
  });
  const { taskId } = await orchestrator.submit({ taskClass: 'work', payload: {}, identity });
  await expect.poll(() => orchestrator.inbox()).toHaveLength(1);
  const [asked] = await orchestrator.inbox();
  if (isEnded) await orchestrator.cancel(taskId, { by: 'dana' });
  if (isEnded) await orchestrator.settled(asked?.taskId ?? '');
  await orchestrator.close();
  const db = new Database(file);
  const last =
    'SELECT r.id FROM record r JOIN task t ON t.id = r.task WHERE t.parent IS NOT NULL ORDER BY r.seq DESC';
  expect(db.prepare(`UPDATE record SET body = zeroblob(9) WHERE id = (${last} LIMIT 1)`).run().changes).toBe(
    1,
  );
  db.close();
  const [from, to] = [sqliteStore(file), memoryStore()];
  const report = await copyStore(from, to, () => {});
  await from.close();
  return report;
};

it('releases nothing if a broken task is needed by an open parent, which would begin it again', async () => {
  expect(await copyBroken(false)).toMatchObject({
    copied: 1,
    findings: [{ code: 'broken' }],
    isReleased: false,
  });
});

it('releases the others if the parent of a broken task is over', async () => {
  expect(await copyBroken(true)).toMatchObject({
    copied: 1,
    findings: [{ code: 'broken' }],
    isReleased: true,
  });
});
