import { makeReady } from './gates.ts';
import { isWrite, type Call, type Known } from './known.ts';

const resetCall = (k: Known, call: Call): void => {
  if (call.status === 'refused' || (isWrite(call) && call.status === 'succeeded')) return;
  makeReady(k, call);
  Object.assign(call, { verdict: null, cleared: false, underWay: false, evidence: null, code: null });
};

/** The next attempt: what was proposed, collected and reported is superseded, committed writes excepted. */
export const nextAttempt = (k: Known): void => {
  k.wave = null;
  const keepsPlan = k.nextCause === 'repair' && k.taskClass.repairTo === 'execute';
  k.nextCause = null;
  k.attempt += 1;
  k.collected = 0;
  k.further = null;
  k.draft = null;
  k.reports.clear();
  k.counters.corrections = 0;
  if (keepsPlan) {
    for (const call of k.calls) resetCall(k, call);
    return;
  }
  k.plan = null;
  k.calls = [];
  k.counters.rounds = 0;
};
