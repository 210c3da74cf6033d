import { join } from 'node:path';
import type { Step } from 'agentcharter/stores';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { contentsOf, noteCommits, rawDriver } from '../driver.ts';
import { inFolder } from '../folder.ts';
import { spent, type Spent } from '../measure.ts';
import { copiesOf, stepsOfRun } from '../steps.ts';

export interface CommitsOf {
  readonly tasks: number;
}

/** Microseconds a step. */
export interface Commits {
  readonly raw: Spent;
  readonly store: Spent;
}

const add = (sum: Spent, { cpu, wall }: Spent): Spent => ({ cpu: sum.cpu + cpu, wall: sum.wall + wall });

/** Commits tasks by the store and the same writes by the driver alone, in turn, and closes both; returns the sums. */
const commitBoth = async (folder: string, tasks: readonly (readonly Step[])[]): Promise<Commits> => {
  const noted = join(folder, 'noted.db');
  const { writes, settings } = await noteCommits(sqliteStore, noted, tasks);
  const driver = await rawDriver(sqliteStore, join(folder, 'raw.db'), settings);
  const store = sqliteStore(join(folder, 'store.db'));
  await store.taskIndex();
  const sums = { raw: { cpu: 0, wall: 0 }, store: { cpu: 0, wall: 0 } };
  const works = {
    raw: (task: number) => {
      for (const write of writes.steps[task]!.flat()) driver.write(write);
    },
    store: async (task: number) => {
      for (const step of tasks[task]!)
        if ((await store.commit(step)) !== 'ok') throw new Error('a step was not written');
    },
  };
  for (let task = 0; task < tasks.length; task += 1)
    for (const name of task % 2 === 0 ? (['raw', 'store'] as const) : (['store', 'raw'] as const))
      sums[name] = add(sums[name], await spent(() => works[name](task)));
  const closeDriver = (): void => {
    for (const write of writes.atEnd) driver.write(write);
    driver.close();
  };
  return { raw: add(sums.raw, await spent(closeDriver)), store: add(sums.store, await spent(store.close)) };
};

/** Measures commits up to the closed file: the tasks are then packed. A quarter of the tasks warms up, in files of their own. */
export const measureCommits = async ({ tasks: count }: CommitsOf): Promise<Commits> => {
  const copy = copiesOf(await stepsOfRun());
  const copies = (length: number) => Array.from({ length }, copy);
  await inFolder((folder) => commitBoth(folder, copies(Math.ceil(count / 4))));
  return inFolder(async (folder) => {
    const tasks = copies(count);
    const { raw, store } = await commitBoth(folder, tasks);
    const [byRaw, byStore] = ['raw.db', 'store.db'].map((file) => contentsOf(join(folder, file)));
    if (byRaw !== byStore) throw new Error(`the driver wrote ${byRaw}, and the store ${byStore}`);
    const steps = tasks.flat().length;
    const each = ({ cpu, wall }: Spent): Spent => ({ cpu: cpu / steps, wall: wall / steps });
    return { raw: each(raw), store: each(store) };
  });
};
