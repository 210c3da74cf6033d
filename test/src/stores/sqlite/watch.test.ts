import type * as fs from 'node:fs';
import { renameSync, watch, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Store } from '../../../../src/base/ports/store.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { stepOf } from '../steps.ts';
import { newFile } from '../folder.ts';
import { eventually } from '../../../waits.ts';

vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  return { ...real, watch: vi.fn(real.watch) };
});

const opened = (file: string, poll = 20): Store => {
  const store = sqliteStore(file, { poll, timeout: 20 });
  onTestFinished(() => store.close());
  return store;
};

const write = async (by: Store, taskId: string) => by.commit(stepOf(0, { taskId }));

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

beforeEach(() => {
  vi.mocked(watch).mockClear();
});

describe('a store without file system events', () => {
  it('polls at its interval', async () => {
    vi.mocked(watch).mockImplementationOnce(() => {
      throw new Error('ENOSPC: System limit for number of file watchers reached');
    });
    const file = newFile();
    const [store, other] = [opened(file), opened(file)];
    const changed = vi.fn();
    store.watch(changed);
    await other.commit(stepOf(0));
    await eventually(() => expect(changed.mock.calls).toEqual([[['task']]]));
    expect(watch).toHaveBeenCalledTimes(1);
  });

  it('polls at its interval even when events worked at first', async () => {
    const file = newFile();
    const [store, other] = [opened(file), opened(file)];
    const changed = vi.fn();
    store.watch(changed);
    vi.mocked(watch).mock.results[0]?.value.emit('error', new Error('gone'));
    await other.commit(stepOf(0));
    await eventually(() => expect(changed.mock.calls).toEqual([[['task']]]));
  });
});

describe('a watcher', () => {
  it('receives each change of others once, in batches, and none of its own', async () => {
    const file = newFile();
    const [store, other] = [opened(file, 60_000), opened(file)];
    const changed = vi.fn();
    store.watch(changed);
    const theirs = ['a', 'b', 'c', 'd'].map((name) => `theirs ${name}`);
    await write(store, 'mine');
    await Promise.all(theirs.map((taskId) => write(other, taskId)));
    await write(store, 'also mine');
    await eventually(() => expect(changed.mock.calls).toEqual([[theirs]]));
    await write(store, 'mine at last');
    await later(60);
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it('is called again after it throws', async () => {
    const file = newFile();
    const [store, other] = [opened(file), opened(file)];
    const changed = vi.fn(() => {
      if (changed.mock.calls.length === 1) throw new Error('not now');
    });
    store.watch(changed);
    await other.commit(stepOf(0));
    await eventually(() => expect(changed.mock.calls).toEqual([[['task']], [['task']]]));
    await later(60);
    expect(changed).toHaveBeenCalledTimes(2);
  });

  it('of a file that cannot be opened receives every change once it can', async () => {
    const [file, place] = [newFile(), newFile()];
    const other = opened(place);
    await other.commit(stepOf(0));
    await other.close();
    writeFileSync(file, 'no database'.repeat(100));
    const store = opened(file);
    const changed = vi.fn();
    store.watch(changed);
    await later(60);
    expect(changed).not.toHaveBeenCalled();
    renameSync(place, file);
    await eventually(() => expect(changed.mock.calls).toEqual([[['task']]]));
  });

  it('continues when another watcher ends', async () => {
    const file = newFile();
    const [store, other] = [opened(file), opened(file)];
    const [first, second] = [vi.fn(), vi.fn()];
    const end = store.watch(first);
    store.watch(second);
    end();
    await other.commit(stepOf(0));
    await eventually(() => expect(second.mock.calls).toEqual([[['task']]]));
    expect(first).not.toHaveBeenCalled();
    expect(watch).toHaveBeenCalledTimes(1);
  });

  it('that starts after all others ended receives no earlier change', async () => {
    const file = newFile();
    const [store, other] = [opened(file), opened(file)];
    store.watch(() => {})();
    await other.commit(stepOf(0));
    const changed = vi.fn();
    store.watch(changed);
    await other.commit(stepOf(0, { taskId: 'new' }));
    await eventually(() => expect(changed.mock.calls).toEqual([[['new']]]));
  });
});
