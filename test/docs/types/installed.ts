import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compilerEnv, oneChecker, tsc as compiler } from '../../compiler.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const options = {
  target: 'es2023',
  lib: ['es2023', 'esnext.disposable'],
  module: 'nodenext',
  strict: true,
  types: [],
  skipLibCheck: true,
};

const config = (compilerOptions: object, files: readonly string[], base?: string): string =>
  JSON.stringify({ ...(base !== undefined && { extends: base }), compilerOptions, files });

/** Returns what the compiler prints. */
const tsc = (folder: string, ...given: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    const args = ['-p', folder, ...oneChecker, ...given];
    execFile(compiler, args, { cwd: folder, env: compilerEnv() }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });

/** A folder with the package and its dependencies in it, as a user has them. */
export interface Installed {
  readonly folder: string;
  /** Compiles programs, by the names of their files, and returns what the compiler prints. */
  readonly compile: (
    programs: Readonly<Record<string, string>>,
    ...given: readonly string[]
  ) => Promise<string>;
  readonly read: (file: string) => Promise<string>;
  readonly remove: () => Promise<void>;
}

/** Emits the declarations into a package, as the build does, and installs it for programs. */
export const install = async (): Promise<Installed> => {
  const folder = await mkdtemp(join(tmpdir(), 'agentcharter-types-'));
  const modules = join(folder, 'node_modules');
  const installed = join(modules, 'agentcharter');
  await mkdir(installed, { recursive: true });
  await copyFile(join(root, 'package.json'), join(installed, 'package.json'));
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  for (const name of Object.keys(dependencies))
    await symlink(join(root, 'node_modules', name), join(modules, name));
  const build = join(folder, 'build');
  await mkdir(build);
  const emit = {
    rootDir: root,
    outDir: join(installed, 'dist'),
    emitDeclarationOnly: true,
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const files = ['src/index.ts', 'src/types.ts', 'src/guard/index.ts'].map((file) => join(root, file));
  await writeFile(join(build, 'tsconfig.json'), config(emit, files, join(root, 'tsconfig.json')));
  const faults = await tsc(build);
  if (faults !== '') throw new Error(faults);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  return {
    folder,
    compile: async (programs, ...given) => {
      for (const [file, text] of Object.entries(programs)) await writeFile(join(folder, file), text);
      const declare = { ...options, declaration: true, outDir: 'out' };
      await writeFile(join(folder, 'tsconfig.json'), config(declare, Object.keys(programs)));
      return tsc(folder, ...given);
    },
    read: (file) => readFile(join(folder, file), 'utf8'),
    remove: () => rm(folder, { recursive: true }),
  };
};
