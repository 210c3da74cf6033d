import { measureApart } from '../apart.ts';
import type { Figure, Measured } from '../goals.ts';
import type { Spent } from '../measure.ts';
import { progress, rounds, shareOfRuns } from '../settings.ts';
import { shown } from '../table.ts';
import { medianRatio } from './ratio.ts';

const inRounds = async <Round>(what: string, measure: () => Promise<Round>): Promise<readonly Round[]> => {
  const all: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    progress(`round ${round} of ${rounds}: ${what}`);
    all.push(await measure());
  }
  return all;
};

/** A commit beside the driver that writes the same. */
export const measureCommits = async (): Promise<Measured> => {
  const tasks = Math.max(8, shareOfRuns(1 / 25));
  const all = await inRounds(`commits of ${tasks} tasks`, () => measureApart('commits', { tasks }));
  const figure = (kind: keyof Spent): Figure =>
    medianRatio(
      all.map(({ store, raw }) => [store[kind], raw[kind]]),
      'us a step',
    );
  return { commitCpu: figure('cpu'), commitWall: figure('wall') };
};

const atOnce = 16;

/** Gated runs on a disk, beside Mastra and beside the driver that writes the same. */
export const measureDurable = async (arePeersInstalled: boolean): Promise<Measured> => {
  const count = Math.max(atOnce, shareOfRuns(1 / 10));
  const given = { runs: count, warmUp: Math.ceil(count / 4), atOnce };
  const all = await inRounds(`${count} durable runs of each side, ${atOnce} at once`, async () => ({
    driver: await measureApart('durable', { of: 'driver', ...given }),
    own: await measureApart('durable', { of: 'orchestrator', ...given }),
    mastra: arePeersInstalled
      ? await measureApart('durable', { of: 'mastra', ...given }, { packages: 'peers' })
      : null,
  }));
  const ratio = (unit: string, kind: 'runsPerSecond' | 'loopDelay', other: 'mastra' | 'driver'): Figure =>
    medianRatio(
      all.map((round) => [round.own[kind], round[other]?.[kind] ?? Number.NaN]),
      unit,
    );
  const [settings] = all.flatMap(({ mastra }) => mastra?.settings ?? []);
  if (settings !== undefined && settings !== 'wal 2')
    throw new Error(`Mastra does not sync every commit as ours does: ${settings}`);
  return {
    loopDelay: ratio('ms', 'loopDelay', 'driver'),
    ...(arePeersInstalled && { durable: ratio('runs/s', 'runsPerSecond', 'mastra') }),
  };
};

/** The bytes that a store keeps of a task that waits. */
export const measureParked = async (): Promise<Measured> => {
  // with some hundred tasks, each of eleven tables and indexes that gets a second page adds 13 bytes a task
  const tasks = Math.max(50, shareOfRuns(1 / 3));
  progress(`bytes of ${tasks} tasks that wait`);
  const { stored, given } = await measureApart('parked', { tasks });
  const of = `${shown(stored)} stored, ${shown(given)} given by the host and the model`;
  return { parked: { value: stored - given, of } };
};
