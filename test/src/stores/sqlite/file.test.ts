import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { digest } from '../../../../src/base/canonical/digest.ts';
import type { Store } from '../../../../src/base/ports/store.ts';
import { sqliteStore, type SqliteOptions } from '../../../../src/stores/sqlite.ts';
import { deadlineOf, emissionOf, erasureOf, evidence, saying, stepOf, takeTasks } from '../steps.ts';
import { folder, newFile } from '../folder.ts';

const opened = (file: string, options: SqliteOptions = {}): Store => {
  const store = sqliteStore(file, options);
  onTestFinished(() => store.close());
  return store;
};

describe('a store in a file', () => {
  it('has all its data after it is opened again', async () => {
    const file = newFile();
    const store = opened(file);
    const emissions = [emissionOf(evidence), saying('m')];
    const deadlines = [deadlineOf('a', 10)];
    await store.commit(stepOf(0, { brought: { evidence }, emissions, deadlines, key: 'key' }));
    await store.commit(stepOf(1, { consumedApprovals: [{ jti: 'token', action: 'a' }], deadlines }));
    const [task, taskIndex] = [await store.load('task'), await store.taskIndex()];
    await store.close();
    const again = opened(file);
    expect(await again.load('task')).toEqual(task);
    expect(await again.taskIndex()).toEqual(taskIndex);
    expect(await again.find({ message: 'm' })).toEqual({ taskId: 'task', seq: 0 });
    expect(await again.due(10)).toEqual({ taskIds: ['task'], next: null });
    expect(await again.commit(stepOf(2, { key: 'key' }))).toBe('duplicate');
    expect(await again.commit(stepOf(2, { consumedApprovals: [{ jti: 'token', action: 'b' }] }))).toBe(
      'spent',
    );
    expect(await again.commit(stepOf(2))).toBe('ok');
  });

  it('opens nothing before its first use and is one complete file after it closes', async () => {
    const file = newFile();
    const store = opened(file);
    expect(existsSync(file)).toBe(false);
    await store.commit(stepOf(0, { brought: { explanation: 'in the one file' } }));
    await store.close();
    expect(readFileSync(file).includes('in the one file')).toBe(true);
    const copy = newFile();
    writeFileSync(copy, readFileSync(file));
    expect((await opened(copy).load('task'))?.records).toHaveLength(1);
  });

  it('uses a write-ahead log and full sync', async () => {
    const file = newFile();
    const store = opened(file);
    await store.commit(stepOf(0));
    expect(existsSync(`${file}-wal`)).toBe(true);
    expect(readFileSync(file).subarray(18, 20)).toEqual(Buffer.from([2, 2]));
  });

  it('has one owner, whatever links lead to the file', async () => {
    const file = newFile();
    const [link, place] = [newFile(), join(folder(), 'place')];
    await opened(file).commit(stepOf(0));
    symlinkSync(file, link);
    symlinkSync(dirname(file), place);
    await takeTasks(opened(file));
    for (const name of [link, join(place, 'tasks.db')]) {
      const other = opened(name);
      expect((await other.load('task'))?.indexEntry.size).toBe(1);
      await expect(takeTasks(other)).rejects.toMatchObject({ code: 'store_owned' });
    }
  });

  it('names its owner when it is owned', async () => {
    const file = newFile();
    await takeTasks(opened(file));
    const remedy =
      "close that one first, or read and answer beside it with createOrchestrator and role: 'guest'";
    const message = `${file}: another orchestrator owns it; ${remedy}`;
    await expect(takeTasks(opened(file))).rejects.toMatchObject({ message, details: { store: file } });
  });

  it('leaves no byte of an erased document', async () => {
    const file = newFile();
    const store = opened(file);
    const secret = 'a name that nobody else has';
    const emissions = [emissionOf(evidence)];
    for (const seq of [0, 1, 2]) await store.commit(stepOf(seq, { brought: { evidence }, emissions }));
    const bytes = () => [file, `${file}-wal`].map((name) => readFileSync(name).includes(secret));
    expect(bytes()).toContain(true);
    await store.erase(erasureOf(3, digest(evidence)), digest(evidence));
    expect(bytes()).toEqual([false, false]);
  });

  it('resolves its path at construction, even when the process changes its directory', async () => {
    const home = folder();
    mkdirSync(join(home, 'elsewhere'));
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(home);
    const store = opened('tasks.db');
    process.chdir(join(home, 'elsewhere'));
    await store.commit(stepOf(0));
    expect(existsSync(join(home, 'tasks.db'))).toBe(true);
  });
});

describe('an invalid file name', () => {
  it.each(['tasks.db\0', '\0', 'tasks.db\0.txt', '/tmp/\0/tasks.db'])(
    'is rejected when the system would truncate it: %j',
    (file) => {
      const store = JSON.stringify(file);
      expect(() => sqliteStore(file)).toThrow(
        expect.objectContaining({
          code: 'store_unusable',
          message: `${store}: its name holds NUL (U+0000); name a file by its path: the system would read the name up to there alone`,
          details: { store, reason: 'its name holds NUL (U+0000)' },
        }),
      );
    },
  );

  it.each<unknown>([undefined, null, 7, {}])('is rejected when it is no string: %j', (file) => {
    expect(() => sqliteStore(file as string)).toThrow(
      expect.objectContaining({
        code: 'store_unusable',
        message: expect.stringContaining('its name is not a text'),
      }),
    );
  });

  it.each([
    [':memory:', /lost when its connection closes; .*memoryStore\(\)/],
    ['', /lost when its connection closes/],
    ['file:tasks.db', /a URI; name a file by its path/],
    ['libsql://host/db', /a URI/],
    ['https://host/db', /a URI/],
  ])('is rejected: %j', (file, message) => {
    expect(() => sqliteStore(file)).toThrow(
      expect.objectContaining({
        code: 'store_unusable',
        message: expect.stringMatching(message),
        details: { store: file, reason: expect.any(String) },
      }),
    );
  });
});

describe('an invalid interval', () => {
  it.each([
    [{ poll: 0 }, '/poll'],
    [{ pol: 100 }, '/pol'],
    [{ poll: Number.NaN }, '/poll'],
    [{ timeout: -1 }, '/timeout'],
    [{ timeout: Infinity }, '/timeout'],
    [{ timeout: '5' as unknown as number }, '/timeout'],
  ])('is rejected: %j', (options: object, path) => {
    expect(() => sqliteStore('tasks.db', options)).toThrow(
      expect.objectContaining({
        code: 'definition_invalid',
        details: { definition: 'sqlite store', issues: [{ path, message: expect.any(String) }] },
      }),
    );
  });
});
