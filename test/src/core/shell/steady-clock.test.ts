import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { steadyClock, type SteadyClock } from '../../../../src/core/shell/steady-clock.ts';
import { runs } from '../../base/canonical/generated.ts';
import { simulatedClock } from './simulated-clock.ts';
import { steppingClock } from './stepping-clock.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const start = 1_000_000_000;

/** A machine with an adjustable wall clock, and the steady clock on it. */
const begin = () => {
  const machine = steppingClock(simulatedClock(start));
  const clock = steadyClock(machine);
  return { machine, clock, since: () => clock.now() - start };
};

/** A machine without monotonic time. */
const plain = (at: number) => {
  const state = { now: at };
  return { state, clock: steadyClock({ now: () => state.now, wakeAt: () => () => {} }) };
};

/** Returns by how much the clock of the machine is behind. */
const behind = (clock: SteadyClock): number => {
  const { at, present } = clock.read();
  return at - present;
};

describe('a steady clock', () => {
  it('follows the wall clock', () => {
    const { machine, clock, since } = begin();
    machine.leap(500);
    expect([since(), behind(clock)]).toEqual([500, 0]);
  });

  it('follows a correction of up to a second at once', () => {
    const { machine, since } = begin();
    machine.step(second);
    expect(since()).toBe(second);
    machine.step(-500);
    expect(since()).toBe(second);
    machine.leap(600);
    expect(since()).toBe(1_300);
    machine.leap(400);
    expect(since()).toBe(1_500);
  });

  it('accepts a time before 1970', () => {
    expect(plain(-5).clock.now()).toBe(-5);
  });

  it('ignores a wrong wall clock that lasts a moment', () => {
    const { machine, since } = begin();
    machine.step(10 * hour);
    expect(since()).toBe(0);
    machine.leap(4_999);
    expect(since()).toBe(4_999);
    machine.step(-10 * hour);
    expect(since()).toBe(4_999);
    machine.leap(10 * second);
    expect(since()).toBe(14_999);
    machine.step(10 * hour);
    expect(since()).toBe(14_999);
  });

  it('accepts a step forward that lasts five seconds and is confirmed by a second reading', () => {
    const { machine, since } = begin();
    machine.step(10 * hour);
    machine.leap(minute);
    expect(since()).toBe(minute); // the first reading
    machine.leap(4_999);
    expect(since()).toBe(minute + 4_999);
    machine.leap(1);
    expect(since()).toBe(10 * hour + minute + 5 * second);
  });

  it('accepts the smallest of several steps within five seconds', () => {
    const { machine, since } = begin();
    machine.step(10 * hour);
    since();
    machine.leap(3 * second);
    machine.step(-4 * hour);
    since();
    machine.leap(2 * second);
    machine.step(hour);
    expect(since()).toBe(6 * hour + 5 * second);
    expect(since()).toBe(6 * hour + 5 * second);
    machine.leap(5 * second);
    expect(since()).toBe(7 * hour + 10 * second);
  });

  it('runs at half speed after a step back until the wall clock catches up', () => {
    const { machine, clock, since } = begin();
    machine.step(-10 * minute);
    expect([since(), behind(clock)]).toEqual([0, 10 * minute]);
    machine.leap(2 * minute);
    expect([since(), behind(clock)]).toEqual([minute, 9 * minute]);
    machine.leap(18 * minute);
    expect([since(), behind(clock)]).toEqual([10 * minute, 0]);
    machine.leap(minute);
    expect(since()).toBe(11 * minute);
  });

  it('measures durations independently of the wall clock', () => {
    const { machine, clock } = begin();
    const from = clock.monotonic();
    machine.step(10 * hour);
    machine.leap(minute);
    clock.read();
    machine.step(-20 * hour);
    machine.leap(minute);
    expect(clock.monotonic() - from).toBe(2 * minute);
  });

  it('never goes back and never stops while time passes', () => {
    const seen = { back: 0, forth: 0 };
    const step = fc.oneof(fc.constant(0), fc.integer({ min: -1e6, max: 1e6 }));
    const happening = fc.record({ step, passes: fc.integer({ min: 0, max: 20_000 }) });
    fc.assert(
      fc.property(fc.array(happening, { minLength: 1, maxLength: 30 }), (happenings) => {
        const { machine, clock } = begin();
        for (const one of happenings) {
          const before = clock.read();
          machine.step(one.step);
          machine.leap(one.passes);
          if (one.step < -1_000) seen.back += 1;
          if (one.step > 1_000) seen.forth += 1;
          const now = clock.read();
          expect(now.at - before.at).toBeGreaterThanOrEqual(Math.floor(one.passes / 2) - 1);
          expect(now.monotonic - before.monotonic).toBe(one.passes);
        }
      }),
      runs(300),
    );
    expect(Math.min(seen.back, seen.forth)).toBeGreaterThan(100);
  });
});

