import { createFlowingEngine, engine } from '../engines/orchestrator.ts';
import { spent } from '../measure.ts';
import { approvalOf, newRequest, type Engine } from '../work.ts';

export interface FlowsOf {
  /** How many runs are made with flows, and without. */
  readonly runs: number;
}

/** CPU microseconds of a gated run, once warm. */
export interface FlowsFigures {
  readonly plain: number;
  readonly flowing: number;
}

/** Runs in a row of one kind: short, so that what slows the process slows both kinds. */
const inTurn = 10;

const run = async ({ gated }: Engine): Promise<void> => {
  const request = newRequest('write_high_risk');
  const ended = await gated(request, approvalOf(request));
  if (ended !== 'deliver') throw new Error(`a run ended with ${ended}`);
};

/** Makes gated runs with and without flows by turns, in this process. The first 70 % warm it up. */
export const measureFlows = async ({ runs }: FlowsOf): Promise<FlowsFigures> => {
  const flowing = createFlowingEngine();
  const cpuOf = async (of: Engine): Promise<number> => {
    const { cpu } = await spent(async () => {
      for (let left = inTurn; left > 0; left -= 1) await run(of);
    });
    return cpu;
  };
  const turns = Math.max(1, Math.floor(runs / inTurn));
  const warm = Math.max(1, Math.floor(turns * 0.3));
  const sums = { plain: 0, flowing: 0 };
  for (let turn = 0; turn < turns; turn += 1) {
    const [plain, own] = [await cpuOf(engine), await cpuOf(flowing)];
    if (turn < turns - warm) continue;
    sums.plain += plain;
    sums.flowing += own;
  }
  const measured = warm * inTurn;
  return { plain: sums.plain / measured, flowing: sums.flowing / measured };
};
