import { describe, expect, it, onTestFinished } from 'vitest';
import type { Step, Store } from '../../../../src/ports/store.ts';
import { connect, type Connection } from '../../../../src/stores/sqlite/connection.ts';
import { migrations } from '../../../../src/stores/sqlite/layout.ts';
import { createStore } from '../../../../src/stores/sqlite/store.ts';
import { newFile } from '../folder.ts';
import { saying, stepOf } from '../steps.ts';

/** Fails a statement with a result code of SQLite. */
interface Fault {
  readonly sql: RegExp;
  readonly value?: string;
  readonly rawCode: number;
}

/** A store whose transactions are counted, and whose statements may fail. */
const watched = (fault?: Fault) => {
  const kinds: string[] = [];
  const open: typeof connect = (file, timeout) => {
    const inner = connect(file, timeout);
    const run: Connection['run'] = (sql, ...values) => {
      const isFaulty = fault?.sql.test(sql) === true && (!fault.value || values.includes(fault.value));
      if (isFaulty) throw Object.assign(new Error('it failed'), { rawCode: fault.rawCode });
      return inner.run(sql, ...values);
    };
    const transaction: Connection['transaction'] = (kind, work) => {
      kinds.push(kind);
      return inner.transaction(kind, work);
    };
    return { ...inner, run, transaction };
  };
  const file = newFile();
  const store = createStore(file, 500, { timeout: 100, migrations, connect: open });
  onTestFinished(() => store.close());
  return { file, store, written: () => kinds.filter((kind) => kind === 'IMMEDIATE').length };
};

const outcomes = async (store: Store, steps: readonly Step[]): Promise<readonly string[]> => {
  const settled = await Promise.allSettled(steps.map((step) => store.commit(step)));
  return settled.map((one) =>
    one.status === 'fulfilled' ? one.value : String(one.reason?.code ?? one.reason),
  );
};

const sizes = async (store: Store) =>
  Object.fromEntries((await store.taskIndex()).map(({ taskId, size }) => [taskId, size]));

const used = (action: string) => [{ jti: 'approval', action }];

describe('steps that arrive together', () => {
  it('are written in one transaction', async () => {
    const { store, written } = watched();
    await store.taskIndex();
    const before = written();
    const tasks = Array.from({ length: 16 }, (_, index) => `task ${index}`);
    expect(
      await outcomes(
        store,
        tasks.map((taskId) => stepOf(0, { taskId })),
      ),
    ).toEqual(tasks.map(() => 'ok'));
    expect(written() - before).toBe(1);
    expect(Object.keys(await sizes(store))).toHaveLength(16);
  });

  it('are each answered as if they came alone', async () => {
    const { store } = watched();
    const steps = [
      stepOf(0, { taskId: 'a', key: 'k', consumedApprovals: used('pay') }),
      stepOf(0, { taskId: 'a' }),
      stepOf(0, { taskId: 'b', key: 'k' }),
      stepOf(0, { taskId: 'c', consumedApprovals: used('another') }),
      stepOf(0, { taskId: 'd', snapshot: null }),
      stepOf(1, { taskId: 'a' }),
      stepOf(0, { taskId: 'e' }),
    ];
    expect(await outcomes(store, steps)).toEqual([
      'ok',
      'conflict',
      'duplicate',
      'spent',
      'TypeError: the first step of a task has a snapshot',
      'ok',
      'ok',
    ]);
    expect(await sizes(store)).toEqual({ a: 2, e: 1 });
  });

  it('are written without the one whose statement fails', async () => {
    const { store } = watched({ sql: /INTO message/, rawCode: 19 });
    const failing = stepOf(0, { taskId: 'b', emissions: [saying('m')] });
    const steps = [stepOf(0, { taskId: 'a' }), failing, stepOf(0, { taskId: 'c' })];
    expect(await outcomes(store, steps)).toEqual(['ok', 'store_unusable', 'ok']);
    expect(await sizes(store)).toEqual({ a: 1, c: 1 });
  });

  it('are all refused when the file cannot be written, and are written when it can', async () => {
    const fault = { sql: /INTO message/, rawCode: 10 };
    const { store } = watched(fault);
    const failing = stepOf(0, { taskId: 'b', emissions: [saying('m')] });
    const steps = [stepOf(0, { taskId: 'a' }), failing, stepOf(0, { taskId: 'c' })];
    expect(await outcomes(store, steps)).toEqual(['store_unusable', 'store_unusable', 'store_unusable']);
    expect(await sizes(store)).toEqual({});
    expect(await outcomes(store, [steps[0]!, steps[2]!])).toEqual(['ok', 'ok']);
  });

  it('are written when the store closes', async () => {
    const { file, store } = watched();
    const pending = outcomes(store, [stepOf(0, { taskId: 'a' }), stepOf(0, { taskId: 'b' })]);
    await store.close();
    expect(await pending).toEqual(['ok', 'ok']);
    const other = createStore(file, 500, { timeout: 100, migrations });
    onTestFinished(() => other.close());
    expect(await sizes(other)).toEqual({ a: 1, b: 1 });
  });

  it('are refused before an erasure that was asked for later, which goes on with the file', async () => {
    const { store } = watched({ sql: /INTO message/, rawCode: 10 });
    await store.commit(stepOf(0));
    const failing = stepOf(1, { emissions: [saying('m')] });
    const [refused, erased] = await Promise.allSettled([
      store.commit(failing),
      store.erase(stepOf(1), 'sha256:0'),
    ]);
    expect(refused).toMatchObject({ reason: { code: 'store_unusable' } });
    expect(erased).toMatchObject({ value: 'ok' });
  });

  it('are written before an erasure that was asked for later', async () => {
    const { store } = watched();
    await store.commit(stepOf(0));
    const answers = [store.commit(stepOf(1)), store.erase(stepOf(2), 'sha256:0')];
    expect(await Promise.all(answers)).toEqual(['ok', 'ok']);
    expect(await sizes(store)).toEqual({ task: 3 });
  });
});
