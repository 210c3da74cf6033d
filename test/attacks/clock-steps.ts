import { expect } from 'vitest';
import { machine, type Given } from '../src/core/shell/restarts.ts';
import { draft, never, plan } from '../src/core/shell/scripted.ts';
import { settle } from '../src/core/shell/simulated-clock.ts';
import { steppingClock } from '../src/core/shell/stepping-clock.ts';
import { errorOf, failedSafe, stopOf, unmoved, type Attack, type Stop } from './attack.ts';
import { bank, bring, signed } from './bank.ts';

const number = 45;
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const unsure = { confidence: 0.1 };

const hanging: Given['model'] = (_, signal) => never(signal);
const patient = { taskClass: { deadlines: { question: minute, model: minute } } };

/** One store and one machine, and processes whose hours are wrong by as much as a test says. */
const site = () => {
  const one = machine();
  const start = (given: Given, clock: ReturnType<typeof steppingClock>) =>
    one.start({ ...patient, ...given, options: { ...given.options, clock } });
  return { ...one, newClock: () => steppingClock(one.clock), start };
};

type Process = ReturnType<ReturnType<typeof site>['start']>;

/** Why a task failed, which it has by now. */
const reasonOf = async ({ orchestrator }: Process, taskId: string): Promise<Stop | undefined> => {
  const [found] = (await orchestrator.list()).filter((task) => task.taskId === taskId);
  expect(found?.state).toBe('failed');
  return found?.reasons[0]?.code;
};

/** The hour is wrong for a moment, in which the process reads it. */
const wrongForAMoment = async (one: Process, clock: ReturnType<typeof steppingClock>, by: number) => {
  clock.step(by);
  await one.submit();
  clock.step(-by);
};

const isMonotone = async (records: Promise<readonly { readonly timestamp: string }[]>): Promise<void> => {
  const times = (await records).map(({ timestamp }) => Date.parse(timestamp));
  expect(times).toEqual(times.toSorted((one, other) => one - other));
};

const moments: readonly Attack[] = [
  {
    number,
    attempt: 'a clock that is ten hours ahead for a moment, so that no deadline passes for ten hours',
    expected: 'QUESTION_EXPIRED',
    run: async () => {
      const { start, newClock, stateOf } = site();
      const clock = newClock();
      const one = start({ model: [plan([], unsure)] }, clock);
      await wrongForAMoment(one, clock, 10 * hour);
      const taskId = await one.submit();
      await clock.advance(minute - 1);
      expect(await stateOf(taskId)).toBe('needsHumanDecision');
      await clock.advance(1);
      return reasonOf(one, taskId);
    },
  },
  {
    number,
    attempt: 'a clock that is ten hours ahead for a moment, so that a model may hang for ten hours',
    expected: 'MODEL_UNAVAILABLE',
    run: async () => {
      const { start, newClock, stateOf } = site();
      const clock = newClock();
      const one = start({ model: hanging }, clock);
      await wrongForAMoment(one, clock, 10 * hour);
      const taskId = await one.submit();
      await clock.advance(minute - 1);
      expect(await stateOf(taskId)).not.toBe('failed');
      await clock.advance(1);
      return reasonOf(one, taskId);
    },
  },
  {
    number,
    attempt: 'an hour that was ten hours ahead when a process died, so that the next one waits ten hours',
    expected: 'QUESTION_EXPIRED',
    run: async () => {
      const { start, newClock, recordsOf } = site();
      const [ahead, right] = [newClock(), newClock()];
      ahead.step(10 * hour);
      const first = start({ model: [plan([], unsure), draft({}, unsure)] }, ahead);
      const taskId = await first.submit();
      await first.crash();
      const next = start({ model: [draft({}, unsure)] }, right);
      await next.answer('approve');
      expect((await next.question()).question.kind).toBe('draft');
      await right.advance(minute);
      await isMonotone(recordsOf(taskId));
      return reasonOf(next, taskId);
    },
  },
];

