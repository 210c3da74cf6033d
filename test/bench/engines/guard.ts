import { createGuard } from 'agentcharter/guard';
import { newRequest, plan } from '../work.ts';
import { guardParts, identity, taskClass } from './parts.ts';

/** Runs after which a guard in memory is replaced: it keeps settled tasks. */
const runsOfGuard = 200;

/** Returns a function that runs an agent under the guard: this many calls of a tool, one after another. */
export const createGuarded = (): ((calls: number) => Promise<void>) => {
  let guard = createGuard(guardParts());
  let runs = 0;
  return async (calls) => {
    runs += 1;
    if (runs % runsOfGuard === 0) {
      await guard.close();
      guard = createGuard(guardParts());
    }
    const request = newRequest('read_only');
    const run = await guard.begin({ taskClass, payload: { ...request }, identity });
    for (let call = 0; call < calls; call += 1) {
      const { status } = await run.call('readWire', { ...plan(request), id: call }, { ref: `c${call}` });
      if (status !== 'done') throw new Error(`a call was ${status}`);
    }
    const { status } = await run.conclude({ payload: { ok: true } });
    if (status !== 'delivered') throw new Error(`a run was ${status}`);
  };
};
