import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../../../src/base/ports/store.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { connect } from '../../../../src/stores/sqlite/connection.ts';
import { stepOf, takeTasks } from '../steps.ts';
import { newFile } from '../folder.ts';
import { eventually } from '../../../waits.ts';

const child = fileURLToPath(new URL('./child.ts', import.meta.url));

/** Another process, the lines that it printed, and a kill as by a power failure. */
const begun = (...given: readonly string[]) => {
  const other = spawn(process.execPath, ['--import', 'tsx', child, ...given], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [lines, exit] = [Array<string>(), once(other, 'exit')];
  createInterface(other.stdout).on('line', (line) => lines.push(line));
  const kill = async (): Promise<void> => {
    other.kill('SIGKILL');
    await exit;
    await eventually(() => expect(other.stdout.readableEnded).toBe(true));
  };
  onTestFinished(kill);
  const printed = async (count: number): Promise<readonly string[]> => {
    await eventually(() => expect(lines.length).toBeGreaterThanOrEqual(count));
    return lines;
  };
  const ask = (line: string): void => void other.stdin.write(`${line}\n`);
  return { lines, printed, ask, kill };
};

const opened = (file: string, poll = 500): Store => {
  const store = sqliteStore(file, { poll });
  onTestFinished(() => store.close());
  return store;
};

const integrity = (file: string): unknown => {
  const connection = connect(file, 1000);
  try {
    return [...connection.rows('PRAGMA integrity_check'), ...connection.rows('PRAGMA foreign_key_check')];
  } finally {
    connection.close();
  }
};

describe('a process killed while it writes', () => {
  it.each([1, 100])('leaves every acknowledged step complete: after %d', async (count) => {
    const file = newFile();
    const names = ['one', 'two'];
    const writers = names.map((taskId) => begun('write', file, taskId));
    await Promise.all(writers.map(({ printed }) => printed(count)));
    await Promise.all(writers.map(({ kill }) => kill()));
    expect(integrity(file)).toEqual([{ integrity_check: 'ok' }]);
    const store = opened(file);
    for (const [index, { lines }] of writers.entries()) {
      expect(lines).toEqual([...lines.keys()].map(String));
      const task = (await store.load(names[index]!))!;
      const size = task.records.length;
      expect([lines.length, lines.length + 1]).toContain(size); // the last line may be lost
      expect(task.records.map(({ seq }) => seq)).toEqual([...Array(size).keys()]);
      expect(task.emissions).toHaveLength(size);
      expect(task.snapshot).toBe(`snapshot ${size - 1}`);
      expect(task.indexEntry).toMatchObject({ size, head: task.records.at(-1)?.hash });
      expect(task.deadlines).toEqual([{ of: 'question', id: 'a', at: size - 1 }]);
      expect(await store.find({ key: `${names[index]} ${size - 1}` })).toEqual({
        taskId: names[index],
        seq: size - 1,
      });
    }
  });
});

describe('a process that owns the store', () => {
  it('is the only owner until it is killed', async () => {
    const file = newFile();
    const owner = begun('own', file);
    expect(await owner.printed(1)).toEqual(['owned']);
    const store = opened(file);
    await expect(takeTasks(store)).rejects.toMatchObject({ code: 'store_owned' });
    expect(await store.commit(stepOf(0))).toBe('ok');
    expect(await begun('own', file).printed(1)).toEqual(['store_owned']);
    await owner.kill();
    await takeTasks(store);
    expect(await begun('own', file).printed(1)).toEqual(['store_owned']);
    await store.close();
    expect(await begun('own', file).printed(1)).toEqual(['owned']);
  });

  it.each([
    ['deleted', (lock: string) => rmSync(lock)],
    ['moved', (lock: string) => renameSync(lock, `${lock}.old`)],
  ])('writes nothing after its lock file was %s and another process took over', async (_, lose) => {
    const file = newFile();
    const former = begun('owner', file, 'former');
    expect(await former.printed(1)).toEqual(['owned']);
    const guest = opened(file);
    await guest.commit(stepOf(0));
    lose(`${file}.owner`);
    const latter = begun('owner', file, 'latter');
    expect(await latter.printed(1)).toEqual(['owned']);
    for (const [index, attempt] of ['commit', 'erase', 'own'].entries()) {
      former.ask(attempt);
      expect((await former.printed(index + 2)).at(-1)).toBe('store_owned');
    }
    latter.ask('commit');
    expect((await latter.printed(2)).at(-1)).toBe('ok');
    await latter.kill();
    former.ask('commit');
    expect((await former.printed(5)).at(-1)).toBe('store_owned');
    expect((await guest.taskIndex()).map(({ taskId }) => taskId)).toEqual(['task', 'latter']);
  });
});

const tells = async (poll: number): Promise<void> => {
  const file = newFile();
  const store = opened(file, poll);
  await store.commit(stepOf(0));
  const reported: string[] = [];
  store.watch((taskIds) => reported.push(...taskIds));
  await store.commit(stepOf(1));
  const other = begun('one', file, 'theirs');
  await other.printed(1);
  await eventually(() => expect(reported).toEqual(['theirs']));
};

describe('a watched store', () => {
  it.runIf(process.platform === 'linux')(
    'reports a write of another process through the file system before it polls',
    () => tells(600_000),
  );

  it('reports a write of another process when it polls', () => tells(100));
});
