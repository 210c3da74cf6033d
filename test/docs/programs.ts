import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { builtPackage } from '../built.ts';
import { compilerEnv, oneChecker, tsc } from '../compiler.ts';
import { fencesIn } from './fences.ts';
import { quiet } from '../quiet.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A program as a page shows it, in one block or in several, and what the page says that each of them prints. */
export interface Program {
  readonly name: string;
  readonly blocks: readonly string[];
  /** For each time that it is run, and each block. */
  readonly prints: readonly (readonly string[])[];
  /** The file of docs/examples that it is said to be. */
  readonly file: string | null;
  /** The files that the page has a reader save beside it: blocks with `as=`. */
  readonly beside: ReadonlyMap<string, string>;
}

/**
 * The programs of a page: each block that names a file is one, and all others together are one. Blocks that are apart are
 * compiled elsewhere, and not run.
 *
 * A block of text is what the block before it prints; a second one, what that prints when it is run again.
 */
export const programsIn = (page: string, markdown: string): readonly Program[] => {
  const shown: { readonly file: string | null; readonly text: string; readonly prints: string[] }[] = [];
  for (const { language, note, text } of fencesIn(markdown)) {
    if (language === 'ts' && !note.startsWith('apart='))
      shown.push({ file: /^file=(\S+)$/.exec(note)?.[1] ?? null, text, prints: [] });
    if (language === 'text') {
      const last = shown.at(-1);
      if (last === undefined) throw new TypeError(`${page} shows what is printed before what prints it`);
      last.prints.push(text);
    }
  }
  const name = page.replaceAll(/\W/g, '-');
  const beside = new Map(
    fencesIn(markdown).flatMap(({ note, text }) => {
      const [, file] = /^as=(\S+)$/.exec(note) ?? [];
      return file === undefined ? [] : [[file, text] as const];
    }),
  );
  const own = shown.filter(({ file }) => file === null);
  const quoted = shown.flatMap(({ file, text, prints }, at) =>
    file === null
      ? []
      : [{ name: `${name}-${at}`, blocks: [text], prints: prints.map((printed) => [printed]), file, beside }],
  );
  if (own.length === 0) return quoted;
  const prints = [own.map((block) => block.prints[0] ?? '')];
  return [...quoted, { name, blocks: own.map(({ text }) => text), prints, file: null, beside }];
};

const blockEnds = '\u0000';
const runEnds = '\u0001';

/** Runs a program, and returns what it wrote to its two outputs. */
export const run = (
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = compilerEnv(),
): Promise<readonly [string, string]> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const outputs: [string, string] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (outputs[0] += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (outputs[1] += text));
    child.on('error', reject);
    child.on('close', () => resolve(outputs));
  });

export const exampleText = (file: string): Promise<string> =>
  readFile(join(root, 'docs/examples', file), 'utf8');

/** What came of programs. */
export interface Tried {
  /** By name; for each time that it was run, and each block. */
  readonly printed: ReadonlyMap<string, readonly (readonly string[])[]>;
  readonly stderr: string;
  /** What the compiler says. */
  readonly faults: string;
}

/** Compiles programs as a reader's project would against the sources, and against a build of them runs them one after the other in one process and an empty folder. */
export const tryOut = async (programs: readonly Program[]): Promise<Tried> => {
  const folder = await mkdtemp(join(tmpdir(), 'programs-'));
  try {
    const { folder: installed } = await builtPackage();
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    await mkdir(join(folder, 'pages'));
    await mkdir(join(folder, 'run/node_modules'), { recursive: true });
    await symlink(installed, join(folder, 'run/node_modules/agentcharter'));
    const runs = programs.flatMap(({ name, prints }) =>
      (prints.length === 0 ? [''] : prints).map((_, time) => [name, time] as const),
    );
    const write = (file: string, text: string) => writeFile(join(folder, file), text);
    // what `npx` finds
    const command = `#!/bin/sh\nexec ${process.execPath} ${installed}/dist/src/apps/cli/main.js "$@"\n`;
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin/agentcharter'), command, { mode: 0o755 });
    const env = { ...compilerEnv(), PATH: `${join(folder, 'bin')}:${process.env['PATH']}` };
    const compilerOptions = { rootDir: '/', noEmit: true };
    await Promise.all([
      write('package.json', '{ "type": "module" }'),
      write(
        'tsconfig.json',
        JSON.stringify({ extends: join(root, 'test/tsconfig.json'), compilerOptions, include: ['pages'] }),
      ),
      write(
        'run.js',
        runs
          .map(([name, time]) => `await import('./run/${name}.js?${time}');\nconsole.log('${runEnds}');\n`)
          .join(''),
      ),
      ...programs.map(({ name, blocks }) =>
        write(`pages/${name}.ts`, blocks.join(`console.log('${blockEnds}');\n`)),
      ),
      ...programs.flatMap(({ beside }) => [...beside].map(([file, text]) => write(file, text))),
      write('pages/model.ts', await exampleText('start/model.ts')),
    ]);
    await build({
      entryPoints: ['model', ...programs.map(({ name }) => name)].map((name) =>
        join(folder, `pages/${name}.ts`),
      ),
      outdir: join(folder, 'run'),
      format: 'esm',
      target: 'es2023',
    });
    const [[faults], [stdout, stderr]] = await Promise.all([
      run(tsc, ['-p', 'tsconfig.json', ...oneChecker], folder),
      run(process.execPath, [...quiet, 'run.js'], folder, env),
    ]);
    const printed = new Map<string, (readonly string[])[]>();
    const parts = stdout.split(`${runEnds}\n`);
    for (const [at, [name]] of runs.entries()) {
      const blocks = (parts[at] ?? '').replaceAll(/ +$/gm, '').split(`${blockEnds}\n`); // as pages are formatted
      printed.set(name, [...(printed.get(name) ?? []), blocks]);
    }
    return { printed, stderr, faults };
  } finally {
    await rm(folder, { recursive: true });
  }
};
