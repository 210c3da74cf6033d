import { expect } from 'vitest';
import { answer, openBank, type Bank } from '../src/guard/bank.ts';
import { settle, simulatedClock } from '../src/core/shell/simulated-clock.ts';
import type { Run } from '../../src/guard/index.ts';
import { day } from './agreed.ts';
import type { Attack, Stop } from './attack.ts';

const number = 48;
const hour = day / 24;

type Then = (bank: Bank, run: Run) => Promise<void>;

const quiet = async (): Promise<void> => {
  for (let turns = 0; turns < 5; turns += 1) await settle();
};

/** An agent whose payment a person approves, and whose host says nothing any more. */
const silent = async (contract: Parameters<typeof openBank>[0] = {}) => {
  const clock = simulatedClock();
  const bank = openBank({ deadlines: { host: 3 * day, question: 2 * day }, ...contract }, { clock });
  const run = await bank.begin();
  expect(await run.call('pay', { to: 'alice' })).toMatchObject({ status: 'paused' });
  await answer(bank, run, { type: 'approve' });
  await quiet();
  expect(bank.done).toEqual(['pay alice']);
  const after = async (milliseconds: number): Promise<void> => {
    await clock.advance(milliseconds);
    await quiet();
  };
  const kinds = async () => (await run.questions()).map(({ question }) => question.kind);
  const reason = async (): Promise<Stop | undefined> =>
    (await bank.guard.orchestrator.settled(run.taskId)).reasons[0]?.code;
  return { bank, run, after, kinds, reason };
};

const left = (
  attempt: string,
  done: readonly string[],
  then: Then,
  contract?: Parameters<typeof openBank>[0],
  asks: readonly string[] = ['host'],
): Attack => ({
  number,
  attempt,
  expected: 'HOST_UNAVAILABLE',
  run: async () => {
    const { bank, run, after, kinds, reason } = await silent(contract);
    await using _ = bank.guard;
    await after(2 * day);
    expect({ kinds: await kinds(), done: bank.done }).toEqual({ kinds: [], done: ['pay alice'] });
    await after(day + hour);
    expect({ kinds: await kinds(), done: bank.done }).toEqual({ kinds: asks, done: ['pay alice'] });
    await then(bank, run);
    await after(2 * day + hour);
    const stop = await reason();
    expect(bank.done).toEqual(done);
    expect(await run.conclude({ payload: {} })).toMatchObject({ status: 'ended', state: 'failed' });
    return stop;
  },
});

/** A host that is slow is no reason to take back what a person approved. */
export const slowHosts: readonly Attack[] = [
  left(
    'a host that stays away without a person who decides about its payment',
    ['pay alice'],
    async () => {},
  ),
  left('a host that stays away, and a person who keeps what it paid', ['pay alice'], (bank, run) =>
    answer(bank, run, { type: 'approve' }),
  ),
  left(
    'a host that stays away, and a person who undoes what it paid',
    ['pay alice', 'recall alice'],
    (bank, run) => answer(bank, run, { type: 'reject' }),
  ),
  left('a host that stays longer away than a model may think', ['pay alice'], async () => {}, {
    deadlines: { model: 1_000, host: 3 * day, question: 2 * day },
  }),
  left(
    'a host that stays away where no more questions may be asked',
    ['pay alice'],
    async () => {},
    { atLimit: 'stop', limits: { pauses: 1 } }, // the approval was the last
    [],
  ),
  {
    number,
    attempt: 'a host that comes back after two days, and is refused as too late',
    expected: 'PROPOSAL_CHANGED',
    run: async () => {
      const { bank, run, after } = await silent();
      await using _ = bank.guard;
      await after(2 * day);
      expect(await run.call('pay', { to: 'alice' }, { ref: 'late' })).toMatchObject({ status: 'done' });
      expect(await run.conclude({ payload: { paid: true } })).toMatchObject({ status: 'delivered' });
      await after(5 * day);
      expect(bank.done).toEqual(['pay alice']);
      expect(await run.conclude({ payload: { paid: false } })).toMatchObject({ status: 'ended' });
      const other = await run.call('pay', { to: 'bob' }, { ref: 'late' });
      expect(bank.done).toEqual(['pay alice']);
      return other.status === 'refused' ? other.code : undefined;
    },
  },
  {
    number,
    attempt: 'a host that stays away and has written nothing, so no person is asked',
    expected: 'HOST_UNAVAILABLE',
    run: async () => {
      const clock = simulatedClock();
      const bank = openBank({ deadlines: { host: 3 * day } }, { clock });
      await using _ = bank.guard;
      const run = await bank.begin();
      await run.call('read', {});
      await clock.advance(3 * day + hour);
      expect(await run.questions()).toEqual([]);
      const { state, reasons } = await bank.guard.orchestrator.settled(run.taskId);
      expect({ state, done: bank.done }).toEqual({ state: 'failed', done: ['read all'] });
      return reasons[0]?.code;
    },
  },
];
