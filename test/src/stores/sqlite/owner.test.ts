import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { digest } from '../../../../src/base/canonical/digest.ts';
import type { Step, Store } from '../../../../src/base/ports/store.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { connect } from '../../../../src/stores/sqlite/connection.ts';
import { erasureOf, evidence, stepOf, takeTasks } from '../steps.ts';
import { newFile } from '../folder.ts';

const opened = (file: string): Store => {
  const store = sqliteStore(file, { timeout: 200 });
  onTestFinished(() => store.close());
  return store;
};

const inFile = <Result>(file: string, work: (connection: ReturnType<typeof connect>) => Result): Result => {
  const connection = connect(file, 1000);
  try {
    return work(connection);
  } finally {
    connection.close();
  }
};

const rowsIn = (file: string) => inFile(file, (connection) => connection.rows('SELECT number FROM owner'));

const lockOf = (file: string): string => `${file}.owner`;

/** What may happen to a lock file while its owner runs. */
const losses: Readonly<Record<string, (lock: string) => void>> = {
  deleted: (lock) => rmSync(lock),
  moved: (lock) => renameSync(lock, `${lock}.old`),
  'replaced by another file': (lock) => {
    rmSync(lock);
    writeFileSync(lock, '');
  },
};

/** Every way in which an owner writes. */
const writes: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'the next step of a task': (store) => store.commit(stepOf(1)),
  'the first step of a task': (store) => store.commit(stepOf(0, { taskId: 'new' })),
  'a step under a used key': (store) => store.commit(stepOf(1, { key: 'key' })),
  'a step with a used number': (store) => store.commit(stepOf(0)),
  'the use of an approval': (store) =>
    store.commit(stepOf(1, { consumedApprovals: [{ jti: 'token', action: 'a' }] })),
  'an erasure': (store) => store.erase(erasureOf(1, digest(evidence)), digest(evidence)),
  'taking ownership again': (store) => takeTasks(store),
};

const takenOver = (file: string) => ({
  code: 'store_owned',
  message: `${file}: another orchestrator took over its tasks, so nothing was written; close this orchestrator, and let no one delete or move ${file}.owner while an owner lives`,
  details: { store: file },
});

const first: Step = stepOf(0, { key: 'key', brought: { evidence } });

/** An owner that lost its lock, and the owner that took over. */
const succeeded = async (lose: (lock: string) => void) => {
  const file = newFile();
  const [former, latter] = [opened(file), opened(file)];
  await takeTasks(former);
  await former.commit(first);
  lose(lockOf(file));
  await takeTasks(latter);
  return { file, former, latter };
};

describe.each(Object.entries(losses))('an owner whose lock file was %s', (_, lose) => {
  it.each(Object.entries(writes))('writes nothing after a takeover: %s', async (_what, write) => {
    const { file, former, latter } = await succeeded(lose);
    const before = await latter.load('task');
    await expect(write(former)).rejects.toMatchObject(takenOver(file));
    expect(await latter.load('task')).toEqual(before);
    expect(await latter.taskIndex()).toHaveLength(1);
    expect(await latter.commit(stepOf(1, { consumedApprovals: [{ jti: 'token', action: 'b' }] }))).toBe('ok');
  });

  it('continues when no process took over', async () => {
    const file = newFile();
    const store = opened(file);
    await takeTasks(store);
    lose(lockOf(file));
    await takeTasks(store);
    expect(await store.commit(stepOf(0))).toBe('ok');
  });
});

describe('an owner after a takeover', () => {
  it('still reads, and closes without ending the new owner', async () => {
    const { file, former, latter } = await succeeded(losses['deleted']!);
    expect((await former.load('task'))?.indexEntry.size).toBe(1);
    await former.close();
    expect(await latter.commit(stepOf(1))).toBe('ok');
    await expect(takeTasks(opened(file))).rejects.toMatchObject({ code: 'store_owned' });
  });

  it('stays without ownership when the new owner closes', async () => {
    const { file, former, latter } = await succeeded(losses['moved']!);
    await latter.close();
    for (const attempt of [() => former.commit(stepOf(1)), () => takeTasks(former)])
      await expect(attempt()).rejects.toMatchObject(takenOver(file));
    const next = opened(file);
    await takeTasks(next);
    expect(await next.commit(stepOf(1))).toBe('ok');
  });

  it('does not become a guest, while guests keep writing beside the new owner', async () => {
    const { file, former, latter } = await succeeded(losses['deleted']!);
    expect(await opened(file).commit(stepOf(1))).toBe('ok');
    expect(await latter.commit(stepOf(2))).toBe('ok');
    await expect(former.commit(stepOf(3))).rejects.toMatchObject(takenOver(file));
  });
});

describe('the owner row', () => {
  it('counts each owner once, and no guest', async () => {
    const file = newFile();
    await opened(file).commit(stepOf(0));
    expect(rowsIn(file)).toEqual([]);
    for (const number of [1, 2, 3]) {
      const store = opened(file);
      await takeTasks(store);
      await takeTasks(store);
      expect(rowsIn(file)).toEqual([{ number }]);
      await store.close();
    }
  });

  it('does not count rejected owners', async () => {
    const file = newFile();
    const store = opened(file);
    await takeTasks(store);
    await expect(takeTasks(opened(file))).rejects.toMatchObject({ code: 'store_owned' });
    expect(rowsIn(file)).toEqual([{ number: 1 }]);
    expect(await store.commit(stepOf(0))).toBe('ok');
  });

  it.each([
    ['is deleted', 'DELETE FROM owner'],
    ['has another number', 'UPDATE owner SET number = 7'],
    ['has the same number and another mark', "UPDATE owner SET mark = 'another'"],
  ])('ends the ownership when it %s', async (_, sql) => {
    const file = newFile();
    const store = opened(file);
    await takeTasks(store);
    inFile(file, (connection) => connection.script(sql));
    await expect(store.commit(stepOf(0))).rejects.toMatchObject(takenOver(file));
    expect(await store.taskIndex()).toEqual([]);
  });

  it('has different marks in two copies of a file', async () => {
    const file = newFile();
    const before = opened(file);
    await before.commit(stepOf(0));
    await before.close();
    const copy = readFileSync(file);
    const store = opened(file);
    await takeTasks(store);
    const [{ number, mark }] = inFile(file, (connection) => connection.rows('SELECT * FROM owner')) as [
      { number: number; mark: string },
    ];
    const restored = newFile();
    writeFileSync(restored, copy);
    await takeTasks(opened(restored));
    const [other] = inFile(restored, (connection) => connection.rows('SELECT * FROM owner')) as [
      { number: number; mark: string },
    ];
    expect(other.number).toBe(number);
    expect(other.mark).not.toBe(mark);
  });

  it('leaves the lock free when writing it fails', async () => {
    const file = newFile();
    const store = opened(file);
    await store.taskIndex();
    const busy = connect(file, 0);
    busy.script('BEGIN IMMEDIATE');
    await expect(takeTasks(store)).rejects.toMatchObject({ code: 'store_unusable' });
    busy.script('ROLLBACK');
    busy.close();
    await takeTasks(opened(file));
  });
});
