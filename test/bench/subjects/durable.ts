import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { engineLoad, type Load, type LoadOf } from '../engines/load.ts';
import { inFolder } from '../folder.ts';
import { spent } from '../measure.ts';

export interface DurableOf extends LoadOf {
  readonly of: 'orchestrator' | 'mastra' | 'driver';
}

export interface Durable {
  /** Gated runs a second. Ours count until the file is closed: tasks that rest are packed by then. */
  readonly runsPerSecond: number;
  /** Milliseconds, the 99th percentile. */
  readonly loopDelay: number;
  /** The journal mode and the sync setting, as the driver reports them; 2 is `FULL`. */
  readonly settings: string | null;
}

/** Opened by name: where the peers are, ours is not, and the other way round. */
const loads = {
  orchestrator: async (file: string, given: LoadOf) =>
    (await import('../engines/durable.ts')).loadOrchestrator(file, given),
  driver: async (file: string, given: LoadOf) =>
    (await import('../engines/durable.ts')).loadDriver(file, given),
  mastra: async (file: string, { atOnce }: LoadOf): Promise<Load> => {
    const { createDurableEngine } = await import('../peers/mastra.ts');
    const { engine, settings, close } = await createDurableEngine(file);
    return { run: engineLoad(engine, atOnce), settings, close };
  },
} as const;

/** Makes gated runs that a disk keeps, several at once. */
export const measureDurable = (given: DurableOf): Promise<Durable> =>
  inFolder(async (folder) => {
    const load = await loads[given.of](join(folder, 'tasks.db'), given);
    await load.run(given.warmUp);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const { wall } = await spent(() => load.run(given.runs));
    await setImmediate(); // a hold is seen by the turn that comes after it
    delay.disable();
    const settings = await load.settings();
    const closing = await spent(load.close);
    const packing = given.of === 'orchestrator' ? closing.wall : 0; // Mastra has stored all it stores
    return {
      runsPerSecond: given.runs / ((wall + packing) / 1e6),
      loopDelay: delay.percentile(99) / 1e6,
      settings,
    };
  });
