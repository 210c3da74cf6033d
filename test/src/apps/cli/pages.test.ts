import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { park } from '../../core/shell/parked-store.ts';
import { call, type Called } from './call.ts';
import { folder, removeFolders } from './folder.ts';

afterAll(removeFolders);

/** A store of tasks with a question each, every second one settled. */
const stored = async (count: number) => {
  const cwd = await folder();
  const store = sqliteStore(join(cwd, 'many.db'));
  for (let at = 0; at < count; at += 1)
    await park(store, `task-${at}`, at % 2 === 0 ? { questions: [{}] } : { isSettled: true });
  await store.close();
  return (line: string): Promise<Called> => call(`${line} --store many.db`, { cwd });
};

const idsIn = ({ stdout }: Called): readonly string[] => stdout.match(/task-\d+(?= {2})/g) ?? [];

it('tasks prints all tasks, or a page and the cursor of the next one', async () => {
  const on = await stored(5);
  const all = ['task-0', 'task-1', 'task-2', 'task-3', 'task-4'];
  expect(idsIn(await on('tasks'))).toEqual(all);
  const first = await on('tasks --limit 2');
  expect([idsIn(first), first.code]).toEqual([all.slice(0, 2), 0]);
  const [, after = ''] = /^more: --limit 2 --after (\S+)$/m.exec(first.stderr) ?? [];
  const second = await on(`tasks --limit 3 --after ${after}`);
  expect([idsIn(second), second.stderr]).toEqual([all.slice(2), '']);
  expect(idsIn(await on('tasks --unsettled --limit 2'))).toEqual(['task-0', 'task-2']);
});

it('inbox prints a page as JSON with the cursor of the next one', async () => {
  const on = await stored(5);
  const read = async (line: string) =>
    JSON.parse((await on(`inbox --json ${line}`)).stdout) as {
      questions: { taskId: string }[];
      next?: string | null;
    };
  const all = await read('');
  expect(Object.keys(all)).toEqual(['questions']);
  const first = await read('--limit 2');
  const second = await read(`--limit 2 --after ${first.next}`);
  expect([...first.questions, ...second.questions]).toEqual(all.questions);
  expect(second.next).toBe(null);
  expect(await on('inbox task-9')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('task-9: many.db has no such task'),
  });
  expect((await read('task-2 --limit 9')).questions.map(({ taskId }) => taskId)).toEqual(['task-2']);
});

it('says on stderr that there is nothing to print', async () => {
  const on = await stored(2);
  expect(await on('inbox task-1')).toEqual({ code: 0, stdout: '', stderr: 'no questions\n' });
});

it.each([
  ['tasks --after x', '--after: expected --limit COUNT with it'],
  ['tasks --limit many', '"/limit": expected a whole number from 1 to 1,000'],
  ['inbox --limit 0', '"/limit": expected a whole number from 1 to 1,000'],
  ['inbox --limit 1 --after x', '"/after": expected the `next` of an earlier page'],
])('ends with 2 and says what is accepted: %s', async (line, expected) => {
  const on = await stored(1);
  const { code, stderr, stdout } = await on(line);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(expected);
});
