import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { lease } from './events.ts';
import { endings, within, type Ending, type Figures } from './figures.ts';
import type { LawName } from './history.ts';
import type { Planted } from './planted.ts';

const file = new URL('measured.json', import.meta.url);

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
  readonly lease: number;
  readonly figures: Omit<Figures, 'takeOvers'> & { readonly takeOvers: Readonly<Record<Ending, TakeOvers>> };
}

/** What was found last, from which docs/reference/cluster.md is printed. */
export interface Kept {
  /** `null` if none were run. */
  readonly rounds: Rounds | null;
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

/** Keeps the figures of trials with all faults, or what found a planted fault. */
export const keep = (part: { readonly figures: Figures } | Pick<Kept, 'planted'>): void => {
  const before = readKept();
  const after: Kept =
    'figures' in part
      ? {
          ...before,
          rounds: {
            on: new Date().toISOString().slice(0, 10),
            machine: `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}`,
            lease,
            figures: shortened(part.figures),
          },
        }
      : { ...before, planted: { ...before.planted, ...part.planted } };
  writeFileSync(file, `${JSON.stringify(after, null, 2)}\n`);
};
