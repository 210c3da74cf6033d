import type { Clock } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';

/** Returns a clock with the time of a store, or that of the machine until the store has answered. */
export const storeClock = (store: Pick<Store, 'now'>, clock: Clock): Clock => {
  const now = (): number => store.now() ?? clock.now();
  return { ...clock, now, wakeAt: (at, wake) => clock.wakeAt(clock.now() + (at - now()), wake) };
};
