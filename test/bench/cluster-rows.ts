import { flat } from './scale-rows.ts';
import type { ServedEngine } from './engines/served.ts';
import type { RowCommits } from './measurements/row.ts';
import type { Waiting } from './subjects/waiting.ts';
import { shown } from './table.ts';

/** Processes of an engine on one server, and the gated runs that each has under way. */
export interface Load {
  readonly engine: ServedEngine;
  readonly nodes: number;
  readonly atOnce: number;
}

/** What a load came to. CPU in milliseconds a run. */
export interface LoadFigures {
  readonly runsPerSecond: number;
  /** Milliseconds of a run: the median, and the 99th percentile. */
  readonly p50: number;
  readonly p99: number;
  readonly nodeCpu: number;
  readonly serverCpu: number;
  /** Transactions, syncs of the log, and bytes of the log; a run. */
  readonly transactions: number;
  readonly syncs: number;
  readonly logged: number;
  /** Connections to the server, of all processes. */
  readonly connections: number;
}

/** What `npm run bench:cluster` measures. */
export interface ClusterFigures extends RowCommits {
  readonly loads: readonly (Load & LoadFigures)[];
  /** By the number of tasks. */
  readonly waiting: Readonly<Record<string, Waiting>>;
  /** Bytes of the largest store, tables and indexes, for each of its tasks that wait. */
  readonly parked: number;
  /** Bytes of a task that is settled, tables and indexes. */
  readonly settled: number;
}

/** How engines are called, in the order of the table. */
export const engineNames: Readonly<Record<ServedEngine, string>> = {
  agentcharter: 'AgentCharter',
  langgraph: 'LangGraph',
  'pg-boss': 'pg-boss',
};

const whats: Readonly<Record<keyof Waiting, string>> = {
  submit: 'submit a task, up to its question',
  question: 'the question of one task',
  answer: 'answer a question, up to the end of its task',
  inbox: 'a page of inbox()',
  list: 'a page of list()',
  take: 'the look of a node for tasks to take',
};

/** What is measured in a growing store, in the order of the table. */
export const waitingOperations = Object.keys(whats) as readonly (keyof Waiting)[];

/** Returns the value below which this share of the values is. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;

/** The table of loads, those of one engine together. */
export const loadLines = (loads: ClusterFigures['loads']): readonly (readonly string[])[] => [
  ['engine', 'nodes', 'runs at once', 'runs a second', 'p50 ms', 'p99 ms', 'CPU ms a run: nodes', 'server'],
  ...(Object.keys(engineNames) as ServedEngine[]).flatMap((engine) =>
    loads
      .filter((load) => load.engine === engine)
      .toSorted((one, other) => one.nodes * one.atOnce - other.nodes * other.atOnce)
      .map((load) => [
        engineNames[engine],
        String(load.nodes),
        String(load.nodes * load.atOnce),
        ...[load.runsPerSecond, load.p50, load.p99, load.nodeCpu, load.serverCpu].map(shown),
      ]),
  ),
];

/** The table of operations: a column for each size, and how the largest compares with the smallest. */
export const waitingLines = (figures: ClusterFigures['waiting']): readonly (readonly string[])[] => {
  const sizes = Object.keys(figures).toSorted((one, other) => Number(one) - Number(other));
  const [smallest = '', largest = ''] = [sizes[0], sizes.at(-1)];
  const heads = sizes.map((size) => Number(size).toLocaleString('en-US'));
  return [
    ['ms', ...heads, 'growth', 'verdict'],
    ...waitingOperations.map((operation) => {
      const of = (size: string): number => figures[size]?.[operation] ?? Number.NaN;
      const growth = of(largest) / of(smallest);
      const cells = sizes.map((size) => shown(of(size)));
      const verdict = growth <= flat ? 'met' : 'missed';
      return [whats[operation], ...cells, `${shown(growth)} x`, verdict];
    }),
  ];
};

/** The connections that PostgreSQL allows by default, without those that it reserves for superusers. */
export const allowedConnections = 97;

/** What one server carries, from what was measured. */
export interface Capacity {
  /** New tasks a second in one schema: the first step of each locks the same row until its commit. */
  readonly begun: number;
  /** CPU milliseconds of a run, of the server and of the nodes. */
  readonly server: number;
  readonly node: number;
  /** Bytes of the log, a run. */
  readonly log: number;
  /** Connections of a node, and the nodes that are allowed with them. */
  readonly connections: number;
  readonly nodes: number;
}

/** Returns what one server carries, by the load of ours with the most nodes; `null` if there was none. */
export const capacityOf = ({ loads, commit }: ClusterFigures): Capacity | null => {
  const [largest] = loads
    .filter(({ engine }) => engine === 'agentcharter')
    .toSorted((one, other) => other.nodes * other.atOnce - one.nodes * one.atOnce);
  if (largest === undefined) return null;
  const { serverCpu: server, nodeCpu: node, logged: log } = largest;
  const connections = largest.connections / largest.nodes;
  return {
    begun: 1_000 / commit,
    server,
    node,
    log,
    connections,
    nodes: Math.floor(allowedConnections / connections),
  };
};
