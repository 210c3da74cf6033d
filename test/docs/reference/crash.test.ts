import { it } from 'vitest';
import { courseNames, type CourseName } from '../../crash/process/courses.ts';
import { rowsOf } from '../../crash/process/figures.ts';
import { buildProgram } from '../../crash/process/program.ts';
import { runTrial, type Outcome } from '../../crash/process/trial.ts';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';
import { crashPage } from './crash.ts';

it('docs/reference/crash.md prints the crash points and the laws of recovery', async () => {
  const program = await buildProgram();
  try {
    const runs = courseNames.map(
      async (course) => [course, await runTrial(program, { course, ends: [], cut: 0 })] as const,
    );
    const undisturbed = Object.fromEntries(await Promise.all(runs)) as Readonly<Record<CourseName, Outcome>>;
    await expectPrinted('docs/reference/crash.md', await crashPage(rowsOf(undisturbed)));
  } finally {
    program.remove();
  }
});

testEveryPageIsPrinted();
