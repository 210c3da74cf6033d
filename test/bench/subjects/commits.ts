import { join } from 'node:path';
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

/** Commits the steps of gated runs by the store, and the same writes by the driver alone, in turn. */
export const measureCommits = ({ tasks: count }: CommitsOf): Promise<Commits> =>
  inFolder(async (folder) => {
    const copy = copiesOf(await stepsOfRun());
    const tasks = Array.from({ length: count }, copy);
    const { writes, settings } = await noteCommits(sqliteStore, join(folder, 'noted.db'), tasks);
    const driver = await rawDriver(sqliteStore, join(folder, 'raw.db'), settings);
    const store = sqliteStore(join(folder, 'store.db'));
    await store.taskIndex();
    const sums = { raw: { cpu: 0, wall: 0 }, store: { cpu: 0, wall: 0 } };
    const works = {
      raw: (task: number) => {
        for (const write of writes[task]!.flat()) driver.write(write);
      },
      store: async (task: number) => {
        for (const step of tasks[task]!)
          if ((await store.commit(step)) !== 'ok') throw new Error('a step was not written');
      },
    };
    const measuredFrom = Math.floor(count / 4);
    for (let task = 0; task < count; task += 1)
      for (const name of task % 2 === 0 ? (['raw', 'store'] as const) : (['store', 'raw'] as const)) {
        const { cpu, wall } = await spent(() => works[name](task));
        if (task < measuredFrom) continue;
        sums[name].cpu += cpu;
        sums[name].wall += wall;
      }
    driver.close();
    await store.close();
    const [byRaw, byStore] = ['raw.db', 'store.db'].map((file) => contentsOf(join(folder, file)));
    if (byRaw !== byStore) throw new Error(`the driver wrote ${byRaw}, and the store ${byStore}`);
    const steps = tasks.slice(measuredFrom).flat().length;
    const each = ({ cpu, wall }: Spent): Spent => ({ cpu: cpu / steps, wall: wall / steps });
    return { raw: each(sums.raw), store: each(sums.store) };
  });
