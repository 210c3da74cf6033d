import {
  allowedConnections,
  capacityOf,
  loadLines,
  waitingLines,
  type Capacity,
  type ClusterFigures,
} from '../../bench/cluster-rows.ts';
import { flat } from '../../bench/scale-rows.ts';
import type { Kept } from '../../bench/kept.ts';
import { figures, shown } from '../../bench/table.ts';
import { circumstancesOf } from './circumstances.ts';
import { page } from './markdown.ts';

const about = `See what one PostgreSQL server carries for [several nodes](../embed/cluster.md), and when to use another. A **gated run** plans a call, waits for an approval, makes
the call, verifies and delivers. Models and tools take no time here.`;

const commands = `\`\`\`sh
npm ci --prefix test/bench/peers  # the other engines
npm run bench:cluster             # BENCH_ROUNDS=1 BENCH_TASKS=10000 makes it short, BENCH_TASKS=1000000 adds a larger store
\`\`\``;

const how = `- Server and nodes share one machine with fewer cores than processes: more nodes add waiting, not speed.
- Each node keeps its number of runs at work. Every commit is synced. Figures are medians of rounds in shuffled order.
- LangGraph writes each checkpoint to its PostgreSQL store before the next step. pg-boss has a job for each step. Neither gives our guarantees.
- An answered task goes on at the node that takes it first, which may have to load it.`;

const waiting = `Milliseconds with the server's, by the number of tasks that wait for an approval. Most are copies, written by \`COPY\`, whose ledgers verify. "Growth" compares
the largest store with the smallest; the goal is at most ${flat} x.`;

const gigabytes = (bytes: number): string => `${shown(bytes / 1e9)} GB`;

const aMillion = 1_000_000;

const arithmetic = (measured: ClusterFigures, capacity: Capacity): string => {
  const { commit, locked, parked, settled } = measured;
  const { begun, server, node, log, connections, nodes } = capacity;
  return figures([
    ['what', 'arithmetic', 'result'],
    [
      'new tasks a second',
      `1,000 / ${shown(commit)} ms a commit`,
      `${shown(begun)} (16 clients on one row: ${shown(locked)})`,
    ],
    ['runs a second, a core of the server', `1,000 / ${shown(server)} ms`, shown(1_000 / server)],
    ['runs a second, a core of nodes', `1,000 / ${shown(node)} ms`, shown(1_000 / node)],
    [
      'nodes without a pooler',
      `${allowedConnections} connections / ${shown(connections)} a node`,
      String(nodes),
    ],
    ['1,000,000 waiting tasks', `${shown(parked / 1_000)} KB each`, gigabytes(parked * aMillion)],
    ['1,000,000 settled tasks', `${shown(settled / 1_000)} KB each`, gigabytes(settled * aMillion)],
    ['log (WAL) of 1,000,000 runs', `${shown(log / 1_000)} KB each`, gigabytes(log * aMillion)],
  ]);
};

/** Cores of larger servers, which were not measured. */
const cores = [4, 8, 32];

const beyond = ({ begun, server, node, nodes }: Capacity): string =>
  figures([
    ['cores of the server', 'runs a second', 'limit', 'nodes', 'pooler'],
    ...cores.map((count) => {
      const byServer = (count * 1_000) / server;
      const runs = Math.min(byServer, begun);
      const needed = Math.ceil((runs * node) / 1_000);
      const limit = byServer < begun ? 'CPU' : 'first steps';
      return [String(count), shown(runs), limit, String(needed), needed > nodes ? 'needed' : ''];
    }),
  ]);

const limits = `The first step of every task locks one row until its commit, to keep tasks in order: a schema begins one task in the time of a commit. Other steps share syncs.
PostgreSQL allows 100 connections by default and reserves 3; a node has 10. CPU is that of the load with the most nodes.`;

const extrapolated = `The same for larger servers, one schema, and a busy core for each node on other machines. Not measured: disk and network must keep up.`;

const sharding = `One schema is enough until you reach one of these limits. Plan for half of each, for retries and take-overs.

- **First steps:** give each group of tenants a \`schema\` of its own.
- **Connections:** put PgBouncer in front, in transaction mode, or give \`postgresStore\` a smaller \`pool\`.
- **CPU or disk:** give each group of tenants a server.
- **Isolation:** a tenant with its own roles, backups or erasure gets its own schema or server.

Parents and children stay in one schema. Idempotency keys, \`inbox()\` and \`list()\` see one schema: choose the store by tenant before you submit.`;

const notMeasured = ['Not measured yet.'];

const measuredParts = ({
  circumstances,
  figures: measured,
}: NonNullable<Kept['cluster']>): readonly string[] => {
  const capacity = capacityOf(measured);
  return [
    circumstancesOf(circumstances),
    figures(loadLines(measured.loads)),
    '## Many tasks that wait',
    waiting,
    figures(waitingLines(measured.waiting)),
    '## Arithmetic',
    limits,
    ...(capacity === null ? notMeasured : [arithmetic(measured, capacity), extrapolated, beyond(capacity)]),
  ];
};

/** The page of what one server carries, by the figures that the last full run kept. */
export const sizingPage = ({ cluster }: Pick<Kept, 'cluster'>): string =>
  page(
    'Sizing',
    about,
    '## Gated runs',
    how,
    commands,
    ...(cluster === null ? notMeasured : measuredParts(cluster)),
    '## When to shard by tenant',
    sharding,
  );
