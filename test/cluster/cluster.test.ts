import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skipWithout } from '../needs.ts';
import { Chaos } from './chaos.ts';
import { endings, figuresOf, inOneLine, sharesOf, together, type Figures } from './figures.ts';
import { violationsOf, type LawName } from './history.ts';
import { keep } from './kept.ts';
import { plantedFaults } from './planted.ts';
import { lease } from './events.ts';
import { burst, hunts, roundOf } from './plans.ts';
import { buildPrograms, type Programs } from './programs.ts';
import type { Plan, Trial } from './trial.ts';

const { CLUSTER, CLUSTER_ROUNDS, CLUSTER_SEED, CLUSTER_KEEP, CLUSTER_MINUTES, SLOW } = process.env;
const seed = Number(CLUSTER_SEED ?? 1);
const rounds = Number(CLUSTER_ROUNDS ?? 0);
const minute = 60_000;
/** After so many minutes, a round injects no more; on a busy machine, it then lacks some faults. */
const longest = Number(CLUSTER_MINUTES ?? 10) * minute;
/** How often a planted fault is looked for: it shows only if a freeze meets its moment, most often in the first trial. */
const attempts = 8;

const isWanted = CLUSTER !== undefined && skipWithout(['postgres']) === null;

/** Keeps the history of a trial that broke a law: timing differs when it runs again. Returns the file. */
const saved = ({ history, faults }: Trial): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'cluster-')), 'trial.json');
  writeFileSync(file, JSON.stringify({ history, faults }));
  return file;
};

describe.runIf(isWanted)('Several nodes on one server', () => {
  let programs: Programs;
  beforeAll(async () => {
    programs = await buildPrograms();
  });
  afterAll(() => programs.remove());

  /** Runs a trial; says its seed, and what broke a law. */
  const tried = async (plan: Plan): Promise<Figures> => {
    const trial = await Chaos.run(programs, plan);
    const figures = await figuresOf(trial);
    console.log(
      `seed ${plan.seed}, ${plan.nodes} nodes, ${plan.planted ?? 'as built'}: ${inOneLine(figures)}`,
    );
    console.log(`what nodes refused, by code: ${JSON.stringify(trial.refused)}`);
    for (const { law, how } of figures.violations.slice(0, 5)) console.log(`${law}: ${how}`);
    if (figures.violations.length > 0 && plan.planted === null) console.log(`its history: ${saved(trial)}`);
    return figures;
  };

  it('keep every law through a minute of faults', async () => {
    const figures = await tried({ ...roundOf(seed, minute), nodes: 3, lease });
    expect(figures.violations).toEqual([]);
    expect(figures.tasks).toBeGreaterThanOrEqual(30);
    expect(figures.carriedOver).toBeGreaterThan(0);
    for (const ending of endings) expect(figures.faults[ending]).toBeGreaterThan(0);
  });

  it.skipIf(SLOW === 'share')('keep every law where a queue of pg-boss decides', async () => {
    let all: Figures | null = null;
    for (let round = 0; round < Math.max(1, Math.min(rounds, 3)); round += 1) {
      const figures = await tried({ ...roundOf(seed + round, minute), nodes: 3, lease, driver: 'pg-boss' });
      all = all === null ? figures : together(all, figures);
      if (CLUSTER_KEEP !== undefined) keep({ figures: all, driver: 'pg-boss' });
      expect(figures.violations).toEqual([]);
      expect(figures.tasks).toBeGreaterThanOrEqual(30);
      for (const ending of endings) expect(figures.faults[ending]).toBeGreaterThan(0);
    }
  });

  it('share a burst of tasks that one of them was given', async () => {
    const trial = await Chaos.run(programs, burst);
    const shares = ['1.1', '2.1', '3.1'].map((node) => sharesOf(trial)[node] ?? 0);
    console.log(`shares of a burst: ${shares.join(', ')}`);
    if (CLUSTER_KEEP !== undefined) keep({ shares });
    // a node holds what it keeps up with: the others wait for their turn, and have no holder meanwhile
    const outside = trial.history.outside.filter(({ is }) => is !== 'waited');
    expect(await violationsOf({ ...trial.history, outside })).toEqual([]);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(burst.burst);
    expect(Math.max(...shares)).toBeLessThan(40);
    expect(Math.min(...shares)).toBeGreaterThan(5);
  });

  it.skipIf(SLOW === 'share').each(plantedFaults)('are found to break a law with %s', async (planted) => {
    const { plan, laws } = hunts[planted];
    let found: readonly LawName[] = [];
    for (let attempt = 0; attempt < attempts && found.length === 0; attempt += 1) {
      const { violations } = await tried({ ...plan, seed: plan.seed + attempt, planted });
      found = laws.filter((law) => violations.some((violation) => violation.law === law));
    }
    if (CLUSTER_KEEP !== undefined) keep({ planted: { [planted]: found } });
    expect(found).not.toEqual([]);
  });

  it.runIf(rounds > 0).each(plantedFaults)('break no law in the same trial without %s', async (planted) => {
    const { violations } = await tried({ ...hunts[planted].plan, planted: null });
    expect(violations).toEqual([]);
  });

  it.runIf(rounds > 0)('keep every law through the faults of many rounds', async () => {
    let all: Figures | null = null;
    for (let round = 0; round < rounds; round += 1) {
      const figures = await tried(roundOf(seed + round, longest));
      all = all === null ? figures : together(all, figures);
      if (CLUSTER_KEEP !== undefined) keep({ figures: all, driver: 'nodes' });
    }
    expect(all?.violations).toEqual([]);
  });
});
