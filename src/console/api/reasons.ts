import { chartVersion, violationsOf, type Violation } from '../../../machines/index.ts';
import { reasonMeaning } from '../../../schema/index.ts';
import { readCarriedOver } from '../../ledger/carry-over.ts';
import { chartsOf } from '../../ledger/chart.ts';
import { replaySession } from '../../ledger/replay-session.ts';
import type { TaskSummary } from '../../orchestrator/summary.ts';
import type { LedgerRecord } from '../../ports/ledger.ts';
import type { Reason } from '../wire.ts';

/** Returns each reason with the meaning of its code. A call is named by its tool. */
const inWords = (violations: readonly Violation[], records: readonly LedgerRecord[]): readonly Reason[] => {
  const calls = records.flatMap(({ brought }) => brought.calls ?? []);
  const tools = new Map(
    calls.flatMap(({ id, digest, tool }) => [[id, tool] as const, [digest, tool] as const]),
  );
  return violations.map(({ code, about }) => ({
    code,
    about: tools.get(about) ?? about,
    meaning: reasonMeaning[code],
  }));
};

/** Returns the violations of the `deliver` gate at the end of a ledger; `null` for another chart version. */
const against = (records: readonly LedgerRecord[]): readonly Violation[] | null => {
  const { current, since } = chartsOf(records);
  if (current !== chartVersion) return null;
  const read = records.map((record, place) => (place < since ? readCarriedOver(record) : record));
  const [opening] = read;
  if (opening?.brought.contract === undefined) return null;
  const { actor, judge } = replaySession(opening.brought.contract, opening, { since });
  for (const record of read) judge(record);
  return violationsOf('deliver', actor.getSnapshot().context);
};

/**
 * Returns why a task failed, or what the `deliver` gate still requires. Empty after delivery.
 *
 * It evaluates the gate's own guard over the facts of the ledger, so the display matches the decision.
 */
export const reasonsFor = (
  { isSettled, outcome, reasons, state }: TaskSummary,
  records: readonly LedgerRecord[],
): readonly Reason[] | null => {
  if (reasons.length > 0) return inWords(reasons, records);
  if (isSettled || outcome === 'success' || state === 'followup') return [];
  const indexEntry = against(records);
  return indexEntry && inWords(indexEntry, records);
};
