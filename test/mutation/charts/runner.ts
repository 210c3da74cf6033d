import { appendFileSync } from 'node:fs';
import { TestRunner, type RunnerTask } from 'vitest';
import { mutantSwitch, observed, withMutant } from './switch.ts';
import type { Line } from './units.ts';

const left = new Set(
  (process.env['CHART_MUTANTS'] ?? '')
    .split(',')
    .filter((text) => text !== '')
    .map(Number),
);
const report = process.env['CHART_REPORT'];
const active = Number(process.env['CHART_MUTANT'] ?? 0);
mutantSwitch.active = active;

const write = (line: Line): void => {
  if (report !== undefined) appendFileSync(report, `${JSON.stringify(line)}\n`);
};

/** Whether a test fails with a mutant. */
const fails = async (body: () => unknown, mutant: number, steps: number): Promise<boolean> => {
  try {
    await withMutant(mutant, steps, body);
    return false;
  } catch {
    return true;
  }
};

/**
 * Runs each test with the charts as they are, and then once with each mutant that it reaches and no test has noticed. At
 * last it must pass again: a test that remembers a mutant judges none.
 */
// oxlint-disable-next-line import/no-default-export -- vitest takes the default export of a runner
export default class MutantRunner extends TestRunner {
  async runTask(test: RunnerTask): Promise<void> {
    if (test.type !== 'test') return;
    const body = TestRunner.getTestFn(test);
    if (active > 0) {
      await body();
      return;
    }
    const { reached, steps } = await observed(body);
    for (const mutant of reached) {
      if (!left.has(mutant)) continue;
      write({ mutant });
      if (!(await fails(body, mutant, steps))) continue;
      left.delete(mutant);
      write({ mutant, by: `${test.file.name}: ${test.name}` });
    }
    await body();
  }
}
