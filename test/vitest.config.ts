import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { ShortReporter } from './reporter.ts';
import { patience, testTimeout } from './waits.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const { exports } = z
  .object({ exports: z.record(z.string(), z.union([z.string(), z.object({ default: z.string() })])) })
  .parse(JSON.parse(readFileSync(`${root}package.json`, 'utf8')));

/** The public names, answered by the sources: what runs is what is written, not what was built last. */
const alias = Object.entries(exports).flatMap(([name, target]) =>
  typeof target === 'string'
    ? []
    : [
        {
          find: new RegExp(`^agentcharter${name.slice(1)}$`),
          replacement: target.default.replace(/^\.\/dist\//, root).replace(/\.js$/, '.ts'),
        },
      ],
);

/** What a store of a test writes is noted, and read by the model of test/differential afterwards. */
export const watchedStores: Plugin = {
  name: 'watched-stores',
  enforce: 'pre',
  resolveId: (source, importer) => {
    const [, store] = /\/src\/stores\/(memory|sqlite)\/\w+\.ts$/.exec(importer ?? '') ?? [];
    return source === './write.ts' && store !== undefined
      ? `${root}test/differential/watched/${store}.ts`
      : null;
  },
};

const long = [
  'cluster/cluster',
  'attacks/attacks',
  'shell/nodes/',
  'testing/proof/prove',
  'reference/proof',
  'reference/adapters',
  'reference/corpus',
  'spin/',
  '-walk',
  'paths/paths',
  'malformed-journeys',
  'machines/product',
  'crash/singles',
  'crash/doubles',
  'shortlisting/main',
  'docs/snippets',
  'mediate/hostile',
  'derive/properties',
];

const isLong = ({ moduleId }: TestSpecification): boolean => long.some((part) => moduleId.includes(part));

/** What takes long begins first, so that no core is left waiting for it in the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is the sequencer's own
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** They put something else in the place of a module, which nobody else must see. */
export const mocking = [
  'test/src/gates/approvals/keys.test.ts',
  'test/src/core/kernel/take.test.ts',
  'test/src/core/shell/gates.test.ts',
  'test/src/optional/render/peers.test.ts',
  'test/src/optional/semantics/linked/peer.test.ts',
  'test/src/optional/semantics/mediate/peer.test.ts',
  'test/src/optional/server/peers.test.ts',
  'test/src/stores/postgres/driver.test.ts',
  'test/src/stores/sqlite/driver.test.ts',
  'test/src/stores/sqlite/watch.test.ts',
];

/** They try few random cases in `npm test`, and many with the slow ones (test/share.ts). */
const shared = [
  'test/schema/**/*.test.ts',
  'test/attacks/malformed.test.ts',
  'test/crash/{disk,singles}.test.ts',
  'test/docs/examples/rules.test.ts',
  'test/src/adapters/openai-compatible/shape.test.ts',
  'test/src/core/ledger/{sealed-line,verify}.test.ts',
  'test/src/optional/lineage/json-lines.test.ts',
  'test/src/core/shell/{cancel,fuzz}.test.ts',
  'test/src/apps/gateway/seat.test.ts',
  'test/src/core/shell/paths/races/interleavings.test.ts',
  'test/src/testing/simulator/*.test.ts',
  'test/src/optional/semantics/linked/from-json-ld.test.ts',
  'test/src/optional/semantics/mediate/{literal,mediate}.test.ts',
];

/** They want a browser, a second model checker, or time: `npm run test:slow` has them. */
const slow = [
  'test/plain-build.test.ts',
  'test/bench/{cluster,contracts/contracts,engines,subjects}.test.ts',
  'test/console/**/*.test.ts',
  'test/src/base/boundary/bounded-memory.test.ts',
  'test/src/apps/inspect/browser.test.ts',
  'test/spin/**/*.test.ts',
  'test/src/adapters/killed/**/*.test.ts',
  'test/src/adapters/http/fuzz.test.ts',
  'test/src/adapters/mcp/{everything,filesystem}.test.ts',
  'test/src/apps/gateway/{clients,content,passed-on,sessions,shadow,tasks,vendors}.test.ts',
  'test/src/apps/cli/demo/gateway.test.ts',
  'test/docs/examples/adapters/**/*.test.ts',
  'test/docs/examples/cluster.test.ts',
  'test/docs/examples/conformance/{main,report}.test.ts',
  'test/docs/examples/shortlisting/{language-model,main}.test.ts',
  'test/docs/charts/{charts,simulation}.test.ts',
  'test/docs/{printed,queues}.test.ts',
  'test/docs/reference/{adapters,corpus,crash,mediation,proof}.test.ts',
  'test/machines/provided-guards.test.ts',
  'test/machines/xstate-graph.test.ts',
  'test/machines/{execution,task}-walk.test.ts',
  'test/src/optional/lineage/{long,mermaid,properties}.test.ts',
  'test/src/apps/cli/{binary,store-copy-killed}.test.ts',
  'test/src/core/shell/handed-out/{each,every}.test.ts',
  'test/src/core/shell/nodes/{children,deadly,frozen,guards,in-flight,late-renewal,nodes,processes,quarantined,undone-children}.test.ts',
  'test/src/core/shell/paths/paths.test.ts',
  'test/src/optional/render/{charts,mermaid}.test.ts',
  'test/src/optional/semantics/derive/properties.test.ts',
  'test/src/optional/semantics/linked/{agreement,from-json-ld-endless,graphs,refused}.test.ts',
  'test/src/optional/semantics/mediate/hostile.test.ts',
  'test/crash/{doubles,faults}.test.ts',
  'test/crash/process/**/*.test.ts',
  'test/attacks/malformed-journeys.test.ts',
  'test/differential/{chart,mutants}.test.ts',
  'test/src/stores/postgres/same.test.ts',
  'test/src/stores/sqlite/crash.test.ts',
  'test/src/testing/conformance/hosts.test.ts',
  'test/src/testing/proof/promises.test.ts',
];

/** What CI runs besides `npm test`: of each class that `npm test` has not or hardly, what shows most in a minute. */
export const ciShare = [
  'test/cluster/cluster.test.ts',
  'test/console/foreign-text.test.ts',
  'test/crash/doubles.test.ts',
  'test/crash/faults.test.ts',
  'test/crash/process/process.test.ts',
  'test/docs/printed.test.ts',
  'test/docs/reference/corpus.test.ts',
  'test/docs/reference/crash.test.ts',
  'test/docs/reference/mediation.test.ts',
  'test/spin/resumers/resumers.test.ts',
  'test/src/adapters/mcp/filesystem.test.ts',
  'test/src/core/shell/handed-out/every.test.ts',
  'test/src/core/shell/nodes/nodes.test.ts',
];

const { ALL, SLOW } = process.env;
const included = (): readonly string[] => {
  if (SLOW === undefined) return ['test/**/*.test.ts'];
  return SLOW === 'share' ? ciShare : [...slow, ...shared];
};
const later = ALL === undefined && SLOW === undefined ? slow : [];

const project = (name: string, test: { include: string[]; exclude?: string[]; isolate: boolean }) => ({
  extends: true as const,
  test: { name, ...test },
});

export default defineConfig({
  root,
  resolve: { alias },
  plugins: [watchedStores],
  test: {
    reporters: [new ShortReporter()],
    setupFiles: ['test/differential/watched/setup.ts'],
    // modules are loaded once a worker, and not once a file: half of the time went there
    projects: [
      project('tests', {
        include: [...included()],
        exclude: ['**/node_modules/**', ...mocking, ...later],
        isolate: false,
      }),
      project('mocking', { include: SLOW === undefined ? mocking : [], isolate: true }),
    ],
    // a printed page that is missing fails, in CI and elsewhere: only `-u` writes one
    update: 'none',
    restoreMocks: true, // what a test spies on is not hidden from the next, in the same worker
    testTimeout,
    hookTimeout: testTimeout,
    expect: { poll: { timeout: patience } },
    // with `--sequence.shuffle.files` the files come in any order
    sequence: process.argv.includes('--sequence.shuffle.files') ? {} : { sequencer: LongFirst },
    execArgv: [
      '--disable-warning=AGENTCHARTER_ERROR', // many tests make callbacks fail, and few listen
      '--disable-warning=AGENTCHARTER_NO_APPROVER', // and declare tools without who approves their calls
      '--disable-warning=AGENTCHARTER_UNLABELLED', // or labels
      '--disable-warning=AGENTCHARTER_UNCONCLUDED', // or conclusions
      // most code runs a few times: to optimize it takes longer than to run it; V8 12 has no such option
      ...(process.versions.v8.startsWith('11.') ? ['--interrupt-budget=800000'] : []),
      '--min-semi-space-size=32', // young objects are collected less often
      '--max-semi-space-size=64',
    ],
    maxWorkers: '100%', // the default leaves one core idle, and on two that is half
    coverage: {
      provider: 'v8',
      include: ['machines/**/*.ts'],
      exclude: ['test/**'],
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: 'coverage',
      thresholds: { 'machines/**': { branches: 100, functions: 100, lines: 100, statements: 100 } },
    },
  },
});
