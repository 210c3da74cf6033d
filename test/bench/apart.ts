import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { ready, start } from './signals.ts';
import type { Figures, Given, SubjectName } from './subjects.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const peersFolder = `${root}test/bench/peers`;

/** Where a subject finds packages: those of this project, or the peers beside it. */
const folders = { own: `${root}dist/bench`, peers: `${peersFolder}/dist` } as const;

/**
 * Translates the subjects, so that no loader runs in the processes that are measured. What they import as `agentcharter`
 * is the built package, and other packages are as installed.
 */
export const translate = async (): Promise<void> => {
  for (const outdir of Object.values(folders))
    await build({
      entryPoints: [`${root}test/bench/child.ts`],
      outdir,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      tsconfigRaw: '{}', // without the paths that lead to the sources
      logLevel: 'warning',
    });
};

export interface Apart {
  readonly packages?: keyof typeof folders;
  readonly execArgv?: readonly string[];
  readonly limitMs?: number;
}

interface Begun<Name extends SubjectName> {
  readonly child: ChildProcess;
  /** Resolves when the subject waits for its start signal. */
  readonly isReady: Promise<void>;
  readonly figures: Promise<Figures<Name>>;
}

const begin = <Name extends SubjectName>(
  name: Name,
  given: Given<Name>,
  { packages = 'own', execArgv = [], limitMs }: Apart,
): Begun<Name> => {
  const child = fork(`${folders[packages]}/child.mjs`, [name, JSON.stringify(given)], {
    execArgv: [...execArgv],
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaint = '';
  child.stderr?.on('data', (text: Buffer) => {
    complaint = (complaint + text.toString()).slice(-2_000);
  });
  const timer = limitMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), limitMs);
  const isReady = new Promise<void>((resolve) =>
    child.on('message', (message) => {
      if (message === ready) resolve();
    }),
  );
  const figures = new Promise<Figures<Name>>((resolve, reject) => {
    child.on('message', (message) => {
      if (message !== ready) resolve(message as Figures<Name>);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const what = `${name} ${JSON.stringify(given)} ended with ${signal ?? code} and no figures`;
      reject(new Error(`${what}\n${complaint}`));
    });
  });
  return { child, isReady, figures };
};

/** Measures a subject in a process of its own. Throws if the process ends without figures. */
export const measureApart = <Name extends SubjectName>(
  name: Name,
  given: Given<Name>,
  apart: Apart = {},
): Promise<Figures<Name>> => begin(name, given, apart).figures;

/**
 * Measures a subject in several processes at once. All are told to start when the last one is ready; `started` runs then.
 * Throws, and ends them, if one of them ends without figures.
 */
export const measureTogether = async <Name extends SubjectName, Result>(
  name: Name,
  givens: readonly Given<Name>[],
  apart: Apart,
  started: () => Promise<Result>,
): Promise<readonly [figures: readonly Figures<Name>[], result: Result]> => {
  const all = givens.map((given) => begin(name, given, apart));
  const figures = Promise.all(all.map((one) => one.figures));
  try {
    await Promise.race([Promise.all(all.map(({ isReady }) => isReady)), figures]);
    for (const { child } of all) child.send(start);
    return await Promise.all([figures, started()]);
  } finally {
    for (const { child } of all) child.kill('SIGKILL');
  }
};
