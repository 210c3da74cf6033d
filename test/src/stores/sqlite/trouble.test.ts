import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { verifyLedger } from '../../../../src/core/ledger/verify.ts';
import type { Store } from '../../../../src/base/ports/store.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { connect, type Connection } from '../../../../src/stores/sqlite/connection.ts';
import { migrations } from '../../../../src/stores/sqlite/layout.ts';
import { createStore } from '../../../../src/stores/sqlite/store.ts';
import { deadlineOf, emissionOf, evidence, saying, stepOf, takeTasks } from '../steps.ts';
import { folder, newFile } from '../folder.ts';

const closing = (store: Store): Store => {
  onTestFinished(() => store.close());
  return store;
};
const opened = (file: string): Store => closing(sqliteStore(file, { timeout: 100 }));

const unusable = (file: string, code: string) => ({
  code: 'store_unusable',
  message: expect.stringMatching(/^.+: .+; .+$/),
  details: { store: file, reason: expect.stringContaining(code) },
});

/** Creates a file with ten tasks of long records. */
const filled = async (): Promise<string> => {
  const file = newFile();
  const store = opened(file);
  for (let task = 0; task < 10; task += 1) {
    const brought = { explanation: 'long '.repeat(3000) };
    await store.commit(stepOf(0, { taskId: `task ${task}`, brought, deadlines: [deadlineOf('a', 1)] }));
  }
  await store.close();
  return file;
};

const overwritten = (file: string, from: number, bytes: Buffer): void => {
  const all = readFileSync(file);
  bytes.copy(all, from);
  writeFileSync(file, all);
};

/** File permissions do not bind root, as whom the tests may run. */
const asNobody = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
};

describe('a file that cannot be opened', () => {
  it('is rejected while its folder is missing, and accepted once the folder exists', async () => {
    const file = join(folder(), 'later', 'tasks.db');
    const store = opened(file);
    await expect(takeTasks(store)).rejects.toMatchObject(unusable(file, 'ENOENT'));
    await expect(store.commit(stepOf(0))).rejects.toMatchObject(unusable(file, 'ENOENT'));
    mkdirSync(dirname(file));
    await takeTasks(store);
    expect(await store.commit(stepOf(0))).toBe('ok');
  });

  it('is rejected when it is a folder', async () => {
    const file = folder();
    await expect(opened(file).taskIndex()).rejects.toMatchObject(unusable(file, 'SQLITE_CANTOPEN'));
  });

  it('is rejected unchanged when it is no database', async () => {
    const file = newFile();
    writeFileSync(file, 'a text that somebody wrote\n'.repeat(200));
    await expect(opened(file).commit(stepOf(0))).rejects.toMatchObject(unusable(file, 'SQLITE_NOTADB'));
    expect(readFileSync(file, 'utf8')).toBe('a text that somebody wrote\n'.repeat(200));
  });

  it.skipIf(process.getuid === undefined)(
    'is rejected without write permission, and accepted with it',
    async () => {
      const file = await filled();
      const store = opened(file);
      const allow = (files: number, place: number): void => {
        for (const name of readdirSync(dirname(file))) chmodSync(join(dirname(file), name), files);
        chmodSync(dirname(file), place);
      };
      allow(0o444, 0o555);
      const attempt = asNobody(() => store.commit(stepOf(0)));
      await expect(attempt).rejects.toMatchObject(unusable(file, 'SQLITE_'));
      allow(0o444, 0o777);
      const again = asNobody(() => store.commit(stepOf(0)));
      await expect(again).rejects.toMatchObject(unusable(file, 'SQLITE_READONLY'));
      allow(0o666, 0o777);
      expect(await asNobody(() => store.commit(stepOf(0)))).toBe('ok');
    },
  );
});

/** Creates a file with two tasks and writes these bytes into a document of the first. */
const marked = async (bytes: Buffer): Promise<Store> => {
  const file = newFile();
  const store = opened(file);
  await store.commit(stepOf(0, { brought: { explanation: 'MARK' } }));
  await store.commit(stepOf(0, { taskId: 'two' }));
  await store.close();
  overwritten(file, readFileSync(file).indexOf('MARK'), bytes);
  return opened(file);
};
const goesOn = async (store: Store): Promise<void> => {
  expect((await store.load('two'))?.indexEntry.size).toBe(1);
  expect(await store.commit(stepOf(1, { taskId: 'two' }))).toBe('ok');
};

describe('a damaged file', () => {
  it.each([0, 16, 40])('is rejected for a damaged header: byte %d', async (from) => {
    const file = await filled();
    overwritten(file, from, Buffer.alloc(60, 0xff));
    await expect(opened(file).taskIndex()).rejects.toMatchObject(unusable(file, ''));
  });

  it('is rejected for damaged pages', async () => {
    const file = await filled();
    const size = statSync(file).size;
    overwritten(file, 4096, Buffer.alloc(size - 4096, 0xa5));
    const store = opened(file);
    const attempts = [
      () => store.taskIndex(),
      () => store.load('task 1'),
      () => store.commit(stepOf(0)),
      () => store.due(5),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject(unusable(file, 'SQLITE_CORRUPT'));
    }
  });

  it('is rejected when truncated', async () => {
    const file = await filled();
    truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096);
    const store = opened(file);
    const loads = Array.from({ length: 10 }, (_, task) => store.load(`task ${task}`));
    const failed = (await Promise.allSettled(loads)).filter(({ status }) => status === 'rejected');
    expect(failed.length).toBeGreaterThan(0);
    for (const { reason } of failed as PromiseRejectedResult[]) {
      expect(reason).toMatchObject(unusable(file, 'SQLITE_CORRUPT'));
    }
  });

  it('is rejected when a stored document is not JSON', async () => {
    const store = await marked(Buffer.from('"""'));
    const error = { code: 'task_corrupted', details: { taskId: 'task', seq: 0 } };
    await expect(store.load('task')).rejects.toMatchObject(error);
    await goesOn(store);
  });

  it('reads invalid text as U+FFFD, and the seals report it', async () => {
    const store = await marked(Buffer.from([0xff, 0x41, 0xfe]));
    const { records } = (await store.load('task'))!;
    expect(records[0]?.brought.explanation).toBe('\ufffdA\ufffdK');
    const { findings } = await verifyLedger(records);
    expect(findings.map(({ code }) => code)).toContain('document_edited');
    await goesOn(store);
  });

  it('is usable again after a backup replaces it', async () => {
    const file = await filled();
    const backup = readFileSync(file);
    overwritten(file, 0, Buffer.alloc(100, 0xff));
    const store = opened(file);
    await expect(store.load('task 1')).rejects.toMatchObject(unusable(file, 'SQLITE_NOTADB'));
    writeFileSync(file, backup);
    expect((await store.load('task 1'))?.indexEntry.size).toBe(1);
  });
});

