import { describe, expect, it } from 'vitest';
import type { DeadlineOf, Duty } from '../../../../machines/index.ts';
import { defineTaskClass } from '../../../../src/index.ts';
import {
  passedFirst,
  runningDeadlines,
  type RunningDeadline,
  type Timing,
} from '../../../../src/core/kernel/deadlines.ts';
import { Alarm } from '../../../../src/core/shell/alarm.ts';
import { steadyClock } from '../../../../src/core/shell/steady-clock.ts';
import { emptyProjection } from '../../../../src/core/kernel/projection/projection.ts';
import { simulatedClock } from './simulated-clock.ts';

const identity = { agent_id: 'a', owner_id: 'o', control_class: 'autonomous' as const };
const timing: Timing = {
  context: {
    request: 'r',
    attempt: 0,
    counters: {
      corrections: 0,
      repairs: 0,
      rounds: 0,
      revisions: 0,
      refreshes: 0,
      pauses: 0,
      clearances: 0,
      modelCalls: 0,
      calls: 0,
    },
    collected: 0,
    calls: {},
  },
  isOwner: true,
  taskClass: defineTaskClass({ id: 'work', tools: [], deadlines: { model: 100, call: 200, question: 300 } }),
  projection: emptyProjection(
    { taskClass: 'work', threadId: 't', payload: {}, explanation: '', identity },
    'trace',
  ),
  tools: new Map(),
  verifiers: new Map(),
};

const wake = (of: DeadlineOf, id: string = of): Duty => ({ kind: 'wake', of, id });

/** A reading in which both clocks show the same time. */
const at = (hour: number) => ({ at: hour, monotonic: hour });

/** An alarm at the start of 1970, and the times at which it rang. */
const begin = () => {
  const clock = simulatedClock(0);
  const steady = steadyClock(clock);
  const rang: number[] = [];
  const alarm = new Alarm(steady, () => rang.push(clock.now()));
  let running: readonly RunningDeadline[] = [];
  return {
    clock,
    alarm,
    rang,
    set: (...duties: readonly Duty[]) => {
      running = runningDeadlines(running, duties, steady.read(), timing);
      alarm.set(running);
    },
    running: () => running,
  };
};

describe('an alarm', () => {
  it('rings at its earliest deadline and uses one timer for all', async () => {
    const { clock, set, rang } = begin();
    set(wake('question'), wake('model'), wake('call'));
    expect(clock.sleeping()).toBe(1);
    await clock.advance(99);
    expect(rang).toEqual([]);
    await clock.advance(1);
    expect(rang).toEqual([100]);
  });

  it('sets no timer when nothing is due', () => {
    const { clock, set, alarm } = begin();
    set({ kind: 'propose' });
    alarm.arm();
    expect(clock.sleeping()).toBe(0);
  });

  it('keeps the time of a running deadline and forgets a deadline that ended', async () => {
    const { clock, set, rang, running } = begin();
    set(wake('model'), wake('call'));
    clock.leap(50);
    set(wake('call'), wake('question'));
    await clock.advance(1_000);
    expect(rang).toEqual([200]);
    expect(running().map(({ id, at: ends }) => [id, ends])).toEqual([
      ['call', 200],
      ['question', 350],
    ]);
  });

  it('clears its timer when no deadline is left', () => {
    const { clock, set } = begin();
    set(wake('model'));
    set();
    expect(clock.sleeping()).toBe(0);
  });

  it('does not ring before the armed time and then rings at the next deadline', async () => {
    const { clock, set, alarm, rang } = begin();
    set(wake('model'));
    alarm.arm(150);
    await clock.advance(149);
    expect(rang).toEqual([]);
    await clock.advance(1);
    expect(rang).toEqual([150]);
    set(wake('call', 'later'));
    alarm.arm(160);
    await clock.advance(1_000);
    expect(rang).toEqual([150, 350]);
  });

  it('rings again when armed again while a deadline is still due', async () => {
    const { clock, set, alarm, rang } = begin();
    set(wake('model'));
    await clock.advance(100);
    expect(clock.sleeping()).toBe(0);
    alarm.arm();
    await clock.advance(0);
    expect(rang).toEqual([100, 100]);
  });
});

describe('an alarm that has stopped', () => {
  it('sets no timer', () => {
    const { clock, set, alarm } = begin();
    set(wake('model'));
    alarm.stop();
    expect(clock.sleeping()).toBe(0);
  });

  it('ignores arming by a time and by duties', async () => {
    const { clock, set, alarm, rang } = begin();
    alarm.stop();
    set(wake('model'));
    alarm.arm();
    expect(clock.sleeping()).toBe(0);
    await clock.advance(1_000);
    expect(rang).toEqual([]);
  });
});

const running = (...duties: readonly Duty[]) => runningDeadlines([], duties, at(0), timing);

describe('the deadline that passed first', () => {
  it('is the earliest one, at its time or later', () => {
    const some = running(wake('question'), wake('call'), wake('model'));
    expect(passedFirst(some, at(99))).toBeUndefined();
    expect(passedFirst(some, at(100))).toMatchObject({ id: 'model' });
    expect(passedFirst(some, at(1_000))).toMatchObject({ id: 'model' });
    expect(passedFirst(some.slice(1), at(1_000))).toMatchObject({ id: 'call' });
    expect(passedFirst([], at(Infinity))).toBeUndefined();
  });

  it('is the one that passed longest ago, by the clock of each', () => {
    const [model] = running(wake('model'));
    const [question] = running(wake('question'));
    expect(passedFirst([model!, question!], { at: 500, monotonic: 150 })).toBe(question);
    expect(passedFirst([question!, model!], { at: 300, monotonic: 150 })).toBe(model);
  });
});
