import type { TokenUsage } from '../../ports/model.ts';
import { isObject } from '../../boundary/is-object.ts';

/** What a process has done since its orchestrator was created. Times in milliseconds. */
export interface Totals {
  /** Tasks that it took by a lease. */
  readonly taken: number;
  /** Tasks that another process took over. */
  readonly lost: number;
  /** Renewals of its leases that came after more than half a lease. */
  readonly lateRenewals: number;
  /** Steps that were refused, because their task was held by another process. */
  readonly fenced: number;
  /** Steps that were stored. */
  readonly commits: number;
  /** How long it waited for its store to store them. */
  readonly commitTime: number;
  /** Large values that were kept beside ledgers, and their bytes. */
  readonly blobs: number;
  readonly blobBytes: number;
  /** Tokens that models said they read and wrote. */
  readonly inputTokens: number;
  readonly outputTokens: number;
}

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