/** Runs a system command and returns how it ended. */
const system = (command: string, ...given: readonly string[]) => spawnSync(command, given).status;

/** Checks that a step is accepted with free space, and that nothing of it is written without. */
const full = async (file: string, store: Store, fill: () => void, empty: () => void) => {
  expect(await store.commit(stepOf(0))).toBe('ok');
  fill();
  const brought = { explanation: 'long '.repeat(20_000) };
  const large = stepOf(1, { brought, key: 'key', deadlines: [deadlineOf('a', 5)] });
  await expect(store.commit(large)).rejects.toMatchObject(unusable(file, 'SQLITE_FULL'));
  expect((await store.load('task'))?.indexEntry.size).toBe(1);
  expect(await store.due(5)).toEqual({ taskIds: [], next: null });
  expect(await store.find({ key: 'key' })).toBeUndefined();
  empty();
  expect(await store.commit(large)).toBe('ok');
};

describe('a full disk', () => {
  it('rejects a step and accepts it when there is space (SQLite page limit)', async () => {
    const file = newFile();
    let connection: Connection | null = null;
    const kept = (name: string, timeout: number) => (connection = connect(name, timeout));
    const store = closing(createStore(file, 500, { timeout: 100, migrations, connect: kept }));
    const pages = (most: number) => connection?.script(`PRAGMA max_page_count = ${most}`);
    await full(
      file,
      store,
      () => pages(1),
      () => pages(100_000),
    );
  });

  it('rejects a step and accepts it when there is space (real disk)', async ({ skip }) => {
    const place = folder();
    const mounted = system('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place);
    if (mounted !== 0) skip('mounting a small disk is for root alone');
    onTestFinished(() => void system('umount', '-l', place));
    const [file, filler] = [join(place, 'tasks.db'), join(place, 'filler')];
    const store = sqliteStore(file);
    await full(
      file,
      store,
      () => {
        for (let room = 2 ** 20; room >= 4096; room /= 2) {
          try {
            writeFileSync(filler, Buffer.alloc(room), { flag: 'a' });
          } catch {
            // less, then
          }
        }
      },
      () => rmSync(filler),
    );
    await store.close();
  });
});

it('A file locked by another writer for too long is busy, and no data is lost', async () => {
  const file = await filled();
  const other = connect(file, 0);
  const store = opened(file);
  await store.taskIndex();
  other.script('BEGIN IMMEDIATE');
  await expect(store.commit(stepOf(0))).rejects.toMatchObject(unusable(file, 'SQLITE_BUSY'));
  expect(await store.taskIndex()).toHaveLength(10);
  other.script('ROLLBACK');
  expect(await store.commit(stepOf(0))).toBe('ok');
  other.close();
});

const counted =
  <Given extends readonly unknown[], Result>(at: { left: number }, write: (...given: Given) => Result) =>
  (...given: Given): Result => {
    at.left -= 1;
    if (at.left === 0) throw new Error('broken');
    return write(...given);
  };

/** A connection that fails at the write of this number. */
const breaking = (at: { left: number }) => (file: string, timeout: number) => {
  const connection = connect(file, timeout);
  return { ...connection, run: counted(at, connection.run), insert: counted(at, connection.insert) };
};

describe('a connection that fails part way through a step', () => {
  it('leaves nothing of the step, wherever it fails', async () => {
    const at = { left: 0 };
    const store = closing(createStore(newFile(), 500, { timeout: 100, migrations, connect: breaking(at) }));
    await store.commit(stepOf(0, { deadlines: [deadlineOf('a', 5)] }));
    const before = await store.load('task');
    const step = stepOf(1, {
      key: 'key',
      brought: { evidence, explanation: 'why' },
      emissions: [emissionOf(evidence), saying('m')],
      deadlines: [deadlineOf('b', 6), deadlineOf('c', 7)],
      intents: [{ kind: 'call', key: 'k', tool: 'send' }],
      consumedApprovals: [{ jti: 'token', action: 'a' }],
    });
    let breaks = 0;
    for (let number = 1; ; number += 1) {
      at.left = number;
      const answer = await store.commit(step).catch((error: Error) => error.message);
      if (answer === 'ok') break;
      breaks += 1;
      at.left = 0;
      expect(answer).toBe('broken');
      expect(await store.load('task')).toEqual(before);
      expect(await store.find({ key: 'key' })).toBeUndefined();
      expect(
        await store.commit(
          stepOf(0, { taskId: `${number}`, consumedApprovals: [{ jti: `${number}`, action: 'b' }] }),
        ),
      ).toBe('ok');
    }
    expect(breaks).toBe(5);
    expect((await store.load('task'))?.records[1]).toEqual(step.record);
  });
});
