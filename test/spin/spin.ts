import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Fact } from '../../machines/index.ts';
import type { Model } from './export.ts';
import { stepText, tally, type Tally } from './tally.ts';

/** What Spin is asked: every state and assertion, whether every run ends, or the shortest way to a fault. */
export type Search = 'safety' | 'liveness' | 'shortest';

/** What Spin says of a model. */
export interface Verdict {
  readonly errors: number;
  /** Stable states: between two facts nothing is stored. */
  readonly states: number;
  /** Ways into stable states: the way to the first, every step, and the rest of each settled state in itself. */
  readonly ways: number;
  /** How many steps there are of each kind: by the fact, the states of the chart before and after it, and the reasons. */
  readonly steps: Tally;
  /** The transitions of the chart that were taken, by the model's numbers. */
  readonly taken: ReadonlySet<number>;
  /** The way to the first fault that was found; empty where there is none. */
  readonly trail: readonly Fact[];
  /** The property that does not hold at the end of the trail, in its own words. */
  readonly broken: string | null;
}

const flags: Readonly<Record<Search, readonly string[]>> = {
  safety: ['-DSAFETY', '-DNOREDUCE', '-DPRINTF'],
  liveness: ['-DNOREDUCE', '-DNOFAIR'],
  shortest: ['-DSAFETY', '-DNOREDUCE', '-DBFS'],
};

/** The number that Spin says of something. */
export const numberIn = (text: string, pattern: RegExp): number => {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`Spin says nothing of ${pattern.source}:\n${text}`);
  return Number(found);
};

const stepLine = /fact (\d+) in (\d+)(?:\s+step \d+)+\s+then (\d+) (\d+) (\d+) (\d+)/g;

/** Every step that the search took, told as it was taken. */
const stepsIn = (said: string, { facts, leaves, codes }: Model): readonly string[] =>
  [...said.matchAll(stepLine)].map(([, number, from, to, given, first, second]) => {
    const fact = facts[Number(number)];
    const [left, entered] = [leaves[Number(from) - 1], leaves[Number(to) - 1]];
    if (fact === undefined || left === undefined || entered === undefined)
      throw new Error(`no fact ${number}, or no state ${from} or ${to}`);
    return stepText(left, fact, entered, [
      given ?? '',
      codes[Number(first)] ?? '',
      codes[Number(second)] ?? '',
    ]);
  });

const execute = promisify(execFile);

/** What a command says that is run in a folder. */
export const run = async (folder: string, command: string, ...given: readonly string[]): Promise<string> =>
  (await execute(command, given, { cwd: folder, maxBuffer: 2 ** 26 })).stdout;

/** The facts of a trail, and the property that it breaks; a run that never ends breaks none by name. */
const replay = async (folder: string, { facts }: Model): Promise<Pick<Verdict, 'trail' | 'broken'>> => {
  const told = await run(folder, './pan', '-r', '-n');
  const lines = told.split('\n').map((line) => line.trim());
  return {
    trail: lines.flatMap((line) => {
      const fact = facts[Number(/^fact (\d+) in/.exec(line)?.[1] ?? -1)];
      return fact === undefined ? [] : [fact];
    }),
    broken: lines.find((line) => line.startsWith('must: '))?.slice('must: '.length) ?? null,
  };
};

const verified = async (folder: string, model: Model, search: Search): Promise<Verdict> => {
  await writeFile(join(folder, 'model.pml'), model.promela);
  await run(folder, 'spin', ...(search === 'liveness' ? ['-DLIVENESS'] : []), '-a', 'model.pml');
  await run(folder, 'gcc', '-O0', '-w', ...flags[search], '-o', 'pan', 'pan.c');
  const said = await run(folder, './pan', '-w18', '-m1000000', ...(search === 'liveness' ? ['-a'] : []));
  if (said.includes('max search depth too small')) throw new Error('Spin did not search to the end');
  const errors = numberIn(said, /errors: (\d+)/);
  return {
    errors,
    states: numberIn(said, /^\s*(\d+) states, stored/m),
    ways: numberIn(said, /^\s*(\d+) transitions/m),
    steps: tally(stepsIn(said, model)),
    taken: new Set([...said.matchAll(/step (\d+)/g)].map(([, number]) => Number(number))),
    ...(errors === 0 ? { trail: [], broken: null } : await replay(folder, model)),
  };
};

/** Works in a folder that is gone afterwards. */
export const inFolder = async <Result>(work: (folder: string) => Promise<Result>): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'spin-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** Has Spin write a verifier for a model, compiles it and runs it. */
export const checked = (model: Model, search: Search): Promise<Verdict> =>
  inFolder((folder) => verified(folder, model, search));
