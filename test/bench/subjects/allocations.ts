import { Session } from 'node:inspector/promises';
import { createEngine, type EngineName } from '../engines/registry.ts';
import { gatedRun } from './runs.ts';

export interface AllocationsOf {
  readonly engine: EngineName;
  readonly warm: number;
  /** What they allocate must fit into the young generation of the heap: a collection would hide it. */
  readonly runs: number;
}

/** Of one warm gated run. */
export interface Allocations {
  readonly bytes: number;
  /** Calls of functions, of this project and of packages. */
  readonly calls: number;
}

/** Measures what does not depend on the load of the machine. */
export const measureAllocations = async ({
  engine: name,
  warm,
  runs,
}: AllocationsOf): Promise<Allocations> => {
  const run = gatedRun(await createEngine(name));
  for (let left = warm; left > 0; left -= 1) await run();
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let left = runs; left > 0; left -= 1) await run();
  const bytes = (process.memoryUsage().heapUsed - before) / runs;

  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage'); // begins to count anew
  for (let left = runs; left > 0; left -= 1) await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const counts = result
    .filter(({ url }) => !url.startsWith('node:'))
    .flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]?.count ?? 0));
  return { bytes, calls: counts.reduce((sum, count) => sum + count, 0) / runs };
};
