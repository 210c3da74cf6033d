import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { digest } from '../../../../src/base/canonical/digest.ts';
import type { Store } from '../../../../src/base/ports/store.ts';
import { connect, type Connection } from '../../../../src/stores/sqlite/connection.ts';
import { createPacker, maxTasks, type Packer } from '../../../../src/stores/sqlite/packer.ts';
import { packsOf, restingTasks, writePacks, type Packed } from '../../../../src/stores/sqlite/rest.ts';
import { newFile } from '../folder.ts';
import { erasureOf, evidence, stepOf, takeTasks } from '../steps.ts';
import { atRest, crashed, expectRows, inFile, never, opened, rest, rowsIn, soon } from './packing.ts';
import { eventually, testTimeout } from '../../../waits.ts';

/** Lets more tasks rest than are packed in one transaction; returns their ids. */
const restMany = async (store: Store): Promise<readonly string[]> => {
  const tasks = Array.from({ length: maxTasks + 6 }, (_, index) => `task ${index}`);
  await Promise.all(tasks.map((taskId) => rest(store, taskId)));
  return tasks;
};

describe('A task is packed', () => {
  it('after it has rested for some time, and not in a commit', async () => {
    const file = newFile();
    const store = opened(file, 200);
    await rest(store);
    expect(rowsIn(file)).toEqual(['0 alone', '1 alone']);
    await expectRows(file, ['1 packed']);
    expect(await store.load('task')).toMatchObject({ indexEntry: { size: 2 }, snapshot: 'snapshot 1' });
  });

  it('not if it goes on before', async () => {
    const file = newFile();
    const store = opened(file, soon);
    await rest(store);
    await store.commit(stepOf(2));
    await rest(store, 'other');
    await expectRows(file, ['0 alone', '1 alone', '2 alone', '1 packed']);
  });

  it('when the store closes', async () => {
    const file = newFile();
    const store = opened(file, never);
    await rest(store);
    const last = store.commit(stepOf(2, atRest()));
    await store.close();
    expect(await last).toBe('ok');
    expect(rowsIn(file)).toEqual(['2 packed']);
  });

  it('when the store closes, with more others than a transaction takes', async () => {
    const file = newFile();
    const store = opened(file, never);
    const tasks = await restMany(store);
    await store.close();
    expect(rowsIn(file)).toEqual(tasks.map(() => '1 packed'));
  });

  it('by the next owner, if the file was locked when the store closed', async () => {
    const file = newFile();
    const store = opened(file, never, connect, 2 * testTimeout); // if it waited for the lock, this test would hang
    const tasks = await restMany(store);
    const before = await store.load('task 0');
    const holder = connect(file, 1_000);
    holder.script('BEGIN IMMEDIATE');
    await store.close();
    holder.script('ROLLBACK');
    holder.close();
    expect(rowsIn(file)).toEqual(tasks.flatMap(() => ['0 alone', '1 alone']));
    const next = opened(file, soon);
    expect(await next.load('task 0')).toEqual(before);
    await takeTasks(next);
    await expectRows(
      file,
      tasks.map(() => '1 packed'),
    );
    expect(await next.load('task 0')).toEqual(before);
  });

  it('by the next owner, if a crash left it unpacked', async () => {
    const file = newFile();
    const first = opened(file, never);
    await rest(first);
    await first.commit(stepOf(0, { taskId: 'moving' }));
    const left = crashed(file);
    expect(inFile(left, restingTasks)).toEqual(['task']);
    const store = opened(left, soon);
    await store.taskIndex();
    await pause(4 * soon);
    expect(rowsIn(left)).toEqual(['0 alone', '1 alone', '0 alone']);
    await takeTasks(store);
    await expectRows(left, ['1 packed', '0 alone']);
  });

  it('again after an erasure', async () => {
    const file = newFile();
    const store = opened(file, soon);
    await rest(store);
    await expectRows(file, ['1 packed']);
    const erasure = erasureOf(2, digest(evidence), { indexEntry: { isOwed: false } });
    expect(await store.erase(erasure, digest(evidence))).toBe('ok');
    await expectRows(file, ['1 packed', '2 packed']);
    const task = await store.load('task');
    expect(task).toMatchObject({ snapshot: 'snapshot 1', emissions: [] });
    expect(JSON.stringify(task)).not.toContain('nobody else');
  });

  it('together with many others', async () => {
    const file = newFile();
    const store = opened(file, soon);
    const tasks = await restMany(store);
    await expectRows(
      file,
      tasks.map(() => '1 packed'),
    );
  });

  it('in several turns if it has made many steps', async () => {
    const file = newFile();
    const store = opened(file, soon);
    for (let seq = 0; seq < 99; seq += 1) await store.commit(stepOf(seq, seq < 98 ? {} : atRest()));
    await expectRows(file, ['31 packed', '63 packed', '95 packed', '98 packed']);
    expect((await store.load('task'))?.records.map(({ seq }) => seq)).toEqual([...Array(99).keys()]);
  });
});

