import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Step, Store } from '../../../../src/base/ports/store.ts';
import { connect, type Connection } from '../../../../src/stores/sqlite/connection.ts';
import { migrations } from '../../../../src/stores/sqlite/layout.ts';
import { createStore } from '../../../../src/stores/sqlite/store.ts';
import { newFile } from '../folder.ts';
import { saying, stepOf, takeTasks } from '../steps.ts';
import { eventually } from '../../../waits.ts';

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
    const transactionLater: Connection['transactionLater'] = (work) => {
      kinds.push('IMMEDIATE');
      return inner.transactionLater(work);
    };
    return { ...inner, run, transaction, transactionLater };
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

const nothing = (): void => {};

/** A store whose commits of several steps end when `end` is called, although they are on the disk before. */
const held = () => {
  let [end, begun] = [nothing, nothing];
  const isCommitting = new Promise<void>((resolve) => (begun = resolve));
  const gate = new Promise<void>((resolve) => (end = resolve));
  const open: typeof connect = (file, timeout) => {
    const inner = connect(file, timeout);
    const transactionLater: Connection['transactionLater'] = (work) => {
      const [result, committed] = inner.transactionLater(work);
      return [result, committed.then(begun).then(() => gate)];
    };
    return { ...inner, transactionLater };
  };
  const file = newFile();
  const store = createStore(file, 20, { timeout: 100, migrations, connect: open });
  onTestFinished(() => store.close());
  return { file, store, isCommitting, end: () => end() };
};

const two = [stepOf(0, { taskId: 'a' }), stepOf(0, { taskId: 'b' })];

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('while steps are committed off the event loop', () => {
  it('others are read, and own writes are not reported as changes', async () => {
    const { store, isCommitting, end } = held();
    await store.commit(stepOf(0));
    const changed = vi.fn();
    store.watch(changed);
    const answers = outcomes(store, two);
    await isCommitting;
    expect((await store.load('task'))?.records).toHaveLength(1);
    store.watch(changed);
    await later(80);
    end();
    expect(await answers).toEqual(['ok', 'ok']);
    await later(80);
    expect(changed).not.toHaveBeenCalled();
    expect(await sizes(store)).toEqual({ task: 1, a: 1, b: 1 });
  });

  it('other writes wait', async () => {
    const { store, isCommitting, end } = held();
    const done: string[] = [];
    const noted = async (name: string, work: Promise<unknown>) => {
      await work;
      done.push(name);
    };
    const answers = outcomes(store, two);
    await isCommitting;
    const others = [
      noted('commit', store.commit(stepOf(1, { taskId: 'a' }))),
      noted('erase', store.erase(stepOf(1, { taskId: 'b' }), 'sha256:0')),
      noted('take', takeTasks(store)),
      noted('close', store.close()),
    ];
    await later(20);
    expect(done).toEqual([]);
    end();
    expect(await answers).toEqual(['ok', 'ok']);
    await Promise.all(others);
    expect(done.toSorted()).toEqual(['close', 'commit', 'erase', 'take']);
  });

  it('each task goes on in a turn of its own', async () => {
    const { store } = watched();
    await store.taskIndex();
    let turn = 0;
    const count = (): void => {
      turn += 1;
      ticking = setImmediate(count);
    };
    let ticking = setImmediate(count);
    const tasks = Array.from({ length: 8 }, (_, index) => stepOf(0, { taskId: `task ${index}` }));
    const turns = await Promise.all(tasks.map((step) => store.commit(step).then(() => turn)));
    clearImmediate(ticking);
    expect(new Set(turns).size).toBe(8);
  });

  it('a failure refuses them all, and hides no change of others', async () => {
    const file = newFile();
    const isFull = { value: true };
    const open: typeof connect = (name, timeout) => {
      const inner = connect(name, timeout);
      const transactionLater: Connection['transactionLater'] = (work) => {
        if (!isFull.value) return inner.transactionLater(work);
        inner.script('BEGIN IMMEDIATE');
        const result = work();
        inner.script('ROLLBACK');
        return [result, Promise.reject(Object.assign(new Error('it is full'), { rawCode: 13 }))];
      };
      return { ...inner, transactionLater };
    };
    const store = createStore(file, 20, { timeout: 100, migrations, connect: open });
    const other = createStore(file, 20, { timeout: 100, migrations });
    onTestFinished(() => store.close());
    onTestFinished(() => other.close());
    await store.taskIndex();
    const changed = vi.fn();
    store.watch(changed);
    expect(await outcomes(store, two)).toEqual(['store_unusable', 'store_unusable']);
    expect(await sizes(store)).toEqual({});
    await other.commit(stepOf(0, { taskId: 'theirs' }));
    await eventually(() => expect(changed.mock.calls).toEqual([[['theirs']]]));
    isFull.value = false;
    expect(await outcomes(store, two)).toEqual(['ok', 'ok']);
  });
});
