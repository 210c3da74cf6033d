import type { Ids } from '../../base/ports/ids.ts';

/** Returns ids that count, so that every run has the same ones. */
export const countedIds = (): Ids => {
  let last = 0;
  const hex = (digits: number) => (last += 1).toString(16).padStart(digits, '0');
  return { uuid: () => `00000000-0000-4000-8000-${hex(12)}`, traceId: () => hex(32) };
};