describe('Packs that were made are not written', () => {
  const changes: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
    'of a task that went on': (store) => store.commit(stepOf(2)),
    'of a task that was erased from': (store) =>
      store.erase(erasureOf(2, digest(evidence)), digest(evidence)),
  };

  it.each(Object.entries(changes))('%s', async (_, change) => {
    const file = newFile();
    const store = opened(file, never);
    await rest(store);
    const made = inFile(file, (connection) => packsOf(connection, 'task').packs);
    expect(made).toHaveLength(1);
    await change(store);
    expect(inFile(file, (connection) => writePacks(connection, made))).toEqual([]);
    expect(rowsIn(file)).toEqual(['0 alone', '1 alone', '2 alone']);
  });

  it('under ids that were used before', async () => {
    const file = newFile();
    await rest(opened(file, never));
    const made = inFile(file, (connection) => packsOf(connection, 'task').packs);
    expect(inFile(file, (connection) => writePacks(connection, made))).toEqual([3]);
    expect(inFile(file, (connection) => connection.rows('SELECT id FROM record'))).toEqual([{ id: 3 }]);
  });

  it('twice', async () => {
    const file = newFile();
    await rest(opened(file, never));
    const made = inFile(file, (connection) => packsOf(connection, 'task').packs);
    expect(inFile(file, (connection) => writePacks(connection, made))).toHaveLength(1);
    expect(inFile(file, (connection) => writePacks(connection, made))).toEqual([]);
    expect(inFile(file, restingTasks)).toEqual([]);
  });

  it.each([
    ['after some time', 100],
    ['when it closes', never],
  ])('by an owner after another one took over: %s', async (_, packAfter) => {
    const file = newFile();
    const store = opened(file, packAfter);
    await takeTasks(store);
    await rest(store);
    inFile(file, (connection) => connection.run('UPDATE owner SET number = number + 1'));
    await pause(400);
    await store.close();
    expect(rowsIn(file)).toEqual(['0 alone', '1 alone']);
  });
});

interface Watched {
  readonly packer: Packer;
  /** The tasks of which packs were made, in order, with their states then. */
  readonly made: string[];
  /** How many packs were written in each transaction. */
  readonly written: number[];
}

const delay = 1_000;

/** Lets the timer of a packer ring, and waits until what it began is done. */
const ring = async (): Promise<void> => {
  vi.advanceTimersByTime(delay);
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
};

/** Creates a packer of tasks that are only states. `onMade` is called when a pack is made. */
const watched = (states: Readonly<Record<string, string>>, onMade: Watched['packer']['add']): Watched => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const [made, written]: [string[], number[]] = [[], []];
  const one: Packed = { pack: new Uint8Array(), task: 1, size: 1, from: 0, to: 0 };
  const packer = createPacker(
    {
      find: () => [],
      packsOf: (taskId) => {
        made.push(`${taskId} ${states[taskId]}`);
        onMade(taskId);
        return { packs: [one], more: null };
      },
      write: async (packs) => written.push(packs.length),
    },
    delay,
  );
  return { packer, made, written };
};

describe('A task that rests anew is packed once, in its newest state', () => {
  it('if it does so while it waits', async () => {
    const states = { task: 'old', other: 'only' };
    const { packer, made, written } = watched(states, () => {});
    packer.add('task');
    packer.add('other');
    await ring();
    expect(made).toEqual([]);
    states.task = 'new';
    packer.add('task');
    await ring();
    expect(made).toEqual(['other only']);
    await ring();
    await ring();
    expect([made, written]).toEqual([
      ['other only', 'task new'],
      [1, 1],
    ]);
  });

  it('if it does so while others are packed', async () => {
    const states = { task: 'old', other: 'only' };
    const { packer, made, written } = watched(states, (taskId) => {
      if (taskId === 'task') return;
      states.task = 'new';
      packer.add('task');
    });
    packer.add('other');
    packer.add('task');
    await ring();
    await ring();
    expect(made).toEqual(['other only']);
    await ring();
    await ring();
    expect([made, written]).toEqual([
      ['other only', 'task new'],
      [1, 1],
    ]);
  });
});

/** The timers that keep this process alive. */
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('Beside packing', () => {
  it('another process reads the same task, and is told of later steps', async () => {
    const file = newFile();
    const [store, guest] = [opened(file, 100), opened(file, never)];
    await rest(store);
    await store.commit(stepOf(0, { taskId: 'other' }));
    const before = await guest.load('task');
    const changed = vi.fn();
    guest.watch(changed);
    await eventually(() => expect(rowsIn(file)).toContain('1 packed'));
    expect(await guest.load('task')).toEqual(before);
    await store.commit(stepOf(1, { taskId: 'other' }));
    await eventually(() => expect(changed.mock.calls.flat(2)).toContain('other'));
  });

  it('no timer keeps the process alive', async () => {
    const before = timers();
    await rest(opened(newFile(), never));
    expect(timers()).toBeLessThanOrEqual(before); // one of an earlier test may have ended
  });

  it('a failure keeps the rows, and steps are committed on', async () => {
    const file = newFile();
    const isFull = { value: true };
    const store = opened(file, soon, (name, timeout) => {
      const inner = connect(name, timeout);
      const run: Connection['run'] = (sql, ...values) => {
        if (isFull.value && sql.startsWith('UPDATE record'))
          throw Object.assign(new Error('full'), { rawCode: 13 });
        return inner.run(sql, ...values);
      };
      return { ...inner, run };
    });
    await rest(store);
    await pause(6 * soon);
    expect(rowsIn(file)).toEqual(['0 alone', '1 alone']);
    isFull.value = false;
    expect(await store.commit(stepOf(2, atRest()))).toBe('ok');
    await expectRows(file, ['2 packed']);
  });
});
