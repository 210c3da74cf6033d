import { runAtOnce } from '../measure.ts';
import { approvalOf, newRequest, type Engine } from '../work.ts';

/** How many runs a load makes before it is measured and while it is, and how many at once. */
export interface LoadOf {
  readonly runs: number;
  readonly warmUp: number;
  readonly atOnce: number;
}

/** An open store, on which runs are made. */
export interface Load {
  /** Makes this many gated runs. */
  readonly run: (runs: number) => Promise<void>;
  readonly settings: () => Promise<string | null>;
  readonly close: () => unknown;
}

/** Makes gated runs of an engine, several at once. */
export const engineLoad = (engine: Engine, atOnce: number) => (runs: number) =>
  runAtOnce(runs, atOnce, async () => {
    const request = newRequest('write_high_risk');
    const ended = await engine.gated(request, approvalOf(request));
    if (ended !== 'deliver') throw new Error(`a run ended with ${ended}`);
  });
