import { faultKinds, type FaultKind } from '../../cluster/events.ts';
import { endings } from '../../cluster/figures.ts';
import { laws, type LawName } from '../../cluster/history.ts';
import type { Kept, Rounds } from '../../cluster/kept.ts';
import { plantedFaults } from '../../cluster/planted.ts';
import { figures } from '../../bench/table.ts';
import { list, page } from './markdown.ts';

const what: Readonly<Record<FaultKind, string>> = {
  kill: '`SIGKILL`, mostly between an intent and its effect',
  freeze: '`SIGSTOP` for 1.2 to 3 leases',
  cut: 'all connections of a node',
  'lost answer': 'the answer to a commit, with its connection',
  crash: 'immediate stop of the server, then a restart',
  failover: 'to a streaming replica with synchronous commit',
  'full disk': 'no table can grow for 1 to 3 leases',
};

const lawNames = Object.keys(laws) as LawName[];
const spelt = (count: number): string => count.toLocaleString('en-US');

const verdictOf = ({ violations }: Rounds['figures']): string => {
  const broken = lawNames.filter((name) => violations.some(({ law }) => law === name));
  return violations.length === 0
    ? '**0 violations.**'
    : `**${violations.length} violations** of these laws: ${broken.map((law) => lawNames.indexOf(law) + 1).join(', ')}.`;
};

const roundParts = ({ on, machine, lease, figures: found }: Rounds): readonly string[] => {
  const { trials, minutes, tasks, carriedOver, commits, effects, refused, faults, takeOvers } = found;
  return [
    `Run on ${on} on one machine (${machine}): ${trials} rounds, ${minutes} minutes. ${spelt(tasks)} tasks (${spelt(carriedOver)} carried over to the newer chart), ${spelt(commits)} commits, ${spelt(effects)} effects; the resource refused ${spelt(refused)} requests with an old fence. ${verdictOf(found)}`,
    list(faultKinds.map((kind) => [`${spelt(faults[kind])} ${kind}`, what[kind]])),
    `Time until another node takes a task, with a lease of ${spelt(lease)} ms:`,
    figures([
      ['after', 'tasks', 'median, ms', 'longest, ms'],
      ...endings.map((ending) => {
        const { count, p50, max } = takeOvers[ending];
        return [ending, spelt(count), spelt(p50), spelt(max)];
      }),
    ]),
  ];
};

const foundBy = (found: readonly LawName[] | undefined): string =>
  found === undefined
    ? 'not run'
    : found.map((law) => `law ${lawNames.indexOf(law) + 1}`).join(', ') || 'not found';

/** The page of the faults that nodes on one server were put through, and of what was found. */
export const clusterPage = ({ rounds, planted }: Kept): string =>
  page(
    'Faults of a cluster',
    `See what a [cluster](../embed/cluster.md) keeps when nodes, connections and servers fail, and how long a take-over takes. 3 to 5 processes share one server. Their
clocks are hours apart. Older nodes lack a task class and a tool; newer ones have a newer chart. A checker holds the ledgers, and the logs of nodes and of the
resource behind the tools, to the laws below.

[Checks](checks.md) says how much of this runs when.`,
    '## Faults',
    ...(rounds === null ? ['No rounds have been run.'] : roundParts(rounds)),
    '## Laws',
    lawNames.map((law, at) => `${at + 1}. ${law}`).join('\n'),
    '## Planted faults',
    'In every node, and what finds it:',
    list(plantedFaults.map((fault) => [fault, foundBy(planted[fault])])),
    '## Not covered',
    'Power failures (the server runs with `fsync = off`), machines apart, jumps of the server’s clock.',
  );