const back: readonly Attack[] = [
  {
    number,
    attempt: 'an hour that is set back by ten hours, so that a question never expires',
    expected: 'QUESTION_EXPIRED',
    run: async () => {
      const { start, newClock, stateOf } = site();
      const clock = newClock();
      const one = start({ model: [plan([], unsure)] }, clock);
      const taskId = await one.submit();
      clock.step(-10 * hour);
      await clock.advance(minute);
      expect(await stateOf(taskId)).toBe('needsHumanDecision');
      await clock.advance(minute + second);
      return reasonOf(one, taskId);
    },
  },
  {
    number,
    attempt: 'an hour that is set back, so that an approval holds again that has ended',
    expected: 'APPROVAL_EXPIRED',
    source: 'RFC 7519, 4.1.4',
    run: async () => {
      const clock = steppingClock();
      const one = { ...bank(undefined, { options: { clock } }), clock };
      await one.submit();
      const token = await signed(one, { exp: Math.floor(clock.now() / second) + 60 });
      await clock.advance(2 * minute);
      clock.step(-10 * hour);
      const stop = await unmoved(one, () => bring(one, token));
      expect(one.paid).toEqual([]);
      return stop;
    },
  },
];

const suspended: readonly Attack[] = [
  {
    number,
    attempt: 'a machine that is suspended past the end of an approval',
    expected: 'APPROVAL_EXPIRED',
    source: 'RFC 7519, 4.1.4',
    run: async () => {
      const clock = steppingClock();
      const one = { ...bank(undefined, { options: { clock } }), clock };
      await one.submit();
      const token = await signed(one, { exp: Math.floor(clock.now() / second) + 60 });
      clock.step(hour);
      await clock.advance(15 * second);
      const stop = await unmoved(one, () => bring(one, token));
      expect(one.paid).toEqual([]);
      return stop;
    },
  },
  {
    number,
    attempt: 'a machine that is suspended past the deadline of a person',
    expected: 'QUESTION_EXPIRED',
    run: async () => {
      const clock = steppingClock();
      const one = bank(undefined, { options: { clock } });
      const taskId = await one.submit();
      clock.step(8 * 24 * hour);
      await clock.advance(15 * second);
      await settle();
      expect(one.paid).toEqual([]);
      return failedSafe(one, taskId);
    },
  },
];

const others: readonly Attack[] = [
  {
    number,
    attempt: 'a guest whose clock is ten hours ahead, so that its owner catches the error',
    expected: 'MODEL_UNAVAILABLE',
    run: async () => {
      const { start, newClock, stateOf, recordsOf } = site();
      const [ahead, right] = [newClock(), newClock()];
      ahead.step(10 * hour);
      const guest = start({ options: { role: 'guest' } }, ahead);
      const taskId = await guest.submit();
      const owner = start({ model: hanging }, right);
      await owner.recover();
      await right.advance(minute - 1);
      expect(await stateOf(taskId)).not.toBe('failed');
      await right.advance(1);
      await isMonotone(recordsOf(taskId));
      return reasonOf(owner, taskId);
    },
  },
  {
    number,
    attempt: 'a guest whose clock is ten hours ahead, so that it passes the deadline of its owner’s model',
    expected: 'fact_refused',
    run: async () => {
      const { start, newClock, factsOf } = site();
      const [ahead, right] = [newClock(), newClock()];
      const owner = start({ model: hanging }, right);
      const taskId = await owner.submit();
      ahead.step(10 * hour);
      const guest = start({ options: { role: 'guest' } }, ahead);
      const stop = stopOf(
        await errorOf(() => guest.orchestrator.resolve(taskId, 'none', {}, { by: 'dana' })),
      );
      expect(await factsOf(taskId)).toEqual(['request.accepted']);
      return stop;
    },
  },
  {
    number,
    attempt: 'a restart after the deadline of a model, so that it is never asked',
    expected: 'QUESTION_EXPIRED',
    run: async () => {
      const { start, newClock } = site();
      const clock = newClock();
      const first = start({ model: hanging }, clock);
      const taskId = await first.submit();
      await first.crash();
      clock.leap(hour);
      const next = start({ model: [plan([], unsure)] }, clock);
      await next.recover();
      expect(next.turns).toHaveLength(1);
      expect((await next.question()).question.kind).toBe('plan');
      await clock.advance(minute);
      return reasonOf(next, taskId);
    },
  },
];

export const clockSteps: readonly Attack[] = [moments, back, suspended, others].flat();
