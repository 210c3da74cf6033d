import { describe, expect, it } from 'vitest';
import type { RunningDeadline } from '../../../../src/core/kernel/deadlines.ts';
import { Alarm } from '../../../../src/core/shell/alarm.ts';
import { steadyClock } from '../../../../src/core/shell/steady-clock.ts';
import { simulatedClock } from './simulated-clock.ts';

const running = (at: number): RunningDeadline => ({ of: 'call', id: 'c', key: 'c', at, ends: at });

/** An alarm at the start of 1970, and the times at which it rang. */
const begin = () => {
  const clock = simulatedClock(0);
  const rang: number[] = [];
  const alarm = new Alarm(steadyClock(clock), () => rang.push(clock.now()));
  return { clock, alarm, rang, set: (...ends: readonly number[]) => alarm.set(ends.map(running)) };
};

describe('an alarm', () => {
  it('rings at its earliest deadline and uses one timer for all', async () => {
    const { clock, set, rang } = begin();
    set(100, 200, 300);
    expect(clock.sleeping()).toBe(1);
    await clock.advance(99);
    expect(rang).toEqual([]);
    await clock.advance(1);
    expect(rang).toEqual([100]);
  });

  it('sets no timer when nothing is due', () => {
    const { clock, set, alarm } = begin();
    set();
    alarm.arm();
    expect(clock.sleeping()).toBe(0);
  });

  it('forgets a deadline that ended', async () => {
    const { clock, set, rang } = begin();
    set(100, 200);
    clock.leap(50);
    set(200, 350);
    await clock.advance(1_000);
    expect(rang).toEqual([200]);
  });

  it('clears its timer when no deadline is left', () => {
    const { clock, set } = begin();
    set(100);
    set();
    expect(clock.sleeping()).toBe(0);
  });

  it('does not ring before the armed time and then rings at the next deadline', async () => {
    const { clock, set, alarm, rang } = begin();
    set(100);
    alarm.arm(150);
    await clock.advance(149);
    expect(rang).toEqual([]);
    await clock.advance(1);
    expect(rang).toEqual([150]);
    set(350);
    alarm.arm(160);
    await clock.advance(1_000);
    expect(rang).toEqual([150, 350]);
  });

  it('rings at a deadline that began, and not after a retry, once it is armed again', async () => {
    const { clock, set, alarm, rang } = begin();
    set(100);
    clock.leap(200);
    alarm.arm(60_000); // the store failed
    set(5_000); // and is back
    alarm.arm();
    await clock.advance(10_000);
    expect(rang).toEqual([5_000]);
  });

  it('rings again when armed again while a deadline is still due', async () => {
    const { clock, set, alarm, rang } = begin();
    set(100);
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
    set(100);
    alarm.stop();
    expect(clock.sleeping()).toBe(0);
  });

  it('ignores arming by a time and by deadlines', async () => {
    const { clock, set, alarm, rang } = begin();
    alarm.stop();
    set(100);
    alarm.arm();
    expect(clock.sleeping()).toBe(0);
    await clock.advance(1_000);
    expect(rang).toEqual([]);
  });
});
