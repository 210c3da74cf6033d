import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../ports/clock.ts';

/** Turns of the event loop after which something that nobody waits for is taken to have come to rest. */
export const restingTurns = 20;

/** Lets everything run that does not wait for time. */
export const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
};

interface Alarm {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that passes only when the kit says so; each alarm rings at its hour. */
export interface ScenarioClock extends Clock {
  readonly advance: (milliseconds: number) => Promise<void>;
}

/** A clock that stands at 2026-01-01T00:00:00Z. */
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
