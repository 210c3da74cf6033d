import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { digest } from '../../../../src/base/canonical/digest.ts';
import type { Store } from '../../../../src/base/ports/store.ts';
import { connect, pragma } from '../../../../src/stores/sqlite/connection.ts';
import { applicationId, migrations } from '../../../../src/stores/sqlite/layout.ts';
import { prepare } from '../../../../src/stores/sqlite/prepare.ts';
import { createStore } from '../../../../src/stores/sqlite/store.ts';
import {
  consumedApprovals,
  deadlineOf,
  emissionOf,
  erasureOf,
  evidence,
  other,
  saying,
  stepOf,
  takeTasks,
} from '../steps.ts';
import { newFile } from '../folder.ts';

const opened = (file: string, steps: readonly string[] = migrations): Store => {
  const store = createStore(file, 500, { timeout: 1000, migrations: steps });
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

const versionOf = (file: string) => inFile(file, (connection) => pragma(connection, 'user_version'));
const tablesOf = (file: string) =>
  inFile(file, (connection) => connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'").length);

const next = [...migrations, 'CREATE TABLE note (text TEXT) STRICT', "INSERT INTO note VALUES ('made')"];

describe('the layout of a file', () => {
  it('is the newest in a new file, with our application id', async () => {
    const file = newFile();
    await opened(file).taskIndex();
    expect(versionOf(file)).toBe(migrations.length);
    expect(inFile(file, (connection) => pragma(connection, 'application_id'))).toBe(applicationId);
    expect(Buffer.from(applicationId.toString(16), 'hex').toString()).toBe('AgCh');
  });

  it('is migrated from an older one with all data', async () => {
    const file = newFile();
    const old = opened(file);
    await old.commit(stepOf(0));
    const task = await old.load('task');
    await old.close();
    const store = opened(file, next);
    expect(await store.load('task')).toEqual(task);
    expect(versionOf(file)).toBe(next.length);
    expect(inFile(file, (connection) => connection.rows('SELECT text FROM note'))).toEqual([
      { text: 'made' },
    ]);
    await store.close();
    await opened(file, next).taskIndex();
    expect(inFile(file, (connection) => connection.rows('SELECT text FROM note'))).toHaveLength(1);
  });

  it('is migrated from layout 1, as an earlier version wrote it', async () => {
    const file = newFile();
    writeFileSync(file, gunzipSync(readFileSync(new URL('./layout-1.db.gz', import.meta.url))));
    expect(versionOf(file)).toBe(1);
    const store = opened(file);
    await takeTasks(store);
    expect(versionOf(file)).toBe(migrations.length);
    const records = [
      stepOf(0, { brought: { evidence }, emissions: [emissionOf(evidence), saying('m-1')] }).record,
      stepOf(1).record,
    ];
    expect(await store.load('task')).toMatchObject({ snapshot: 'snapshot 1', records });
    expect((await store.taskIndex()).map(({ taskId }) => taskId)).toEqual(['task', 'other']);
    expect(await store.taskIndex({ isSettled: false })).toMatchObject(
      ['task', 'other'].map((taskId) => ({ taskId, awaits: 0, rank: '', chart: '' })),
    );
    expect(await store.counts()).toEqual({ tasks: 2, settled: 0, asking: 0, questions: 0 });
    expect(await store.find({ key: 'key' })).toEqual({ taskId: 'task', seq: 0 });
    expect(await store.due(10)).toEqual({ taskIds: ['task'], next: null });
    expect(await store.commit(stepOf(2, consumedApprovals('token', 'b')))).toBe('spent');
    expect(await store.commit(stepOf(2))).toBe('ok');
  });

  it('is migrated from layout 2, with the chart, the dependencies and the counts of its tasks', async () => {
    const file = newFile();
    const layout = { migrations: migrations.slice(0, 2), application: applicationId };
    inFile(file, (connection) => prepare(connection, file, layout));
    const summaries = ['{"chart":"2"}', '{}', '{', '{"chart":{"no":"text"}}'];
    inFile(file, (connection) => {
      for (const [at, summary] of summaries.entries())
        connection.run(
          `INSERT INTO task (taskId, threadId, parent, size, head, at, isSettled, isOwed, asking, summary, intents, snapshot)
          VALUES (?, 'thread', NULL, 1, '', 0, ?, 0, ?, ?, '[]', '')`,
          `task ${at}`,
          at === 2 ? 1 : 0,
          at,
          summary,
        );
      for (const [at, of] of ['question', 'dependency', 'dependency'].entries())
        connection.run(
          `INSERT INTO deadline (task, position, "of", id, at) VALUES (1, ?, ?, 'id', 5)`,
          at,
          of,
        );
    });
    const store = opened(file);
    const charts = ['2', '', '', '{"no":"text"}'];
    expect(await store.taskIndex()).toMatchObject(
      charts.map((chart, at) => ({ taskId: `task ${at}`, chart, awaits: at === 0 ? 2 : 0, rank: '' })),
    );
    expect(await store.counts()).toEqual({ tasks: 4, settled: 1, asking: 3, questions: 6 });
    expect(await store.taskIndex({ isIdle: true })).toEqual([]);
    expect(await store.commit(stepOf(0))).toBe('ok');
    expect(await store.counts()).toEqual({ tasks: 5, settled: 1, asking: 3, questions: 6 });
  });

  it('is migrated from layout 3, as an earlier version wrote it', async () => {
    const file = newFile();
    writeFileSync(file, gunzipSync(readFileSync(new URL('./layout-3.db.gz', import.meta.url))));
    expect(versionOf(file)).toBe(3);
    const store = opened(file);
    const deadlines = [deadlineOf('a', 10), deadlineOf('b', 20)];
    const emissions = [emissionOf(evidence), saying('m-1'), emissionOf(other)];
    const first = stepOf(0, { brought: { evidence, explanation: 'why' }, emissions, deadlines });
    const second = stepOf(1, { intents: [{ kind: 'call', key: 'k', tool: 'send' }], deadlines });
    expect(await store.load('task')).toEqual({
      indexEntry: second.indexEntry,
      snapshot: 'snapshot 1',
      records: [first.record, second.record],
      emissions,
      deadlines,
      intents: second.intents,
    });
    const [named, message] = ['01a2141c-5779-72f4-8cdc-3324cb964a56', '01a2141c-57ca-7323-9fcf-d2999bf32b99'];
    expect(await store.taskIndex({ threadId: 'exactly fifteen', parent: 'task' })).toMatchObject([
      { taskId: named, threadId: 'exactly fifteen', parent: 'task', summary: '{"seq":0}' },
    ]);
    expect(await store.find({ message })).toEqual({ taskId: named, seq: 0 });
    expect(await store.find({ key: 'key' })).toEqual({ taskId: 'task', seq: 0 });
    expect(await store.due(10)).toEqual({ taskIds: ['task'], next: 20 });
    expect(await store.counts()).toEqual({ tasks: 3, settled: 0, asking: 1, questions: 1 });
    expect(await store.commit(stepOf(2, consumedApprovals('token', 'b')))).toBe('spent');
    const erased = await store.load('erased');
    expect(erased?.records[0]?.brought).toEqual({ payload: other });
    expect(erased?.emissions).toEqual([emissionOf(other)]);
    // the layout before kept no place for an erased emission
    expect(await store.erase(erasureOf(2, digest(other), { taskId: 'erased' }), digest(other))).toBe('ok');
    expect(await store.load('erased')).toMatchObject({ emissions: [], snapshot: 'snapshot 0' });
    expect(await store.commit(stepOf(2, { indexEntry: { isOwed: false } }))).toBe('ok');
    expect((await store.load('task'))?.records).toHaveLength(3);
  });

  it('has migrations whose published text never changes', () => {
    const digests = migrations.map((sql) => createHash('sha256').update(sql).digest('hex').slice(0, 16));
    expect(digests).toEqual([
      'bc0f51a4bf4212cc',
      'd095e6897e2b13bc',
      '0682a90b1e5cf991',
      'aedfe0cda67bba82',
      '3f704a98911922f7',
    ]);
  });

  it('is migrated once when two connections open the file', async () => {
    const file = newFile();
    await opened(file).taskIndex();
    await Promise.all([opened(file, next).taskIndex(), opened(file, next).taskIndex()]);
    expect(inFile(file, (connection) => connection.rows('SELECT text FROM note'))).toHaveLength(1);
  });

  it('stays unchanged when a migration fails', async () => {
    const file = newFile();
    await opened(file).commit(stepOf(0));
    const before = tablesOf(file);
    await expect(opened(file, [...next, 'NO SUCH STATEMENT']).taskIndex()).rejects.toMatchObject({
      code: 'store_unusable',
      details: { store: file, reason: expect.stringContaining('syntax error') },
    });
    expect(versionOf(file)).toBe(migrations.length);
    expect(tablesOf(file)).toBe(before);
    expect((await opened(file).load('task'))?.indexEntry.size).toBe(1);
  });

  it('is rejected unchanged when it is newer than ours', async () => {
    const file = newFile();
    await opened(file, next).taskIndex();
    const message = `${file}: it has layout 7; this version reads layouts up to 5: update agentcharter, or name another file`;
    await expect(opened(file).commit(stepOf(0))).rejects.toMatchObject({
      code: 'store_unusable',
      message,
      details: { store: file, reason: 'it has layout 7' },
    });
    expect(versionOf(file)).toBe(next.length);
  });

  it.each([
    ['a table', 'CREATE TABLE mine (a)'],
    ['another application id', 'PRAGMA application_id = 7'],
    ['another user version', 'PRAGMA user_version = 1'],
  ])('is rejected in a file of another application: %s', async (_, sql) => {
    const file = newFile();
    inFile(file, (connection) => connection.script(sql));
    const reason = 'it is the database of another application';
    await expect(opened(file).taskIndex()).rejects.toMatchObject({
      code: 'store_unusable',
      details: { store: file, reason },
    });
    expect(inFile(file, (connection) => pragma(connection, 'journal_mode'))).toBe('delete');
  });
});

/** A connection whose file cannot have a write-ahead log. */
const withoutLog = (name: string, timeout: number) => {
  const connection = connect(name, timeout);
  const rows: typeof connection.rows = (sql, ...values) =>
    sql.includes('journal_mode') ? [{ journal_mode: 'delete' }] : connection.rows(sql, ...values);
  return { ...connection, rows };
};

it('A file without write-ahead log support, as on some network disks, is rejected', async () => {
  const file = newFile();
  const store = createStore(file, 500, { timeout: 1000, migrations, connect: withoutLog });
  await expect(store.taskIndex()).rejects.toMatchObject({
    code: 'store_unusable',
    message: `${file}: it cannot keep a write-ahead log; name a file on a local disk`,
  });
  await store.close();
});

it.each([true, undefined, {}, 1n, Symbol('a')])(
  'The driver never receives a value that would end the process: %s',
  (value) => {
    inFile(newFile(), (connection) => {
      expect(() => connection.rows('SELECT ? AS a', value as unknown as string)).toThrow(TypeError);
      expect(connection.rows('SELECT ? AS a, ? AS b', null, 1.5)).toEqual([{ a: null, b: 1.5 }]);
      expect(connection.rows('SELECT ? AS a', null)).toEqual([{ a: null }]);
    });
  },
);
