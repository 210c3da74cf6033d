import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build, type Plugin } from 'esbuild';
import type { Judgement } from './judge.ts';
import { applied, type SourceMutant } from './mutants.ts';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Puts the source of a mutant in the place of the file that it was made from. */
const mutating = (mutant: SourceMutant | null): Plugin => ({
  name: 'mutant',
  setup: (bundler) => {
    bundler.onLoad({ filter: /\/machines\/.*\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const isIt = mutant !== null && relative(root, path) === mutant.file;
      return { contents: isIt ? applied(source, mutant) : source, loader: 'ts' };
    });
  },
});

const bundle = async (mutant: SourceMutant | null, outfile: string): Promise<void> => {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/mutation/charts/judge.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    alias: { agentcharter: './src', 'agentcharter/testing': './src/testing/index.ts' },
    absWorkingDir: root,
    plugins: [mutating(mutant)],
    logLevel: 'silent',
  });
  writeFileSync(outfile, outputFiles[0]?.contents ?? '');
};

/** Sharp worlds alone, or the larger ones too. */
export type Worlds = 'sharp' | 'all';

/** What becomes of a worker: what it says, or why it says nothing. */
const heard = (file: string, worlds: Worlds, patience: number): Promise<Judgement> =>
  new Promise((resolve) => {
    const worker = new Worker(file, { workerData: worlds });
    const end = (judgement: Judgement): void => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(judgement);
    };
    const timer = setTimeout(() => end({ by: 'error', why: `no end after ${patience} ms` }), patience);
    worker.once('message', (judgement: Judgement) => end(judgement));
    worker.once('error', (error) => end({ by: 'error', why: error.message }));
  });

/** Judges a mutant by the properties of the charts and by the model; `null` judges the charts as they are. */
export const trial = async (
  mutant: SourceMutant | null,
  worlds: Worlds,
  patience = 600_000,
): Promise<Judgement> => {
  const folder = mkdtempSync(join(root, 'node_modules', '.mutant-'));
  try {
    const file = join(folder, 'judge.mjs');
    await bundle(mutant, file);
    return await heard(file, worlds, patience);
  } catch (error) {
    return { by: 'error', why: String(error).slice(0, 200) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
