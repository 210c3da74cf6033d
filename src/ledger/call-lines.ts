import type { Fact } from '../../machines/index.ts';
import { gateSubject } from '../../machines/question.ts';
import { argumentsLine } from '../boundary/call-sentence.ts';
import { holdWords } from '../origins/hold-words.ts';
import type { Emission } from '../ports/emission.ts';
import type { CallDocument, LedgerRecord } from '../ports/ledger.ts';

/** What became of a call. */
export type CallEnd =
  | 'held'
  | 'running'
  | 'done'
  | 'failed'
  | 'unknown'
  | 'refused by policy'
  | 'rejected'
  | 'not made'
  | 'undone'
  | 'not undone';

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

/** A change of a call's end. */
interface CallEvent {
  /** The call's id, or the digest of its action. */
  readonly about: string;
  readonly end: CallEnd;
  readonly why?: string | undefined;
}

const answerEvent = ({
  question,
  feedback,
  by,
}: Extract<Fact, { type: 'human.responded' }>): CallEvent | null => {
  const action = gateSubject('approval', question);
  if (feedback === 'reject' && action !== undefined)
    return { about: action, end: 'rejected', why: `by ${by}` };
  const about = gateSubject('doubt', question);
  if (about === undefined) return null;
  if (feedback === 'approve') return { about, end: 'done', why: `as ${by} says` };
  return feedback === 'reject' ? { about, end: 'not made', why: `as ${by} says` } : null;
};

/** Returns the calls of a proposal that are held: a person is asked, or they are refused. */
const heldIn = ({ brought: { calls = [] } }: LedgerRecord): readonly CallEvent[] =>
  calls.flatMap(({ id, origins }) => {
    const words = holdWords(origins);
    return words.length === 0 ? [] : [{ about: id, end: 'held', why: words.join(' ') }];
  });

const callEventOf = ({ fact, brought: { explanation, reasons } }: LedgerRecord): CallEvent | null => {
  switch (fact?.type) {
    case 'call.started':
      return { about: fact.call, end: 'running' };
    case 'call.succeeded':
      return { about: fact.call, end: 'done' };
    case 'call.failed':
      return { about: fact.call, end: 'failed', why: explanation };
    case 'call.doubted':
      return { about: fact.call, end: 'unknown', why: explanation };
    case 'call.refused':
      return { about: fact.call, end: 'not made', why: explanation };
    case 'policy.decided':
      return fact.verdict === 'deny'
        ? { about: fact.call, end: 'refused by policy', why: reasons?.join('; ') }
        : null;
    case 'rollback.succeeded':
      return { about: fact.digest, end: 'undone' };
    case 'rollback.failed':
      return { about: fact.digest, end: 'not undone', why: explanation };
    case 'human.responded':
      return answerEvent(fact);
    case 'approval.granted':
    case 'call.cleared':
    case 'calls.proposed':
    case 'capability.exceeded':
    case 'changes.requested':
    case 'deadline.passed':
    case 'dependency.awaited':
    case 'dependency.met':
    case 'draft.proposed':
    case 'evidence.changed':
    case 'followup.offered':
    case 'help.requested':
    case 'information.requested':
    case 'output.rejected':
    case 'output.changed':
    case 'plan.proposed':
    case 'question.raised':
    case 'recovery.started':
    case 'request.accepted':
    case 'request.refused':
    case 'rollback.started':
    case 'run.failed':
    case 'task.cancelled':
    case 'taskClass.changed':
    case 'verifier.reported':
    case undefined:
      return null;
  }
};

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
    const own = record.kind === 'fact' ? callEventOf(record) : null;
    for (const event of [...heldIn(record), ...(own === null ? [] : [own])]) {
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
