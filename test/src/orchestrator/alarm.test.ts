import { describe, expect, it, vi } from 'vitest';
import type { DeadlineOf, Duty } from '../../../machines/index.ts';
import { defineTaskClass } from '../../../src/index.ts';
import { Alarm, runningDeadlines, type Timing } from '../../../src/orchestrator/deadlines.ts';
import { steadyClock } from '../../../src/orchestrator/steady-clock.ts';
import type { Deadline } from '../../../src/ports/store.ts';
import { emptyProjection } from '../../../src/ledger/projection/projection.ts';
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

/** An alarm at the start of 1970, the times at which it rang and the deadlines that it applied. */
const begin = () => {
  const clock = simulatedClock(0);
  const steady = steadyClock(clock);
  const rang: number[] = [];
  const alarm = new Alarm(steady, () => rang.push(clock.now()));
  const applied: Deadline[] = [];
  return {
    clock,
    alarm,
    rang,
    applied,
    set: (...duties: readonly Duty[]) =>
      alarm.set(runningDeadlines(alarm.running, duties, steady.read(), timing)),
    pass: (until: number) => alarm.pass(at(until), async (deadline) => void applied.push(deadline)),
    names: () => applied.map(({ id }) => id),
    hours: () => applied.map(({ id, at: hour }) => [id, hour]),
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
    const { clock, set, rang, pass, hours } = begin();
    set(wake('model'), wake('call'));
    clock.leap(50);
    set(wake('call'), wake('question'));
    await clock.advance(1_000);
    expect(rang).toEqual([200]);
    await pass(1_050);
    expect(hours()).toEqual([
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

  it('still applies a passed deadline so that work in flight is recorded', async () => {
    const { set, alarm, pass, names } = begin();
    set(wake('model'));
    alarm.stop();
    await pass(100);
    expect(names()).toEqual(['model']);
  });
});

describe('passed deadlines', () => {
  it('apply in time order, each once, up to and including the given time', async () => {
    const { set, pass, names } = begin();
    set(wake('question'), wake('call'), wake('model'));
    await pass(99);
    expect(names()).toEqual([]);
    await pass(200);
    expect(names()).toEqual(['model', 'call']);
    await pass(200);
    expect(names()).toEqual(['model', 'call']);
    await pass(Infinity);
    expect(names()).toEqual(['model', 'call', 'question']);
  });

  it('apply one at a time', async () => {
    const { set, alarm } = begin();
    set(wake('model'), wake('call'));
    const log: string[] = [];
    await alarm.pass(at(1_000), async ({ id }) => {
      log.push(`${id} begins`);
      await Promise.resolve();
      log.push(`${id} ends`);
    });
    expect(log).toEqual(['model begins', 'model ends', 'call begins', 'call ends']);
  });

  it('skip a deadline that an earlier one removed', async () => {
    const { set, alarm } = begin();
    set(wake('model'), wake('call'));
    const apply = vi.fn<(deadline: Deadline) => Promise<void>>(async () => set(wake('question')));
    await alarm.pass(at(299), apply);
    expect(apply).toHaveBeenCalledTimes(1);
  });

  it('include a passed deadline that an earlier one created', async () => {
    const { set, alarm, applied } = begin();
    set(wake('call'));
    await alarm.pass(at(200), async (deadline) => {
      applied.push(deadline);
      if (deadline.of === 'call') set(wake('model'));
    });
    expect(applied.map(({ id, at }) => [id, at])).toEqual([
      ['call', 200],
      ['model', 100],
    ]);
  });

  it('stay due, ahead of the others, when applying them fails', async () => {
    const { set, alarm, pass, names } = begin();
    set(wake('model'), wake('call'), wake('question'));
    const broken = new Error('the store is away');
    const apply = vi.fn<(deadline: Deadline) => Promise<void>>(async ({ id }) => {
      if (id === 'call') throw broken;
    });
    await expect(alarm.pass(at(1_000), apply)).rejects.toBe(broken);
    expect(apply.mock.calls.map(([{ id }]) => id)).toEqual(['model', 'call']);
    await pass(1_000);
    expect(names()).toEqual(['call', 'question']);
  });

  it('stay due when the callback throws synchronously', async () => {
    const { clock, set, alarm, rang } = begin();
    set(wake('model'));
    const apply = vi.fn<(deadline: Deadline) => Promise<void>>().mockImplementation(() => {
      throw new TypeError('broken');
    });
    await expect(alarm.pass(at(100), apply)).rejects.toThrow(TypeError);
    alarm.arm(500);
    await clock.advance(500);
    expect(rang).toEqual([500]);
  });
});
