import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { steadyClock } from '../../../src/orchestrator/steady-clock.ts';
import { runs } from '../canonical/generated.ts';
import { simulatedClock } from './simulated-clock.ts';

/** A machine whose time is what a test says it is. */
const machine = (start: number) => {
  const state = { now: start };
  return { state, clock: steadyClock({ now: () => state.now, wakeAt: () => () => {} }) };
};

describe('a steady clock', () => {
  it('goes on with the machine’s', () => {
    const { state, clock } = machine(1_000);
    expect([clock.now(), clock.behind()]).toEqual([1_000, 0]);
    state.now = 1_500;
    expect([clock.now(), clock.behind()]).toEqual([1_500, 0]);
  });

  it('stands still where the machine’s goes back, and says by how much, until it has caught up', () => {
    const { state, clock } = machine(10_000);
    clock.now();
    const seen = [9_000, 4_000, 9_999, 10_000, 10_001].map((now) => {
      state.now = now;
      return [clock.now(), clock.behind()];
    });
    expect(seen).toEqual([
      [10_000, 1_000],
      [10_000, 6_000],
      [10_000, 1],
      [10_000, 0],
      [10_001, 0],
    ]);
  });

  it('has seen a time that was only asked for as a difference', () => {
    const { state, clock } = machine(10_000);
    expect(clock.behind()).toBe(0);
    state.now = 9_000;
    expect([clock.behind(), clock.now()]).toEqual([1_000, 10_000]);
  });

  it('begins before 1970 as well as after it', () => {
    expect(machine(-5).clock.now()).toBe(-5);
  });

  it('never goes back, whatever the machine’s does: it stands at the latest time that was seen', () => {
    const seen = { back: 0 };
    const time = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: -1e15, max: 1e15 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(time, fc.boolean()), { minLength: 1, maxLength: 30 }), (readings) => {
        const { state, clock } = machine(0);
        let latest: number | undefined;
        for (const [now, isDifference] of readings) {
          state.now = now;
          latest = latest === undefined ? now : now > latest ? now : latest;
          if (latest > now) seen.back += 1;
          if (isDifference) expect(clock.behind()).toBe(latest - now);
          else expect(clock.now()).toBe(latest);
        }
      }),
      runs(500),
    );
    expect(seen.back).toBeGreaterThan(100);
  });

  it('is never behind by less than nothing, although the machine’s goes on between two readings', () => {
    let ticks = 0;
    const clock = steadyClock({ now: () => (ticks += 1), wakeAt: () => () => {} });
    expect(clock.behind()).toBe(0);
  });

  it('leaves it to the machine’s to wake, and to be let go of', async () => {
    const simulated = simulatedClock(0);
    const clock = steadyClock(simulated);
    const woken: string[] = [];
    clock.wakeAt(100, () => woken.push('first'));
    const cancel = clock.wakeAt(200, () => woken.push('second'));
    await simulated.advance(100);
    cancel();
    expect([woken, simulated.sleeping(), clock.now()]).toEqual([['first'], 0, 100]);
  });
});
