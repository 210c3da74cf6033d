import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type BuildOptions, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

const options = {
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  logLevel: 'error',
} satisfies BuildOptions;

/** Programs read the files beside them. */
const keepUrls: Plugin = {
  name: 'keep-urls',
  setup: (bundler) => {
    bundler.onLoad({ filter: /\/docs\/examples\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const url = JSON.stringify(pathToFileURL(path).href);
      return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' };
    });
  },
};

/** A folder with the package in it, built from the sources of today. */
export interface Built {
  readonly folder: string;
  /** Compiles a program of this project, by its path, and returns the file that `node` runs. */
  readonly compile: (program: string) => Promise<string>;
}

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

const buildPackage = async (): Promise<Built> => {
  const folder = mkdtempSync(join(tmpdir(), 'agentcharter-built-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const manifest = await readFile(join(root, 'package.json'), 'utf8');
  const { exports } = JSON.parse(manifest) as Manifest;
  const exported = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [] : [join(root, target.default.replace(/^\.\/dist\/(.*)\.js$/, '$1.ts'))],
  );
  const entryPoints = [
    ...exported,
    ...['main', 'demo/servers'].map((name) => join(root, `src/apps/cli/${name}.ts`)),
  ];
  await Promise.all([
    writeFile(join(folder, 'package.json'), manifest),
    symlink(join(root, 'node_modules'), join(folder, 'node_modules')),
    build({ ...options, entryPoints, outbase: root, outdir: join(folder, 'dist') }),
  ]);
  const compiled = new Map<string, Promise<string>>();
  const compileAnew = async (program: string): Promise<string> => {
    const file = join(folder, relative(root, resolve(root, program)).replace(/\.ts$/, '.js'));
    await build({
      ...options,
      splitting: false,
      entryPoints: [resolve(root, program)],
      outfile: file,
      plugins: [keepUrls],
    });
    return file;
  };
  return {
    folder,
    compile: (program) => {
      const file = compiled.get(program) ?? compileAnew(program);
      compiled.set(program, file);
      return file;
    },
  };
};

let built: Promise<Built> | undefined;

/**
 * Returns the package as a user has it, built once a worker.
 *
 * A program that loads it starts in a third of a second; one that loads the sources by tsx takes four times as long.
 */
export const builtPackage = (): Promise<Built> => (built ??= buildPackage());
