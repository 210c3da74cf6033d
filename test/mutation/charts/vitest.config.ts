import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';
import project from '../../vitest.config.ts';
import { applied, SourceMutant } from './mutants.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const mutant = SourceMutant.parse(JSON.parse(process.env['CHART_MUTANT'] ?? 'null'));

/** Puts the source of a mutant in the place of the file that it was made from. */
const mutated: Plugin = {
  name: 'mutant',
  enforce: 'pre',
  transform: (source, id) => (id === root + mutant.file ? applied(source, mutant) : null),
};

/** The unit tests of the charts, without those that explore: the first that fails is enough. */
export default {
  ...project,
  plugins: [mutated, ...(project.plugins ?? [])],
  test: {
    ...project.test,
    projects: [
      {
        extends: true as const,
        test: {
          name: 'charts',
          include: ['test/machines/**/*.test.ts'],
          exclude: ['test/machines/**/walk.test.ts', 'test/machines/{product,xstate-graph}.test.ts'],
          isolate: false,
        },
      },
    ],
    bail: 1,
    reporters: ['dot'],
  },
};
