import { measureApart } from '../apart.ts';
import type { Figure, Measured } from '../goals.ts';
import { median } from '../measure.ts';
import { progress, rounds } from '../settings.ts';
import { shown } from '../table.ts';
import { medianRatio, type Pair } from './ratio.ts';

const verified = async (records: number, times: number): Promise<Figure> => {
  const all: Pair[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    progress(`round ${round} of ${rounds}: verifying ${records} records`);
    const { verify, hash } = await measureApart('verify', { records, times });
    all.push([verify, hash]);
  }
  return medianRatio(all, 'ms');
};

const signed = async (records: number, times: number): Promise<Figure> => {
  const all: Pair[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    progress(`round ${round} of ${rounds}: verifying ${records} records and their approvals`);
    const { checked, unchecked } = await measureApart('signed', { records, times });
    all.push([checked, unchecked]);
  }
  return medianRatio(all, 'ms');
};

/** The verification of ledgers, beside SHA-256 of the same bytes; that of signatures is counted apart. */
export const measureVerify = async (): Promise<Measured> => ({
  verifyFew: await verified(1_000, 12),
  verifyMany: await verified(100_000, 1),
  verifyApprovals: await signed(1_000, 12),
});

const apart = { execArgv: ['--expose-gc', '--max-old-space-size=4096'] };

const cpuOf = async (chart: string, engine: string, times: number): Promise<number> => {
  const figures: number[] = [];
  for (let time = 1; time <= times; time += 1) {
    progress(`${chart}: ${engine}, ${time} of ${times}`);
    figures.push((await measureApart('explorations', { chart, engine }, apart)).cpuMs);
  }
  return median(figures);
};

const explored = ['task: a checked high-risk write', 'counters, 10,000 states', 'chain, 1,000 states'];

const exploration = async (chart: string): Promise<Figure> => {
  const own = await cpuOf(chart, 'explore', rounds);
  const others = [
    await cpuOf(chart, 'getAdjacencyMap', rounds),
    await cpuOf(chart, 'getShortestPaths', rounds),
  ];
  const faster = Math.min(...others);
  return { value: faster / own, of: `${shown(own)} ms beside ${shown(faster)} ms (${chart})` };
};

const walked = 'counters, 5 x 5 x 5';

/** Exploration beside @xstate/graph: the chart where it gains least, and one with 110,251 simple paths. */
export const measureExploration = async (): Promise<Measured> => {
  const figures: Figure[] = [];
  for (const chart of explored) figures.push(await exploration(chart));
  const own = await cpuOf(walked, 'simplePaths', rounds);
  const other = await cpuOf(walked, 'getSimplePaths', 1); // it takes a minute
  return {
    explore: figures.reduce((least, figure) => (figure.value < least.value ? figure : least)),
    simplePaths: { value: other / own, of: `${shown(own)} ms beside ${shown(other)} ms` },
  };
};
