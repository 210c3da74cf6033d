import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onOneLine, type Change } from '../verdict.ts';
import { mutantsIn, type SourceMutant } from './mutants.ts';
import { root, trial, type Worlds } from './trial.ts';

/** What noticed a mutant first. */
export interface Verdict {
  readonly mutant: SourceMutant;
  readonly by: 'property' | 'model' | 'error' | 'unit test' | null;
  readonly why: string;
}

const sourceOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Every mutant of the sources of the charts, or of those whose path holds one of these texts. */
export const chartMutants = (wanted: readonly string[] = []): readonly SourceMutant[] =>
  readdirSync(join(root, 'machines'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `machines/${name.replaceAll('\\', '/')}`)
    .filter((file) => wanted.length === 0 || wanted.some((text) => file.includes(text)))
    .toSorted()
    .flatMap((file) => mutantsIn(file, sourceOf(file)));

/** A mutant as the list of survivors names it: by its text, for lines move. */
export const changeOf = ({ file, start, end, replacement }: SourceMutant): Change => {
  const source = sourceOf(file);
  const begin = source.lastIndexOf('\n', start) + 1;
  const after = source.indexOf('\n', end);
  return {
    file,
    line: onOneLine(source.slice(begin, after === -1 ? source.length : after)),
    code: onOneLine(source.slice(start, end)),
    replacement: onOneLine(replacement),
  };
};

/** Whether a unit test of the charts fails with this mutant. */
const failsUnitTests = async (mutant: SourceMutant): Promise<boolean> => {
  const child = spawn('npx', ['vitest', 'run', '--config', 'test/mutation/charts/vitest.config.ts'], {
    cwd: root,
    env: { ...process.env, CHART_MUTANT: JSON.stringify(mutant), FC_SEED: '1' },
    stdio: 'ignore',
  });
  await once(child, 'exit');
  return child.exitCode !== 0;
};

/** Asks of a mutant whether the properties notice it, then the model, then the unit tests. */
export const verdictOn = async (mutant: SourceMutant, worlds: Worlds): Promise<Verdict> => {
  const { by, why } = await trial(mutant, worlds);
  if (by !== null) return { mutant, by, why };
  const isNoticed = await failsUnitTests(mutant);
  return { mutant, by: isNoticed ? 'unit test' : null, why: '' };
};
