import { isFailing, isWrite, type Call, type Effect, type Known } from './known.ts';

/** Committed writes that the plan in force does not ask for (interpretation 0007). */
export const unplannedWrites = (k: Known) =>
  k.effects.filter(
    ({ digest, status }) =>
      ['committed', 'undoing', 'stuck'].includes(status) && !k.calls.some((call) => call.digest === digest),
  );

export const isWriteInFlight = (call: Call): boolean =>
  isWrite(call) && (call.status === 'started' || call.status === 'awaiting');

/** What may be rolled back of these: the newest, one at a time, once no write may land any more (interpretation 0005). */
const newestOf = (k: Known, effects: readonly Effect[]): string | null => {
  const owed = effects.filter(({ rollback }) => rollback);
  if (k.calls.some(isWriteInFlight) || owed.some(({ status }) => status === 'undoing')) return null;
  return owed.findLast(({ status }) => status === 'committed')?.digest ?? null;
};

/** A write that a person vouches for is not undone because nothing else shows it. */
const isByWord = ({ evidence }: Effect): boolean => evidence === null || evidence.byPerson;

/** What a failing run takes back: all that it did, or what a tool's evidence shows where only evidence is missing. */
const ofFailing = ({ reasons, effects }: Known): readonly Effect[] =>
  reasons.every((code) => code === 'EVIDENCE_MISSING') ? effects.filter((one) => !isByWord(one)) : effects;

/** What may be rolled back now, of what a failing run did, or else of what no plan asks for. */
export const rollbackOwed = (k: Known): string | null =>
  newestOf(k, isFailing(k) ? ofFailing(k) : unplannedWrites(k));
