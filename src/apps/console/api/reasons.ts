import { chartVersion, violationsOf, type Context, type Violation } from '../../../../machines/index.ts';
import { reasonMeaning } from '../../../../schema/index.ts';
import { callSentence } from '../../../base/boundary/call-sentence.ts';
import { callsById } from '../../../core/ledger/call-lines.ts';
import { readCarriedOver } from '../../../core/ledger/carry-over.ts';
import { chartsOf } from '../../../core/ledger/chart.ts';
import { replayed, unreplayed } from '../../../core/kernel/replay.ts';
import type { InboxEntry, TaskSummary } from '../../../core/kernel/summary.ts';
import type { LedgerRecord } from '../../../base/ports/ledger.ts';
import { headlineOf } from '../headline.ts';
import type { Reason } from '../wire.ts';
import { missingInWords } from './missing.ts';

/** Returns why a task failed, with the meaning of each code and the call that it is about. */
const failureInWords = (
  violations: readonly Violation[],
  records: readonly LedgerRecord[],
): readonly Reason[] => {
  const calls = callsById(records);
  return violations.map(({ code, about }) => {
    const call = calls.get(about);
    const meaning = reasonMeaning[code];
    return call === undefined
      ? { code, about, meaning }
      : { code, about: call.tool, meaning, subject: callSentence(call) };
  });
};

/** Returns the chart's context at the end of a ledger; `null` for another chart version. */
const contextOf = (records: readonly LedgerRecord[]): Context | null => {
  const { current, since } = chartsOf(records);
  if (current !== chartVersion) return null;
  const read = records.map((record, place) => (place < since ? readCarriedOver(record) : record));
  const [opening] = read;
  if (opening?.brought.contract === undefined) return null;
  const unread = unreplayed(opening.brought.contract, opening);
  return read.reduce((replay, record) => replayed(replay, record, since).after, unread).snapshot.context;
};

/**
 * Returns why a task failed, or what is still missing before its delivery, in words. Empty after delivery.
 *
 * It evaluates the gate's own guard over the facts of the ledger, so the display matches the decision.
 */
export const reasonsFor = (
  { isSettled, outcome, reasons, state }: TaskSummary,
  records: readonly LedgerRecord[],
  open: readonly InboxEntry[],
): readonly Reason[] | null => {
  if (reasons.length > 0) return failureInWords(reasons, records);
  if (isSettled || outcome === 'success' || state === 'followup') return [];
  const context = contextOf(records);
  if (context === null) return null;
  const asked = new Map(open.map((entry) => [entry.question.id, headlineOf(entry).join(' ')]));
  return missingInWords(violationsOf('deliver', context), { context, calls: callsById(records), asked });
};
