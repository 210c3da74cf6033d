import type { Counter } from './vocabulary.ts';
import type { Known, Question } from './known.ts';

/** A limit at which a person is asked whether the run goes on (decision 0081). */
export type Asked = Extract<Counter, 'pauses' | 'rounds' | 'modelCalls' | 'calls'>;

/** A task class that asks at its limits. */
export const asks = ({ taskClass: { atLimit } }: Known): boolean => atLimit === 'ask' || atLimit === 'keep';

/** A pause that a person ended costs nothing; a limit that a person raised allows its amount once more. */
export const isSpent = (k: Known, what: Counter): boolean => {
  const used = k.counters[what] - (what === 'pauses' ? k.answered : 0);
  return used >= k.taskClass.limits[what] * (1 + (k.raised.get(what) ?? 0));
};

/** Whether a person may still be asked: three times for each limit, and never where the class allows nothing. */
export const mayAsk = (k: Known, what: Asked): boolean =>
  asks(k) && k.taskClass.limits[what] > 0 && (k.raised.get(what) ?? 0) < 3;

/** Whether the limit ends the run, since nobody is asked about it. */
export const isOver = (k: Known, what: Asked): boolean => isSpent(k, what) && !mayAsk(k, what);

/** A person is asked whether the run goes on; which counts as no pause. */
export const askAt = (k: Known, what: Asked): void => {
  if (!isSpent(k, what) || k.questions.has(`limit:${what}`)) return;
  for (const call of k.calls) call.cleared = false;
  k.questions.set(`limit:${what}`, { kind: 'limit', about: what });
};

/** Gates ask in one pause; everyone else in one of their own (decision 0081). */
export const isOfGate = ({ kind }: Question): boolean =>
  ['plan', 'draft', 'approval', 'doubt'].includes(kind);

/** The run pauses, which is counted. Beyond the limit a person is asked beside it. */
export const countPause = (k: Known): void => {
  askAt(k, 'pauses');
  k.counters.pauses += 1;
};

/** What a gate asks beside the question of a gate is the same pause, where answered pauses cost nothing (decision 0089). */
const isSamePause = (k: Known): boolean => asks(k) && [...k.questions.values()].some(isOfGate);

/** A gate asks. */
export const countGatePause = (k: Known): void => {
  if (!isSamePause(k)) countPause(k);
};

/** Whether a gate may ask, also beside what is asked. */
export const mayAskMore = (k: Known): boolean => isSamePause(k) || !isOver(k, 'pauses');
