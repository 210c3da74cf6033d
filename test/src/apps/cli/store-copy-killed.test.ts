import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createOrchestrator } from '../../../../src/index.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { contentsOf, copied, opened, places, useServer } from './copying.ts';
import { folder, identity, options } from './folder.ts';
import { eventually } from '../../../waits.ts';

const main = fileURLToPath(new URL('../../../../src/apps/cli/main.ts', import.meta.url));
const settledTasks = 60;

useServer();

/** Returns a folder whose `tasks.db` has a parked task and many settled ones. */
const filled = async (): Promise<string> => {
  const cwd = await folder();
  await using orchestrator = createOrchestrator({
    ...options(),
    store: sqliteStore(join(cwd, 'tasks.db')),
  });
  const submitted = Array.from({ length: settledTasks }, async (_, at) => {
    const { taskId } = await orchestrator.submit(
      { taskClass: 'note', payload: {}, identity },
      { key: `note ${at}` },
    );
    await orchestrator.settled(taskId);
  });
  await Promise.all(submitted);
  return cwd;
};

describe.each(places)('store copy to %s', (_, target) => {
  it('goes on after it was killed, and then has every task', async () => {
    const cwd = await filled();
    const to = await target(cwd);
    const child = spawn(
      process.execPath,
      ['--import', import.meta.resolve('tsx'), main, 'store', 'copy', 'tasks.db', to],
      {
        cwd,
        stdio: 'ignore',
      },
    );
    const exit = once(child, 'exit');
    const copy = opened(to);
    await eventually(async () => expect((await copy.counts()).tasks).toBeGreaterThan(3));
    child.kill('SIGKILL');
    await exit;
    const { tasks } = await copy.counts();
    await copy.close();
    expect(tasks).toBeLessThan(settledTasks + 2);

    const again = await copied('tasks.db', to, cwd);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain(`moved: ${settledTasks + 2 - tasks} tasks copied, ${tasks} there already`);
    expect(await contentsOf(to)).toEqual(await contentsOf(join(cwd, 'tasks.db')));
  });
});
