import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Measured } from '../goals.ts';
import { median, shuffled } from '../measure.ts';
import { progress, rounds } from '../settings.ts';
import { shown } from '../table.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const imports = { nothing: [], peers: ['xstate', 'zod'], own: ['agentcharter'] } as const;

/** CPU milliseconds of a process that imports these packages. */
const importIn = (packages: readonly string[]): number => {
  const lines = packages.map((name) => `await import('${name}');`).join('');
  const script = `${lines}const { user, system } = process.cpuUsage(); console.log((user + system) / 1_000);`;
  const args = ['--input-type=module', '--eval', script];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`importing ${packages.join(' and ')} failed: ${stderr}`);
  return Number(stdout);
};

const everyImport = (): Readonly<Record<keyof typeof imports, number>> => {
  const names = shuffled(Object.keys(imports) as (keyof typeof imports)[]);
  return Object.fromEntries(names.map((name) => [name, importIn(imports[name])])) as never;
};

/** The import of the built package, beside that of two packages that it cannot do without. */
export const measureImport = async (): Promise<Measured> => {
  const times = rounds * 5;
  progress(`${times} imports of the package`);
  const all = Array.from({ length: times + 1 }, everyImport).slice(1); // the first fills the cache of the disk
  const of = (name: keyof typeof imports): number => median(all.map((one) => one[name]));
  const [bare, peers, own] = [of('nothing'), of('peers'), of('own')];
  const shownOf = `${shown(own - bare)} ms beside ${shown(peers - bare)} ms, beyond an empty process`;
  return { coldImport: { value: (own - bare) / (peers - bare), of: shownOf } };
};

const bytesIn = (path: string): number => {
  const entry = lstatSync(path);
  if (!entry.isDirectory()) return entry.isFile() ? entry.size : 0;
  return readdirSync(path).reduce(
    (sum, name) => sum + (name === 'node_modules' ? 0 : bytesIn(join(path, name))),
    0,
  );
};

const dependenciesOf = (folder: string): readonly string[] => {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  return Object.keys(dependencies);
};

/** The packages, and all that they depend on. */
const installedWith = (names: readonly string[]): ReadonlySet<string> => {
  const all = new Set(names);
  for (const name of all) {
    const folder = join(root, 'node_modules', name);
    if (!existsSync(folder)) throw new Error(`${name} is not installed`);
    for (const dependency of dependenciesOf(folder)) all.add(dependency); // a set that grows is walked to its end
  }
  return all;
};

const bytesOf = (names: readonly string[]): number =>
  [...installedWith(names)].reduce((sum, name) => sum + bytesIn(join(root, 'node_modules', name)), 0);

const packedBytes = (): number => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout, status, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  const packed = JSON.parse(stdout) as unknown;
  const [entry] = Object.values(packed as Readonly<Record<string, { readonly unpackedSize: number }>>);
  return entry!.unpackedSize;
};

const megabytes = (bytes: number): string => `${shown(bytes / 1e6)} MB`;

/** What is on the disk after an installation, beside the packages that it cannot do without. */
export const measureInstall = async (): Promise<Measured> => {
  progress('bytes of an installation');
  const own = packedBytes();
  const all = own + bytesOf(dependenciesOf(root));
  const floor = bytesOf(['xstate', 'zod', 'jose', 'uuid']);
  const of = `${megabytes(all)} (ours ${megabytes(own)}) beside ${megabytes(floor)}`;
  return { install: { value: all / floor, of } };
};
