import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
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

/** Measures a subject in a process of its own. Throws if the process ends without figures. */
export const measureApart = <Name extends SubjectName>(
  name: Name,
  given: Given<Name>,
  { packages = 'own', execArgv = [], limitMs }: Apart = {},
): Promise<Figures<Name>> =>
  new Promise((resolve, reject) => {
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
    child.once('message', (figures) => resolve(figures as Figures<Name>));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const what = `${name} ${JSON.stringify(given)} ended with ${signal ?? code} and no figures`;
      reject(new Error(`${what}\n${complaint}`));
    });
  });
