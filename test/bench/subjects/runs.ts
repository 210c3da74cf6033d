import { createEngine, type EngineName } from '../engines/registry.ts';
import { spent } from '../measure.ts';
import { approvalOf, newRequest, type Ended, type Engine } from '../work.ts';

export interface RunsOf {
  readonly engine: EngineName;
  readonly mode: 'gated' | 'straight';
  readonly runs: number;
}

/** CPU microseconds a run. */
export interface Warmth {
  /** The mean of the first 500 runs of the process. */
  readonly first: number;
  /** The mean of the last 30 % of the runs, less what the desk of the approvers takes. */
  readonly warm: number;
}

const check = (ended: Ended): void => {
  if (ended !== 'deliver') throw new Error(`a run ended with ${ended}`);
};

/** Returns a gated run of an engine. */
export const gatedRun = (engine: Engine) => async (): Promise<void> => {
  const request = newRequest('write_high_risk');
  check(await engine.gated(request, approvalOf(request)));
};

/** Runs an engine, and measures it cold and warm. */
export const measureRuns = async ({ engine: name, mode, runs }: RunsOf): Promise<Warmth> => {
  const engine = await createEngine(name);
  const run =
    mode === 'gated' ? gatedRun(engine) : async () => check(await engine.straight(newRequest('read_only')));
  const measured = async (count: number, work: () => Promise<unknown> = run): Promise<number> => {
    const { cpu } = await spent(async () => {
      for (let left = count; left > 0; left -= 1) await work();
    });
    return cpu / count;
  };
  const warm = Math.max(1, Math.floor(runs * 0.3));
  const cold = Math.max(1, Math.min(500, runs - warm));
  const first = await measured(cold);
  for (let left = runs - cold - warm; left > 0; left -= 1) await run();
  const whole = await measured(warm);
  const desk = mode === 'straight' || engine.sign === undefined ? 0 : await measured(warm, engine.sign);
  return { first, warm: whole - desk };
};
