/** How many tasks a node may hold: more would wait for a slot while other processes are free. */
export interface Admission {
  readonly most: () => number;
  /** Whether nothing is taken now: what it had was lost. */
  readonly isResting: () => boolean;
  /** Notes a renewal of all leases, so many milliseconds after the last one. Returns whether it was late. */
  readonly renewed: (after: number) => boolean;
  /** Notes a task that another process took over. */
  readonly lost: () => void;
}

/**
 * Creates the admission of a node with so many slots: it begins with one task a slot, grows to four while leases are renewed in
 * time, and is halved where one was late or lost. Times are in milliseconds of `monotonic`.
 */
export const createAdmission = (slots: number, lease: number, monotonic: () => number): Admission => {
  let most = slots;
  let restsUntil = -Infinity;
  const halve = (): void => {
    most = Math.max(1, Math.floor(most / 2));
  };
  return {
    most: () => most,
    isResting: () => monotonic() < restsUntil,
    renewed: (after) => {
      const isLate = after > lease / 2 && after !== Infinity;
      if (isLate) halve();
      else most = Math.min(most + Math.ceil(slots / 4), slots * 4);
      return isLate;
    },
    lost: () => {
      if (monotonic() < restsUntil) return; // of several at once, the first counts
      halve();
      restsUntil = monotonic() + lease / 3;
    },
  };
};
