import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ClusterFigures } from './cluster-rows.ts';
import type { Measured } from './goals.ts';
import type { ScaleFigures } from './scale-rows.ts';

const file = fileURLToPath(new URL('measured.json', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where, when and with what something was measured. */
export interface Circumstances {
  readonly on: string;
  readonly machine: string;
  readonly node: string;
  readonly rounds: number;
  /** Gated runs of an engine in a round; `null` if there were none. */
  readonly runs: number | null;
  readonly versions: Readonly<Record<string, string>>;
}

/** The figures of the last full run of each bench, from which pages of docs/reference are printed. */
export interface Kept {
  readonly bench: { readonly circumstances: Circumstances; readonly figures: Measured } | null;
  readonly scale: { readonly circumstances: Circumstances; readonly figures: ScaleFigures } | null;
  readonly cluster: { readonly circumstances: Circumstances; readonly figures: ClusterFigures } | null;
}

const measuredPackages = [
  'xstate',
  'zod',
  'libsql',
  '@xstate/graph',
  'ai',
  '@openai/agents',
  '@mastra/core',
  '@mastra/libsql',
  '@langchain/langgraph',
];

/** The packages whose versions count for a store of many tasks. */
export const scalePackages = ['xstate', 'zod', 'libsql'];

/** The packages whose versions count for a measurement on a server. */
export const clusterPackages = [
  'pg',
  '@langchain/langgraph',
  '@langchain/langgraph-checkpoint-postgres',
  'pg-boss',
];

/** The versions of packages, of the peers where they are installed. */
const versions = (packages: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    packages.flatMap((name) => {
      const found = [`${root}test/bench/peers/node_modules`, `${root}node_modules`]
        .map((folder) => `${folder}/${name}/package.json`)
        .find((path) => existsSync(path));
      if (found === undefined) return [];
      return [[name, (JSON.parse(readFileSync(found, 'utf8')) as { readonly version: string }).version]];
    }),
  );

export const circumstances = (
  rounds: number,
  runs: number | null,
  packages = measuredPackages,
): Circumstances => ({
  on: new Date().toISOString().slice(0, 10),
  machine: `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ${arch()}`,
  node: process.version,
  rounds,
  runs,
  versions: versions(packages),
});

const nothing: Kept = { bench: null, scale: null, cluster: null };

export const readKept = (): Kept => ({
  ...nothing,
  ...(existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Kept>) : {}),
});

/** Four digits count: the rest is noise. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(4)) : value;

/** Replaces what is kept of one bench. */
export const keep = (figures: Partial<Kept>): void =>
  writeFileSync(file, `${JSON.stringify({ ...readKept(), ...figures }, rounded, 2)}\n`);
