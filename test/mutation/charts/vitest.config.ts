import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';
import project from '../../vitest.config.ts';
import { instrumentedSource } from './sources.ts';

const withMutants: Plugin = {
  name: 'mutants',
  enforce: 'pre',
  transform: (_, id) => instrumentedSource(id),
};

/** The unit tests of the charts, without those that explore. */
export default {
  ...project,
  plugins: [withMutants],
  test: {
    ...project.test,
    setupFiles: [],
    projects: [
      {
        extends: true as const,
        test: {
          name: 'charts',
          include: ['test/machines/**/*.test.ts'],
          exclude: ['test/machines/{execution-walk,task-walk,product,version,xstate-graph}.test.ts'],
          isolate: false,
          runner: fileURLToPath(new URL('runner.ts', import.meta.url)),
          testTimeout: 1_800_000,
        },
      },
    ],
    dangerouslyIgnoreUnhandledErrors: true, // XState throws a mutant's errors once more, when its test is over
    maxWorkers: 1,
    bail: 1,
    reporters: ['dot'],
  },
};
