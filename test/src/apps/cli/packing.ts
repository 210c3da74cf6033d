import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

export const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** A tarball of this package, or `1` to pack one; without it the tests of the package are skipped. */
export const { PACKED } = process.env;

export const ran = (command: string, args: readonly string[], cwd: string) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { ...process.env, npm_config_loglevel: 'error', npm_config_update_notifier: 'false' };
    const child = execFile(command, args, { cwd, env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });

interface Needing {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const needsOf = async (folder: string): Promise<readonly string[]> => {
  const text = await readFile(join(folder, 'package.json'), 'utf8');
  const { dependencies, optionalDependencies } = JSON.parse(text) as Needing;
  return Object.keys({ ...dependencies, ...optionalDependencies });
};

/** Returns where a package is installed for another, as Node.js finds it; `null` if it is not: for another platform. */
const foundFrom = async (folder: string, name: string): Promise<string | null> => {
  const place = join(folder, 'node_modules', name);
  const isThere = await readFile(join(place, 'package.json')).then(
    () => true,
    () => false,
  );
  if (isThere) return place;
  return dirname(folder) === folder ? null : foundFrom(dirname(folder), name);
};

/** Returns where all packages are that those of these folders need, but for the library. */
const neededBy = async (folders: readonly string[]): Promise<readonly string[]> => {
  const found = new Set<string>();
  for (const folder of new Set(folders)) {
    const names = (await needsOf(folder)).filter((name) => name !== 'agentcharter');
    for (const place of await Promise.all(names.map((name) => foundFrom(folder, name))))
      if (place !== null) found.add(place);
  }
  const more = [...found].filter((place) => !folders.includes(place));
  return more.length === 0 ? [...found] : neededBy([...folders, ...more]);
};

const pack = async (folders: readonly string[], to: string, flags: readonly string[] = []): Promise<void> => {
  const args = ['pack', '--pack-destination', to, ...flags, ...folders];
  expect(await ran('npm', args, folders.length === 0 ? root : to)).toMatchObject({ code: 0 });
};

/** Packs this package. What it does to the files of the clone must not happen twice at a time. */
const packLibrary = async (): Promise<string> => {
  if (PACKED !== undefined && PACKED !== '1') return resolve(root, PACKED);
  const folder = await mkdtemp(join(tmpdir(), 'agentcharter-tarball-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  await pack([], folder);
  const [name = ''] = await readdir(folder);
  return join(folder, name);
};

let library: Promise<string> | undefined;

/** A folder in which packed packages are installed. */
export interface Installed {
  /** Where all of it is, for the removal. */
  readonly above: string;
  readonly empty: string;
  /** The tarball of the library. */
  readonly tarball: string;
}

/**
 * Installs this package, and others of these folders, in an empty folder. It needs no network: what they depend on is
 * packed from where it is installed.
 */
export const installed = async (others: readonly string[] = []): Promise<Installed> => {
  const above = await mkdtemp(join(tmpdir(), 'agentcharter-packed-'));
  const packed = join(above, 'packed');
  const empty = join(above, 'empty');
  await mkdir(packed);
  await mkdir(empty);
  const made = await (library ??= packLibrary());
  const tarball = join(packed, basename(made));
  await copyFile(made, tarball);
  const folders = [...others, ...(await neededBy([root, ...others]))];
  await pack(folders, packed, ['--ignore-scripts']);
  const files = (await readdir(packed)).map((name) => join(packed, name));
  expect(files).toHaveLength(folders.length + 1);
  const install = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...files];
  expect(await ran('npm', install, empty)).toMatchObject({ code: 0 });
  return { above, empty, tarball };
};
