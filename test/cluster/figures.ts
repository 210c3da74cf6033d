import type { Trial } from './trial.ts';
import { attemptLimits } from '../../src/base/ports/attempts.ts';
import { faultKinds, lease, serverFaults, type Fault, type FaultKind, type NodeEvent } from './events.ts';
import { violationsOf, type Violation } from './history.ts';

/** Faults of a node after which others take its tasks. */
export const endings = ['kill', 'freeze'] as const;
export type Ending = (typeof endings)[number];

/** What trials come to, together. */
export interface Figures {
  readonly trials: number;
  readonly minutes: number;
  readonly tasks: number;
  /** Tasks that began under the older version, and ended under the newer one. */
  readonly carriedOver: number;
  readonly commits: number;
  readonly effects: number;
  /** Requests that the resource refused, for a newer fence that it had seen. */
  readonly refused: number;
  readonly faults: Readonly<Record<FaultKind, number>>;
  /** Milliseconds from a fault until another node took a task, in any order. */
  readonly takeOvers: Readonly<Record<Ending, readonly number[]>>;
  readonly violations: readonly Violation[];
}

/** The node that had each hold, by task and fence. */
const holdersIn = (events: readonly NodeEvent[]): ReadonlyMap<string, string> => {
  const holders = new Map<string, string>();
  for (const event of events)
    if (event.is === 'took')
      for (const { task, fence } of event.holds) holders.set(`${task} ${fence}`, event.node);
    else if (event.is === 'committed' && event.fence !== null)
      holders.set(`${event.task} ${event.fence}`, event.node);
  return holders;
};

const isOfServer = ({ kind }: Fault): boolean => serverFaults.some((one) => one === kind);

/** Times of take-overs after a fault of a node, unless the server was down meanwhile, or the task was left alone. */
const takeOverTimes = ({ history, faults }: Trial, ending: Ending): readonly number[] => {
  if (history.lease !== lease) return [];
  const { nodes } = history;
  const holders = holdersIn(nodes);
  const ofServer = faults.filter(isOfServer);
  return nodes.flatMap((event) =>
    event.is !== 'took'
      ? []
      : event.holds.flatMap(({ task, fence, lapsed, attempts }) => {
          if (lapsed?.fence !== fence - 1 || attempts >= attemptLimits.backOff) return []; // it lapsed before others held the task
          const holder = holders.get(`${task} ${lapsed.fence}`);
          const fault = faults.findLast(({ node, at }) => node === holder && at < event.at);
          const isDown = ofServer.some(({ at, until }) => at < event.at && until > (fault?.at ?? 0));
          return fault?.kind === ending && !isDown ? [event.at - fault.at] : [];
        }),
  );
};

/** Returns how many leases of less than a second lapsed although their node neither ended nor was stopped. */
const shortLeases = ({ history, faults }: Trial): number => {
  if (history.lease >= lease) return 0;
  const holders = holdersIn(history.nodes);
  const lastCall = new Map(
    history.nodes.flatMap((event) => ('sent' in event ? [[event.node, event.sent]] : [])),
  );
  return history.nodes
    .flatMap((event) => (event.is === 'took' ? event.holds.map((hold) => ({ ...hold, at: event.at })) : []))
    .filter(({ task, fence, lapsed, at }) => {
      const holder = holders.get(`${task} ${fence - 1}`) ?? '';
      const isStopped = faults.some(
        ({ kind, node, until }) => kind === 'freeze' && node === holder && until > at - 2 * lease,
      );
      return lapsed?.fence === fence - 1 && (lastCall.get(holder) ?? 0) > at && !isStopped;
    }).length;
};

/** Returns the figures of a trial. */
export const figuresOf = async (trial: Trial): Promise<Figures> => {
  const { history, faults } = trial;
  const counted = faultKinds.map((kind) => [
    kind,
    kind === 'short lease' ? shortLeases(trial) : faults.filter((fault) => fault.kind === kind).length,
  ]);
  const answered = (answer: string): number =>
    history.effects.filter((effect) => effect.answer === answer).length;
  return {
    trials: 1,
    minutes: (history.ended - history.began) / 60_000,
    tasks: history.tasks.length,
    carriedOver: history.tasks.filter(({ records }) => records.some(({ kind }) => kind === 'upgrade')).length,
    commits: history.nodes.filter(({ is }) => is === 'committed').length,
    effects: answered('done'),
    refused: answered('refused'),
    faults: Object.fromEntries(counted) as Readonly<Record<FaultKind, number>>,
    takeOvers: { kill: takeOverTimes(trial, 'kill'), freeze: takeOverTimes(trial, 'freeze') },
    violations: await violationsOf(history),
  };
};

/** Returns the figures of two sets of trials together. */
export const together = (one: Figures, other: Figures): Figures => ({
  trials: one.trials + other.trials,
  minutes: one.minutes + other.minutes,
  tasks: one.tasks + other.tasks,
  carriedOver: one.carriedOver + other.carriedOver,
  commits: one.commits + other.commits,
  effects: one.effects + other.effects,
  refused: one.refused + other.refused,
  faults: Object.fromEntries(
    faultKinds.map((kind) => [kind, one.faults[kind] + other.faults[kind]]),
  ) as Readonly<Record<FaultKind, number>>,
  takeOvers: {
    kill: [...one.takeOvers.kill, ...other.takeOvers.kill],
    freeze: [...one.takeOvers.freeze, ...other.takeOvers.freeze],
  },
  violations: [...one.violations, ...other.violations],
});

/** Returns how many tasks of a burst each node performed. */
export const sharesOf = ({ history: { nodes, outside } }: Trial): Readonly<Record<string, number>> => {
  const burst = new Set(
    outside.flatMap((event) =>
      event.is === 'submitted' && event.key.startsWith('burst') ? [event.task] : [],
    ),
  );
  const shares: Record<string, number> = {};
  for (const event of nodes)
    if (event.is === 'committed' && event.fact === 'call.succeeded' && burst.has(event.task))
      shares[event.node] = (shares[event.node] ?? 0) + 1;
  return shares;
};

/** The time within which this share of take-overs was over, in milliseconds. */
export const within = (times: readonly number[], share: number): number =>
  Math.round(times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) * share)] ?? 0);

/** Returns figures in one line. */
export const inOneLine = ({
  trials,
  minutes,
  tasks,
  carriedOver,
  commits,
  effects,
  refused,
  faults,
  takeOvers,
  violations,
}: Figures): string =>
  [
    `${trials} trials of ${minutes.toFixed(1)} minutes: ${tasks} tasks (${carriedOver} carried over), ${commits} commits, ${effects} effects, ${refused} refused`,
    faultKinds.map((kind) => `${faults[kind]} × ${kind}`).join(', '),
    ...endings.map((ending) => {
      const times = takeOvers[ending];
      return `taken over after ${ending}: ${times.length}, p50 ${within(times, 0.5)} ms, max ${within(times, 1)} ms`;
    }),
    `${violations.length} violations`,
  ].join('; ');
