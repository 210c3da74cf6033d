import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../ports/clock.ts';

/** The event loop turns after which an unobserved activity counts as finished. */
export const restingTurns = 20;

/** Runs the event loop for some turns, without waiting for time. */
export const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
};

interface Alarm {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that advances only on request and then fires its alarms. */
export interface ScenarioClock extends Clock {
  readonly advance: (milliseconds: number) => Promise<void>;
}

/** Returns a clock that starts at 2026-01-01T00:00:00Z. */
export const scenarioClock = (): ScenarioClock => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const alarms = new Set<Alarm>();
  return {
    now: () => now,
    wakeAt: (at, wake) => {
      const alarm = { at, wake };
      alarms.add(alarm);
      return () => void alarms.delete(alarm);
    },
    advance: async (milliseconds) => {
      const until = now + milliseconds;
      for (;;) {
        const [next] = [...alarms].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        alarms.delete(next);
        now = Math.max(now, next.at);
        next.wake();
        await turns(restingTurns);
      }
      now = until;
    },
  };
};
