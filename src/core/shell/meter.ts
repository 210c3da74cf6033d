import type { TokenUsage } from '../../base/ports/model.ts';
import type { Totals } from '../../base/ports/stats.ts';
import { isObject } from '../../base/boundary/is-object.ts';

/** Counts what a process does. */
export type Meter = { -readonly [Total in keyof Totals]: Totals[Total] };

export const createMeter = (): Meter => ({
  taken: 0,
  lost: 0,
  lateRenewals: 0,
  fenced: 0,
  commits: 0,
  commitTime: 0,
  blobs: 0,
  blobBytes: 0,
  inputTokens: 0,
  outputTokens: 0,
});

const countIn = (given: unknown): number =>
  typeof given === 'number' && Number.isFinite(given) && given > 0 ? given : 0;

/** Returns what a model calls with the tokens of its turn. */
export const counting =
  (meter: Pick<Meter, 'inputTokens' | 'outputTokens'>) =>
  (tokens: TokenUsage): void => {
    const { input, output }: Partial<Record<'input' | 'output', unknown>> = isObject(tokens) ? tokens : {};
    meter.inputTokens += countIn(input);
    meter.outputTokens += countIn(output);
  };
