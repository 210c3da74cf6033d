import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../base/ports/clock.ts';

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
  /** Advances the time. Each alarm fires at its own time, and `rest` runs after it. */
  readonly advance: (milliseconds: number, rest?: () => Promise<void>) => Promise<void>;
}

/** When the clock of a scenario starts by default. */
export const firstInstant = '2026-01-01T00:00:00Z';

/** Returns a clock that starts at an instant (RFC 3339) and moves only when it is advanced. */
export const scenarioClock = (start = firstInstant): ScenarioClock => {
  let now = Date.parse(start);
  const alarms = new Set<Alarm>();
  return {
    now: () => now,
    wakeAt: (at, wake) => {
      const alarm = { at, wake };
      alarms.add(alarm);
      return () => void alarms.delete(alarm);
    },
    advance: async (milliseconds, rest = () => turns(restingTurns)) => {
      const until = now + milliseconds;
      for (;;) {
        const [next] = [...alarms].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        alarms.delete(next);
        now = Math.max(now, next.at);
        next.wake();
        await rest();
      }
      now = until;
    },
  };
};
