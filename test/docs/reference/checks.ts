import { figures } from '../../bench/table.ts';
import { classes, classNames, type CheckClass, type ClassName } from '../../nightly/classes.ts';
import type { LastRuns } from '../../nightly/last.ts';
import { page } from './markdown.ts';

const outcomeOf = (run: LastRuns[ClassName]): string =>
  run === undefined
    ? 'not run yet'
    : `${run.on} ${run.commit} ${run.passed ? 'passed' : 'FAILED'}, ${run.seconds.toLocaleString('en-US')} s`;

const rowOf = (name: ClassName, last: LastRuns): readonly string[] => {
  const { shows, quick, ci, night }: CheckClass = classes[name];
  return [name, shows, quick ?? '-', ci, night, outcomeOf(last[name])];
};

/** The page of the classes of checks, what runs when, and how each ended last at night. */
export const checksPage = (last: LastRuns): string =>
  page(
    'Checks',
    'See what is checked when, and how each class ended at night. `npm run test:nightly -- crash` runs one.',
    figures([
      ['class', 'shows', 'npm test', 'CI', 'night', 'last night'],
      ...classNames.map((name) => rowOf(name, last)),
    ]),
  );
