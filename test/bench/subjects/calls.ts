import { median, spent } from '../measure.ts';
import { newRequest } from '../work.ts';

export interface CallsOf {
  readonly of: 'guard' | 'ai-sdk';
  /** How often a run of few calls and a run of many are made. */
  readonly pairs: number;
}

const few = 1;
const many = 9;

const guarded = async (): Promise<(calls: number) => Promise<void>> =>
  (await import('../engines/guard.ts')).createGuarded();

const looped = async (): Promise<(calls: number) => Promise<void>> => {
  const { callInLoop } = await import('../peers/ai-sdk.ts');
  return async (calls) => {
    const text = await callInLoop(newRequest('read_only'), calls);
    if (text !== 'deliver') throw new Error(`a run ended with ${text}`);
  };
};

/** CPU microseconds of one more call in a run, once warm: what nine calls cost beyond one, divided by eight. */
export const measureCalls = async ({ of, pairs }: CallsOf): Promise<number> => {
  const run = await (of === 'guard' ? guarded() : looped());
  const slopes: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const [short, long] = [await spent(() => run(few)), await spent(() => run(many))];
    if (pair >= pairs * 0.7 - 1) slopes.push((long.cpu - short.cpu) / (many - few));
  }
  return median(slopes);
};
