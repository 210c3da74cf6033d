import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { lease } from './chaos.ts';
import { endings, within, type Ending, type Figures } from './figures.ts';
import type { Planted } from './planted.ts';

const file = new URL('measured.json', import.meta.url);

/** Take-overs after a fault; times in milliseconds. */
interface TakeOvers {
  readonly count: number;
  readonly p50: number;
  readonly max: number;
}

/** What the last long trial found, from which docs/reference/cluster.md is printed. */
export interface Kept {
  readonly on: string;
  readonly machine: string;
  readonly lease: number;
  readonly figures: Omit<Figures, 'takeOvers'> & { readonly takeOvers: Readonly<Record<Ending, TakeOvers>> };
  /** The laws that each planted fault broke. */
  readonly planted: Readonly<Record<Planted, readonly string[]>>;
}

/** Returns what was kept. */
export const readKept = (): Kept => JSON.parse(readFileSync(file, 'utf8')) as Kept;

const summary = (times: readonly number[]): TakeOvers => ({
  count: times.length,
  p50: within(times, 0.5),
  max: within(times, 1),
});

const shortened = (figures: Figures): Kept['figures'] => ({
  ...figures,
  minutes: Math.round(figures.minutes),
  takeOvers: Object.fromEntries(
    endings.map((ending) => [ending, summary(figures.takeOvers[ending])]),
  ) as Record<Ending, TakeOvers>,
});

/** Keeps the figures of a long trial, or who found a planted fault. */
export const keep = (
  part: { readonly figures: Figures } | { readonly planted: Partial<Kept['planted']> },
): void => {
  const before = readKept();
  const after: Kept =
    'figures' in part
      ? {
          ...before,
          on: new Date().toISOString().slice(0, 10),
          machine: `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}`,
          lease,
          figures: shortened(part.figures),
        }
      : { ...before, planted: { ...before.planted, ...part.planted } };
  writeFileSync(file, `${JSON.stringify(after, null, 2)}\n`);
};
