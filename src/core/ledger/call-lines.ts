import type { FactType } from '../../../machines/index.ts';
import { argumentsLine } from '../../base/boundary/call-sentence.ts';
import { holdWords } from '../../gates/origins/hold-words.ts';
import type { Emission } from '../../base/ports/emission.ts';
import type { CallDocument, LedgerRecord } from '../../base/ports/ledger.ts';
import { meaningOf, type CallEnd, type CallEvent } from '../kernel/projection/facts.ts';

/** A call in a list: its tool, its arguments on one line, and what became of it. */
export interface CallLine {
  readonly id: string;
  readonly tool: string;
  /** The sentence of its tool. */
  readonly summary?: string;
  readonly arguments: string;
  readonly end: CallEnd;
  /** Why, or who decided it; empty if its end says all. */
  readonly why: string;
  /** When that was recorded (RFC 3339). */
  readonly at: string;
}

/** Returns the calls of a proposal that are held: a person is asked, or they are refused. */
const heldIn = ({ brought: { calls = [] } }: LedgerRecord): readonly CallEvent[] =>
  calls.flatMap(({ id, origins }) => {
    const words = holdWords(origins);
    return words.length === 0 ? [] : [{ about: id, end: 'held', why: words.join(' ') }];
  });

/** Returns the calls that records propose, by id and by digest; a later one of the same id replaces an earlier one. */
export const callsById = (
  records: readonly Pick<LedgerRecord, 'brought'>[],
): ReadonlyMap<string, CallDocument> =>
  new Map(
    records.flatMap(({ brought: { calls = [] } }) =>
      calls.flatMap((call) => [[call.id, call] as const, [call.digest, call] as const]),
    ),
  );

const lineOf = (call: CallDocument, { end, why = '' }: CallEvent, at: string): CallLine => ({
  id: call.id,
  tool: call.tool,
  ...(call.summary !== undefined && { summary: call.summary }),
  arguments: argumentsLine(call.arguments),
  end,
  why,
  at,
});

/** A call, and the number of documents that were emitted before its first event. */
interface Placed {
  readonly place: number;
  readonly line: CallLine;
}

const placedLines = (records: readonly LedgerRecord[]): readonly Placed[] => {
  const calls = new Map<string, CallDocument>();
  const lines = new Map<string, Placed>();
  let place = 0;
  for (const record of records) {
    for (const [key, call] of callsById([record])) calls.set(key, call);
    const { kind, fact, brought } = record;
    const own = kind === 'fact' && fact ? meaningOf<FactType>(fact.type).ends?.(fact, brought) : null;
    for (const event of [...heldIn(record), ...(own ? [own] : [])]) {
      const call = calls.get(event.about);
      if (call === undefined) continue;
      const first = lines.get(call.id)?.place ?? place;
      lines.set(call.id, { place: first, line: lineOf(call, event, record.timestamp) });
    }
    place += record.emitted.length;
  }
  return [...lines.values()];
};

/** Returns the calls of a task and what became of each, by the message that was the last one before the call. */
export const callsByMessage = (
  records: readonly LedgerRecord[],
  emissions: readonly Emission[],
): ReadonlyMap<string, readonly CallLine[]> => {
  const byMessage = new Map<string, readonly CallLine[]>();
  for (const { place, line } of placedLines(records)) {
    const before = emissions.slice(0, place).findLast(({ name }) => name === 'UpFormatMessage');
    if (before?.name !== 'UpFormatMessage') continue;
    const { messageId } = before.document;
    byMessage.set(messageId, [...(byMessage.get(messageId) ?? []), line]);
  }
  return byMessage;
};
