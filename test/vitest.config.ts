import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The public names, answered by the sources: what runs is what is written, not what was built last. */
const alias = [
  { find: /^agentcharter$/, replacement: `${root}src/index.ts` },
  { find: /^agentcharter\/(schema|machines)$/, replacement: `${root}$1/index.ts` },
  {
    find: /^agentcharter\/(approvals|ledger|policies|streaming|telemetry|testing)$/,
    replacement: `${root}src/$1/index.ts`,
  },
  { find: /^agentcharter\/(stores|policies)\/(\w+)$/, replacement: `${root}src/$1/$2.ts` },
];

export default defineConfig({
  root,
  resolve: { alias },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    maxWorkers: '100%', // the default leaves one core idle, and on two that is half
    coverage: {
      provider: 'v8',
      include: ['schema/**/*.ts', 'machines/**/*.ts', 'src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: 'coverage',
      thresholds: { 'machines/**': { branches: 100, functions: 100, lines: 100, statements: 100 } },
    },
  },
});
