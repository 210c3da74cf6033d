import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, type Plugin } from 'esbuild';
import type { charters } from './charters/index.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** A defect that the library once had, or might have, planted in a copy of its code. */
export interface Fault {
  /** What it does, as a sentence without a subject: 'begins a write before its intent is stored'. */
  readonly name: string;
  /** The source file, from the top of the project. */
  readonly file: string;
  /** The text that stands there once, and what is planted in its place. */
  readonly code: string;
  readonly planted: string;
  /** The charter in whose orders it shows. */
  readonly charter: keyof typeof charters;
  /** The law that it breaks. */
  readonly law: string;
}

/** The orders of seed 1 within which each fault is found. */
export const most = 300;

const planting = ({ name, file, code, planted }: Fault): Plugin => ({
  name: 'planting',
  setup: (bundler) => {
    let isPlanted = false;
    bundler.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (path !== `${root}${file}`) return undefined;
      const [before, after, ...others] = (await readFile(path, 'utf8')).split(code);
      if (before === undefined || after === undefined || others.length > 0)
        throw new Error(`${name}: its code stands in ${file} once, and is another`);
      isPlanted = true;
      return { contents: `${before}${planted}${after}`, loader: 'ts' };
    });
    bundler.onEnd(() => {
      if (!isPlanted) throw new Error(`${name}: ${file} is not loaded`);
    });
  },
});

/** What a copy of the library runs: the orders of one charter. */
const program = ({ charter }: Fault): string => `
import { simulate } from 'agentcharter/testing';
import { charters } from './charters/index.ts';

const { charter, given } = charters[${JSON.stringify(charter)}];
await simulate(charter, given, { orders: ${most}, shrink: false }).catch(({ message }) => console.log(message));
`;

/** Runs a copy of the library with a fault planted in a process of its own; returns the failure, or nothing. */
export const failureWith = async (fault: Fault): Promise<string> => {
  const outfile = `${root}coverage/simulator/${fault.name.replaceAll(/\W+/g, '-')}.mjs`;
  await build({
    stdin: { contents: program(fault), resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    tsconfig: `${root}test/tsconfig.json`,
    plugins: [planting(fault)],
    logLevel: 'silent',
  });
  const { stdout } = await promisify(execFile)(process.execPath, [outfile]);
  return stdout;
};
