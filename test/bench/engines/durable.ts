import { setImmediate } from 'node:timers/promises';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { noteCommits, rawDriver, type Write } from '../driver.ts';
import { copiesOf, stepsOfRun } from '../steps.ts';
import { engineLoad, type Load, type LoadOf } from './load.ts';
import { createHost, engineOn } from './orchestrator.ts';

/** Our orchestrator on a file. */
export const loadOrchestrator = async (file: string, { atOnce }: LoadOf): Promise<Load> => {
  const host = createHost({ store: sqliteStore(file), concurrency: 256 });
  await host.orchestrator.recover();
  return {
    run: engineLoad(
      engineOn(() => host),
      atOnce,
    ),
    settings: async () => null,
    close: host.orchestrator.close,
  };
};

/** What the store writes for the same runs, by the driver alone, and one step in each turn of the event loop. */
export const loadDriver = async (file: string, { runs, warmUp }: LoadOf): Promise<Load> => {
  const copy = copiesOf(await stepsOfRun());
  const noted = await noteCommits(sqliteStore, `${file}.noted`, Array.from({ length: runs + warmUp }, copy));
  const driver = await rawDriver(sqliteStore, file, noted.settings);
  const left: (readonly (readonly Write[])[])[] = [...noted.writes.steps];
  return {
    run: async (count) => {
      for (const step of left.splice(0, count).flat()) {
        for (const write of step) driver.write(write);
        await setImmediate();
      }
    },
    settings: async () => null,
    close: driver.close,
  };
};
