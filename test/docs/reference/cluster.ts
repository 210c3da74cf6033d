import { faultKinds, type FaultKind } from '../../cluster/events.ts';
import { endings } from '../../cluster/figures.ts';
import { laws, type LawName } from '../../cluster/history.ts';
import type { Burst, Kept, Rounds } from '../../cluster/kept.ts';
import { plantedFaults } from '../../cluster/planted.ts';
import { figures } from '../../bench/table.ts';
import { list, page } from './markdown.ts';

const what: Readonly<Record<FaultKind, string>> = {
  kill: '`SIGKILL`, mostly between an intent and its effect',
  freeze: '`SIGSTOP` for 1.2 to 3 seconds',
  computing: 'a node computes for 0.5 to 3 seconds, which is up to 15 leases; it said so afterwards',
  cut: 'all connections of a node',
  'lost answer': 'the answer to a commit, with its connection',
  'short lease': 'a lease of 500 or 200 ms lapsed while its node ran; two of three rounds have such leases',
  'poison task':
    'a task that ended its process three times; then an operator skips it, or a queue asks for it until it ended five',
  crash: 'immediate stop of the server, then a restart',
  failover: 'to a streaming replica with synchronous commit',
  'slow replica': 'the synchronous replica received nothing for 1 to 4 seconds, while a commit waited for it',
  'full disk': 'no table can grow for 1 to 3 seconds',
  'restored dump':
    '`pg_dump`, and `pg_restore` to a new server under nodes that go on; numbers of transactions began again',
  'open transaction':
    'left open for a whole round, or until its server ended; it was the oldest while tasks changed',
};

const lawNames = Object.keys(laws) as LawName[];
const spelt = (count: number | undefined): string => count?.toLocaleString('en-US') ?? '-';

const verdictOf = ({ violations }: Rounds['figures']): string => {
  const broken = lawNames.filter((name) => violations.some(({ law }) => law === name));
  return violations.length === 0
    ? '**0 violations.**'
    : `**${violations.length} ${violations.length === 1 ? 'violation' : 'violations'}** of these laws: ${broken.map((law) => lawNames.indexOf(law) + 1).join(', ')}.`;
};

/** The name of a run, above its figures. */
const nameOf = ({ on, driver }: Rounds): string => (driver === 'nodes' ? on : driver);

const summaryOf = (run: Rounds): string => {
  const { trials, minutes, tasks, carriedOver, commits, effects, refused } = run.figures;
  const where = `${run.on}, one machine (${run.machine})${run.driver === 'nodes' ? '' : `, a queue of ${run.driver} decides when`}`;
  return `${where}: ${trials} rounds, ${minutes} minutes. ${spelt(tasks)} tasks (${spelt(carriedOver)} carried over to the newer chart), ${spelt(commits)} commits, ${spelt(effects)} effects; the resource refused ${spelt(refused)} requests with an old fence. ${verdictOf(run.figures)}${run.note === undefined ? '' : ` ${run.note}`}`;
};

const runParts = (runs: readonly Rounds[]): readonly string[] => [
  ...runs.map(summaryOf),
  list(faultKinds.map((kind) => [kind, what[kind]])),
  'How often each had its effect:',
  figures([
    ['fault', ...runs.map(nameOf)],
    ...faultKinds.map((kind) => [kind, ...runs.map(({ figures: { faults } }) => spelt(faults[kind]))]),
  ]),
  'Time until another node takes a task, with a lease of 1,000 ms:',
  figures([
    ['run', 'after', 'tasks', 'median, ms', 'longest, ms'],
    ...runs.flatMap((run) =>
      endings.map((ending) => {
        const { count, p50, max } = run.figures.takeOvers[ending];
        return [nameOf(run), ending, spelt(count), spelt(p50), spelt(max)];
      }),
    ),
  ]),
];

const burstText = ({ on, shares: [first = 0, ...others] }: Burst): string =>
  `${on}: of ${first + others.reduce((sum, one) => sum + one, 0)} tasks that were submitted at one of three nodes at once, that node performed ${first}, and the others ${others.join(' and ')}.`;

const foundBy = (found: readonly LawName[] | undefined): string =>
  found === undefined
    ? 'not run'
    : found.map((law) => `law ${lawNames.indexOf(law) + 1}`).join(', ') || 'not found';

/** The page of the faults that nodes on one server were put through, and of what was found. */
export const clusterPage = ({ rounds, burst, planted }: Kept): string =>
  page(
    'Faults of a cluster',
    `See what a [cluster](../embed/cluster.md) keeps when nodes, connections and servers fail, and how long a take-over takes. 3 to 5 processes share one server. Their
clocks are hours apart. Older nodes lack a task class and a tool; newer ones have a newer chart. A checker holds the ledgers, and the logs of nodes and of the
resource behind the tools, to the laws below.

[Checks](checks.md) says how much of this runs when.`,
    '## Faults',
    ...runParts(rounds),
    '## A burst',
    burstText(burst),
    '## Laws',
    lawNames.map((law, at) => `${at + 1}. ${law}`).join('\n'),
    '## Planted faults',
    'In every node, and what finds it:',
    list(plantedFaults.map((fault) => [fault, foundBy(planted[fault])])),
    '## Not covered',
    'Power failures (the server runs with `fsync = off`), machines apart, jumps of the server’s clock.',
  );
