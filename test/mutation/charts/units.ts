import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './sources.ts';

/** What the run of unit tests writes to its report, one a line: a mutant that a test begins with, and one that it notices. */
export interface Line {
  readonly mutant: number;
  /** The title of the test that notices it. */
  readonly by?: string;
}

const most = 1_800_000;

/** Runs the unit tests of the charts in one process; returns whether they pass, fail, or have no end. */
const runTests = async (environment: Readonly<Record<string, string>>, patience: number) => {
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/mutation/charts/vitest.config.ts'],
    { cwd: root, env: { ...process.env, FC_SEED: '1', ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text.toString();
    });
  const timer = setTimeout(() => child.kill('SIGKILL'), patience);
  await once(child, 'close');
  clearTimeout(timer);
  return { end: child.exitCode === 0 ? 'pass' : child.exitCode === null ? 'none' : 'fail', output } as const;
};

const linesOf = (file: string): readonly Line[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line): readonly Line[] => (line === '' ? [] : [JSON.parse(line) as Line]))
    : [];

/** Judges mutants by the unit tests, all in one process: each test runs again with every mutant that it reaches. */
export const judgeByUnitTests = async (mutants: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  const folder = mkdtempSync(join(root, 'node_modules', '.mutants-'));
  const noticed = new Map<number, string>();
  try {
    for (let round = 0; ; round += 1) {
      const report = join(folder, `${round}.jsonl`);
      const left = mutants.filter((mutant) => !noticed.has(mutant));
      const { end, output } = await runTests({ CHART_MUTANTS: left.join(), CHART_REPORT: report }, most);
      const lines = linesOf(report);
      for (const { mutant, by } of lines) if (by !== undefined) noticed.set(mutant, by);
      if (end === 'pass') return noticed;
      const last = lines.at(-1);
      if (end === 'fail' || last === undefined)
        throw new Error(`The unit tests fail by themselves:\n${output.slice(0, 5000)}`);
      noticed.set(last.mutant, 'no end');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Judges one mutant of what runs while the charts load, in a process of its own. */
export const judgeLoadedByUnitTests = async (mutant: number): Promise<boolean> =>
  (await runTests({ CHART_MUTANT: String(mutant) }, 120_000)).end !== 'pass';
