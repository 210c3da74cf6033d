/** A class of checks: what it shows, and how much of it runs where. */
export interface CheckClass {
  readonly shows: string;
  /** What of it `npm test` runs; `null` if nothing. */
  readonly quick: string | null;
  /** What of it CI runs: by `npm test`, or by `npm run test:ci`. */
  readonly ci: string;
  /** What of it the nightly run runs. */
  readonly night: string;
  /** The script of package.json that the nightly run starts. */
  readonly script: string;
  /** How much this script shall try. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Every class, in the order of the night: what takes minutes comes before what takes hours. */
export const classes = {
  static: {
    shows: 'format, lint, types, unused code',
    quick: null,
    ci: 'all',
    night: 'all',
    script: 'check:static',
  },
  package: {
    shows: 'an installed tarball',
    quick: null,
    ci: 'all',
    night: 'all',
    script: 'check:package',
  },
  coverage: {
    shows: 'each branch of the charts',
    quick: null,
    ci: 'all',
    night: 'all',
    script: 'test:coverage',
  },
  quick: {
    shows: 'each behaviour',
    quick: 'all',
    ci: 'all',
    night: 'all',
    script: 'test',
  },
  node: {
    shows: 'Node.js 22 and 24',
    quick: null,
    ci: 'package, SQLite, MCP',
    night: 'package, bindings, pages',
    script: 'test:node',
  },
  floor: {
    shows: 'Node.js 20.19',
    quick: null,
    ci: 'the Node.js of CI',
    night: 'quick tests',
    script: 'test:floor',
  },
  malformed: {
    shows: 'hostile input',
    quick: '100 inputs',
    ci: '100 inputs',
    night: '1,000,000',
    script: 'test:malformed',
    env: { FC_RUNS: '1000000' },
  },
  slow: {
    shows: 'browsers, spin, PostgreSQL, walks of the charts',
    quick: null,
    ci: 'some, no walk',
    night: 'all',
    script: 'test:slow',
  },
  crash: {
    shows: 'killed processes',
    quick: '44 crashes',
    ci: '44 crashes, some twice, 10 kills',
    night: '100,000 crashes, 1,000 kills',
    script: 'test:crash',
    env: { FC_RUNS: '100000', CRASH_KILLS: '1000' },
  },
  simulator: {
    shows: 'orders of events',
    quick: '5 orders a charter, every 20th fault',
    ci: '5 orders a charter, every 20th fault',
    night: '20,000 orders, every fault',
    script: 'test:simulator',
    env: { SIMULATED: '1334' },
  },
  proof: {
    shows: 'the laws of the charts',
    quick: 'a share',
    ci: 'a share',
    night: 'all options',
    script: 'test:proof',
    env: { PROOF: 'product', FC_RUNS: '1000000' },
  },
  random: {
    shows: 'each random test',
    quick: 'a share',
    ci: 'a share',
    night: '100,000 cases',
    script: 'test:random',
    env: { FC_RUNS: '100000' },
  },
  cluster: {
    shows: 'nodes on PostgreSQL, under faults',
    quick: 'its laws',
    ci: 'a minute, a burst',
    night: '25 rounds, 3 of a queue',
    script: 'test:cluster',
    env: { CLUSTER_ROUNDS: '25', CLUSTER_KEEP: '1' },
  },
  mutation: {
    shows: 'tests notice changed code',
    quick: 'its lists',
    ci: 'its lists',
    night: 'all',
    script: 'test:mutation',
  },
  'chart-mutants': {
    shows: 'the proof notices changed charts',
    quick: 'planted changes',
    ci: 'planted changes',
    night: 'all',
    script: 'test:chart-mutants',
  },
} as const satisfies Readonly<Record<string, CheckClass>>;

export type ClassName = keyof typeof classes;

/** The names of all classes. */
export const classNames = Object.keys(classes) as readonly ClassName[];
