import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { lease, type FaultKind } from './events.ts';
import { endings, within, type Ending, type Figures } from './figures.ts';
import type { LawName } from './history.ts';
import type { Driver } from './node.ts';
import type { Planted } from './planted.ts';

const file = new URL('measured.json', import.meta.url);

const today = new Date().toISOString().slice(0, 10);

/** Take-overs after a fault; times in milliseconds. */
interface TakeOvers {
  readonly count: number;
  readonly p50: number;
  readonly max: number;
}

/** Trials with all faults, and what came of them. */
export interface Rounds {
  readonly on: string;
  readonly machine: string;
  /** What is different from a run of today, in a sentence. */
  readonly note?: string;
  /** Who decided when a task is performed. */
  readonly driver: Driver;
  /** Milliseconds of the lease that take-overs are measured with. */
  readonly lease: number;
  readonly figures: Omit<Figures, 'takeOvers' | 'faults'> & {
    /** A run may lack a fault that came later. */
    readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
    readonly takeOvers: Readonly<Record<Ending, TakeOvers>>;
  };
}

/** Tasks that were submitted at one node at once, and how many of them each node performed: that one first. */
export interface Burst {
  readonly on: string;
  readonly shares: readonly number[];
}

/** What was found last, from which docs/reference/cluster.md is printed. */
export interface Kept {
  /** The last two runs whose nodes decide, and the last one with a queue; the newest of each first. */
  readonly rounds: readonly Rounds[];
  readonly burst: Burst;
  /** The laws that each planted fault broke. */
  readonly planted: Readonly<Partial<Record<Planted, readonly LawName[]>>>;
}

/** Returns what was kept. */
export const readKept = (): Kept => JSON.parse(readFileSync(file, 'utf8')) as Kept;

const summary = (times: readonly number[]): TakeOvers => ({
  count: times.length,
  p50: within(times, 0.5),
  max: within(times, 1),
});

const shortened = (figures: Figures): Rounds['figures'] => ({
  ...figures,
  minutes: Math.round(figures.minutes),
  takeOvers: Object.fromEntries(
    endings.map((ending) => [ending, summary(figures.takeOvers[ending])]),
  ) as Record<Ending, TakeOvers>,
});

/** Returns the earlier runs that are kept beside a new one. */
const others = (before: readonly Rounds[], { driver, on }: Rounds): readonly Rounds[] => {
  const earlier = before.filter((one) => one.driver === driver && one.on !== on);
  return [...earlier.slice(0, driver === 'nodes' ? 1 : 0), ...before.filter((one) => one.driver !== driver)];
};

const roundsOf = ({ figures, driver }: { readonly figures: Figures; readonly driver: Driver }): Rounds => ({
  on: today,
  machine: `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}`,
  driver,
  lease,
  figures: shortened(figures),
});

type Part =
  { readonly figures: Figures; readonly driver: Driver } | Pick<Burst, 'shares'> | Pick<Kept, 'planted'>;

const withPart = (before: Kept, part: Part): Kept => {
  if ('shares' in part) return { ...before, burst: { on: today, ...part } };
  if ('planted' in part) return { ...before, planted: { ...before.planted, ...part.planted } };
  const rounds = roundsOf(part);
  return { ...before, rounds: [rounds, ...others(before.rounds, rounds)] };
};

/** Keeps the figures of trials with all faults, the shares of a burst, or what found a planted fault. */
export const keep = (part: Part): void =>
  writeFileSync(file, `${JSON.stringify(withPart(readKept(), part), null, 2)}\n`);
