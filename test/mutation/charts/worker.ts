import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build, type Plugin } from 'esbuild';
import type { WorkerInput } from './activate.ts';
import type { Finding, Order, Reply, Unit } from './judge.ts';
import { instrumentedSource, root } from './sources.ts';
import type { Observation } from './switch.ts';

const withMutants: Plugin = {
  name: 'mutants',
  setup: (bundler) => {
    bundler.onLoad({ filter: /\/machines\/.*\.ts$/ }, ({ path }) => {
      const contents = instrumentedSource(path);
      return contents === null ? undefined : { contents, loader: 'ts' };
    });
  },
};

/** Bundles the judge with all mutants in its charts, and returns the file and what removes it. */
export const bundle = async () => {
  const folder = mkdtempSync(join(root, 'node_modules', '.mutants-'));
  const file = join(folder, 'judge.mjs');
  await build({
    entryPoints: [join(root, 'test/mutation/charts/judge.ts')],
    bundle: true,
    outfile: file,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    alias: { agentcharter: './src', 'agentcharter/testing': './src/testing/index.ts' },
    absWorkingDir: root,
    treeShaking: false, // a table that the judge does not ask is a place that loads all the same
    ignoreAnnotations: true,
    plugins: [withMutants],
    logLevel: 'error',
  });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

/** A worker in which a mutant has no end: nothing else can be asked of it. */
class NoEnd extends Error {}

/** A worker that judges mutants. */
export interface JudgeWorker {
  readonly loaded: readonly number[];
  readonly counts: Readonly<Record<Unit['kind'], number>>;
  readonly observe: (unit: Unit) => Promise<Observation>;
  readonly judge: (mutant: number, unit: Unit, steps: number) => Promise<Finding>;
  readonly stop: () => Promise<void>;
}

/** Starts a worker; a mutant of what runs while the charts load must be active from its beginning. */
export const startWorker = async (file: string, active = 0): Promise<JudgeWorker> => {
  const input: WorkerInput = { active };
  const worker = new Worker(file, { workerData: input });
  const ask = async (order: Order | null, patience: number): Promise<Reply> => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    if (order !== null) worker.postMessage(order);
    const signal = AbortSignal.timeout(patience);
    try {
      const [reply] = (await once(worker, 'message', { signal })) as [Reply];
      return reply;
    } catch (error) {
      if (!signal.aborted) throw error;
      await worker.terminate();
      throw new NoEnd(`no end after ${patience} ms`);
    }
  };
  const hello = (await ask(null, 60_000)) as Extract<Reply, { counts: unknown }>;
  let longest = 1000;
  return {
    ...hello,
    observe: async (unit) => {
      const begun = performance.now();
      const observation = (await ask({ order: 'observe', unit }, 600_000)) as Observation;
      longest = Math.max(longest, performance.now() - begun);
      return observation;
    },
    judge: (mutant, unit, steps) =>
      ask({ order: 'judge', mutant, unit, steps }, Math.ceil(10 * longest) + 10_000) as Promise<Finding>,
    stop: async () => {
      await worker.terminate();
    },
  };
};

/** Whether a mutant had no end: its worker is gone. */
export const isNoEnd = (error: unknown): error is Error => error instanceof NoEnd;