describe('a steady clock without a monotonic source', () => {
  it('uses the wall clock for both and ignores a step back', () => {
    const { state, clock } = plain(10_000);
    expect(clock.read()).toMatchObject({ at: 10_000, monotonic: 10_000 });
    state.now = 20_000_000;
    expect(clock.read()).toMatchObject({ at: 20_000_000, monotonic: 20_000_000 });
    state.now = 5_000;
    expect(clock.read()).toMatchObject({ at: 20_000_000, monotonic: 20_000_000 });
    state.now = 5_100;
    expect(clock.read()).toMatchObject({ at: 20_000_050, monotonic: 20_000_100 });
  });

  it('reads the wall clock once per reading', () => {
    let ticks = 0;
    const clock = steadyClock({ now: () => (ticks += 1), wakeAt: () => () => {} });
    expect(ticks).toBe(1);
    expect(clock.read()).toMatchObject({ at: 2, monotonic: 2 });
  });

  it('wakes at the requested time', async () => {
    const machine = simulatedClock(0);
    const clock = steadyClock(machine);
    const woken: string[] = [];
    clock.wakeAt(100, () => woken.push('first'));
    const cancel = clock.wakeAt(200, () => woken.push('second'));
    await machine.advance(100);
    cancel();
    expect([woken, machine.sleeping(), clock.now()]).toEqual([['first'], 0, 100]);
  });
});

describe('a timer of a steady clock', () => {
  it('in milliseconds ignores the wall clock', async () => {
    const { machine, clock } = begin();
    const woken: number[] = [];
    const from = machine.monotonic!();
    for (const step of [10 * hour, -30 * hour]) {
      clock.wakeAfter(minute, () => woken.push(machine.monotonic!() - from));
      machine.step(step);
      await machine.advance(minute);
    }
    expect(woken).toEqual([minute, 2 * minute]);
    expect(machine.sleeping()).toBe(0);
  });

  it('for a time wakes on time although the wall clock was wrong when it started', async () => {
    const { machine, clock } = begin();
    const woken: number[] = [];
    machine.step(10 * hour);
    clock.wakeAt(start + minute, () => woken.push(clock.now() - start));
    machine.step(-10 * hour);
    await machine.advance(minute);
    expect(woken).toEqual([minute]);
  });

  it('for a time that a suspension passed wakes within fifteen seconds', async () => {
    const { machine, clock } = begin();
    let woken = 0;
    clock.wakeAt(start + hour, () => (woken += 1));
    machine.step(2 * hour);
    await machine.advance(5 * second);
    expect(woken).toBe(0);
    await machine.advance(10 * second);
    expect(woken).toBe(1);
  });

  it('for a time wakes after at most twice the wait when the wall clock is set back', async () => {
    const { machine, clock } = begin();
    const woken: number[] = [];
    clock.wakeAt(start + minute, () => woken.push(clock.now() - start));
    machine.step(-10 * hour);
    await machine.advance(2 * minute - 1);
    expect(woken).toEqual([]);
    await machine.advance(second);
    expect(woken).toEqual([minute]);
  });

  it('can be cancelled while it runs', async () => {
    const { machine, clock } = begin();
    let woken = 0;
    const cancel = clock.wakeAt(start + hour, () => (woken += 1));
    await machine.advance(minute);
    cancel();
    expect(machine.sleeping()).toBe(0);
    await machine.advance(2 * hour);
    expect(woken).toBe(0);
  });
});
