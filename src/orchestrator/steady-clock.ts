import type { Clock } from '../ports/clock.ts';

/** A clock that never goes back: what has passed has passed, whatever the machine's own clock says. */
export interface SteadyClock extends Clock {
  /** Milliseconds by which the machine's clock stands behind the latest time that was seen. */
  readonly behind: () => number;
  /** Goes on from a time that somebody else has seen: what was recorded then has passed. */
  readonly see: (at: number) => void;
}

export const steadyClock = ({ now, wakeAt }: Clock): SteadyClock => {
  let latest = -Infinity;
  const see = (present: number): number => {
    if (present > latest) latest = present;
    return latest;
  };
  const behind = (): number => {
    const present = now(); // read once: it may go on between two readings
    return see(present) - present;
  };
  return { now: () => see(now()), wakeAt, behind, see: (at) => void see(at) };
};
