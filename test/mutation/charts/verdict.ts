import type { Finding, Unit } from './judge.ts';
import type { Observation } from './switch.ts';
import { judgeByUnitTests, judgeLoadedByUnitTests } from './units.ts';
import { bundle, isNoEnd, startWorker, type JudgeWorker } from './worker.ts';

/** What noticed a mutant first. */
export interface Verdict {
  readonly mutant: number;
  readonly by: 'property' | 'model' | 'error' | 'unit test' | null;
  readonly why: string;
}

/** Sharp worlds alone, or the larger ones too. */
export type Worlds = 'sharp' | 'all';

/** Tells a verdict as soon as there is one. */
export type OnVerdict = (verdict: Verdict) => void;

/** The stages, cheapest first: a mutant that one notices comes to no later one. */
const stages = [
  'unit tests',
  { kind: 'sequence', from: 0, to: 60 },
  'unit tests of what loads',
  { kind: 'sequence', from: 60, to: 600 },
  { kind: 'sharp world', from: 0, to: Infinity },
  { kind: 'sequence', from: 600, to: Infinity },
  { kind: 'world', from: 0, to: Infinity },
] as const;
type Stage = Exclude<(typeof stages)[number], string>;

/** A unit, and what it reaches of the charts as they are. */
type Observed = Unit & { readonly steps: number; readonly reached: ReadonlySet<number> };

const observe = async (worker: JudgeWorker, { kind, from, to }: Stage): Promise<readonly Observed[]> => {
  const units: Observed[] = [];
  for (let at = from; at < Math.min(to, worker.counts[kind]); at += 1) {
    const { steps, reached }: Observation = await worker.observe({ kind, at });
    units.push({ kind, at, steps, reached: new Set(reached) });
  }
  return units.toSorted((one, other) => one.steps - other.steps);
};

/** Asks the units one after another until one notices the mutant. */
const judgeBy = async (worker: JudgeWorker, mutant: number, units: readonly Observed[]): Promise<Finding> => {
  for (const { kind, at, steps } of units) {
    const finding = await worker.judge(mutant, { kind, at }, steps);
    if (finding !== null) return finding;
  }
  return null;
};

/** Judges mutants stage by stage, by the bundle in this file. */
const judgeIn = async (
  file: string,
  mutants: readonly number[],
  worlds: Worlds,
  onVerdict: OnVerdict,
): Promise<readonly Verdict[]> => {
  let worker = await startWorker(file);
  const loaded = new Set(worker.loaded);
  const verdicts: Verdict[] = [];
  let left = mutants;

  const judgeLoaded = async (mutant: number, units: readonly Observed[]): Promise<Finding> => {
    try {
      const own = await startWorker(file, mutant);
      const finding = await judgeBy(own, mutant, units);
      await own.stop();
      return finding;
    } catch (error) {
      return { by: 'error', why: String(error).slice(0, 200) };
    }
  };

  const judgeShared = async (mutant: number, units: readonly Observed[]): Promise<Finding> => {
    const reaching = units.filter(({ reached }) => reached.has(mutant));
    try {
      return await judgeBy(worker, mutant, reaching);
    } catch (error) {
      if (!isNoEnd(error)) throw error;
      worker = await startWorker(file);
      return { by: 'error', why: error.message };
    }
  };

  const settle = (verdict: Verdict): void => {
    verdicts.push(verdict);
    onVerdict(verdict);
  };

  const byUnits = async (stage: Stage): Promise<void> => {
    const units = await observe(worker, stage);
    for (const mutant of left) {
      const finding = await (loaded.has(mutant) ? judgeLoaded : judgeShared)(mutant, units);
      if (finding !== null) settle({ mutant, ...finding });
    }
    if ((await judgeBy(worker, 0, units)) !== null) throw new Error('The worker remembers a mutant.');
  };

  const byUnitTests = async (): Promise<void> => {
    for (const [mutant, why] of await judgeByUnitTests(left)) settle({ mutant, by: 'unit test', why });
  };

  const byUnitTestsOfLoaded = async (): Promise<void> => {
    for (const mutant of left)
      if (loaded.has(mutant) && (await judgeLoadedByUnitTests(mutant)))
        settle({ mutant, by: 'unit test', why: '' });
  };

  const judgeStage = (stage: (typeof stages)[number]): Promise<void> => {
    if (stage === 'unit tests') return byUnitTests();
    return stage === 'unit tests of what loads' ? byUnitTestsOfLoaded() : byUnits(stage);
  };

  for (const stage of stages) {
    if (left.length === 0) break;
    if (typeof stage !== 'string' && stage.kind === 'world' && worlds === 'sharp') continue;
    const begun = performance.now();
    await judgeStage(stage);
    const settled = new Set(verdicts.map(({ mutant }) => mutant));
    const before = left.length;
    left = left.filter((mutant) => !settled.has(mutant));
    const name = typeof stage === 'string' ? stage : `${stage.kind} from ${stage.from}`;
    console.log(
      `${name}: ${before - left.length} of ${before} noticed in ${Math.round((performance.now() - begun) / 1000)} s`,
    );
  }
  for (const mutant of left) settle({ mutant, by: null, why: '' });
  await worker.stop();
  return verdicts;
};

/** Judges mutants, cheapest judge first, in one bundle that holds them all. */
export const judgeAll = async (
  mutants: readonly number[],
  worlds: Worlds,
  onVerdict: OnVerdict,
): Promise<readonly Verdict[]> => {
  const { file, remove } = await bundle();
  try {
    return await judgeIn(file, mutants, worlds, onVerdict);
  } finally {
    remove();
  }
};
